#include "phalanx/arrays/siblings.h"

#include <algorithm>
#include <unordered_set>

namespace phalanx::arrays {
namespace {

// More would keep the kernel's registers full.
constexpr std::size_t most_steps = 96;

// Pending elementwise nodes below one, and that one.
class Nodes {
 public:
  // False where something below needs a kernel of its own.
  bool add(const NodePtr& node) {
    if (!node->is_pending() || !all_.insert(node.get()).second)
      return true;
    const auto* call = std::get_if<Call>(&node->made_by);
    if (call == nullptr)
      return std::holds_alternative<Positions>(node->made_by);
    for (unsigned i = 0; i < call->function->arity; ++i) {
      if (!add(call->operands.at(i)))
        return false;
    }
    return true;
  }

  // How many there are, with those of the other.
  std::size_t size_with(const Nodes& other) const {
    const auto is_new = [&](const Node* node) { return !all_.contains(node); };
    return all_.size() + static_cast<std::size_t>(std::ranges::count_if(other.all_, is_new));
  }
  void add(const Nodes& other) { all_.insert(other.all_.begin(), other.all_.end()); }

  // Numbers and positions alone are nothing to share.
  bool shares(const Nodes& other) const {
    return std::ranges::any_of(all_, [&](const Node* node) {
      return std::holds_alternative<Call>(node->made_by) && other.all_.contains(node);
    });
  }

 private:
  std::unordered_set<const Node*> all_;
};

}  // namespace

std::vector<NodePtr> RecentArrays::siblings_of(const NodePtr& wanted, std::size_t most) const {
  std::vector<NodePtr> found;
  Nodes own;
  if (!std::holds_alternative<Call>(wanted->made_by) || !own.add(wanted))
    return found;
  // From the oldest on: a loop that computes the same again gets the same kernel.
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const auto cell = cells_.at((next_ + i) % cells_.size()).lock();
    if (!cell || found.size() >= most)
      continue;
    const NodePtr value = cell->value();
    if (!value->is_pending() || value == wanted || value->device != wanted->device ||
        *value->shape != *wanted->shape || std::ranges::find(found, value) != found.end())
      continue;
    const auto* call = std::get_if<Call>(&value->made_by);
    if (call == nullptr || call->function->part >= 0)  // a part lies where its numbers do
      continue;
    Nodes nodes;
    if (nodes.add(value) && nodes.shares(own) && own.size_with(nodes) <= most_steps) {
      own.add(nodes);
      found.push_back(value);
    }
  }
  return found;
}

}  // namespace phalanx::arrays
