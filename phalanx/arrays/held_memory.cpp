#include "phalanx/arrays/held_memory.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include "phalanx/arrays/operands.h"
#include "phalanx/arrays/residency.h"

namespace phalanx::arrays {
namespace {

using views::SharedMemory;

// A value is computed for that if it is so much smaller: what is recorded of it later is no longer
// in one kernel with it.
constexpr std::uint64_t least_gain = 2;

// Memory that pending nodes alone use.
struct Held {
  runtime::Device* device = nullptr;
  std::uint64_t bytes = 0;
  std::uint64_t holders = 0;  // pending values
  long users = 0;             // nodes
  long others = 0;            // who are none of these
};
using HeldTable = std::unordered_map<const SharedMemory*, Held>;

// What is met below pending values, and how often: who is used more often is used by others, too.
class Uses {
 public:
  void add(const Node& node) {
    if (!seen_.insert(&node).second)
      return;
    for (const NodePtr& operand : operands_of(node)) {
      Use& use = uses_[operand.get()];
      use.node = operand;
      ++use.count;
      add(*operand);
    }
  }

  HeldTable held() {
    for (const auto& [node, use] : uses_) {
      if (!node->is_pending() && is_used_elsewhere(use))
        mark_used(*node);
    }
    HeldTable found;
    for (const auto& [node, use] : uses_) {
      const auto* memory = std::get_if<Memory>(&node->made_by);
      if (memory == nullptr || used_.contains(node) || memory->use_count() > 1)
        continue;
      const SharedMemory& shared = *(*memory)->memory;
      if (shared.buffer.empty() || shared.is_exported || (*memory)->stream != nullptr)
        continue;
      Held& held = found[&shared];
      held.device = (*memory)->device;
      held.bytes = shared.buffer.size();
      held.others = (*memory)->memory.use_count() - ++held.users;
    }
    std::erase_if(found, [](const auto& each) { return each.second.others != 0; });
    return found;
  }

 private:
  struct Use {
    std::weak_ptr<Node> node;
    long count = 0;
  };
  static bool is_used_elsewhere(const Use& use) { return use.node.use_count() > use.count; }

  void mark_used(const Node& node) {
    if (!used_.insert(&node).second)
      return;
    for (const NodePtr& operand : operands_of(node)) mark_used(*operand);
  }

  std::unordered_set<const Node*> seen_;
  std::unordered_map<const Node*, Use> uses_;
  std::unordered_set<const Node*> used_;  // by others
};

// The held memory below a value.
std::vector<const SharedMemory*> held_below(const NodePtr& value, const HeldTable& held) {
  std::vector<const SharedMemory*> found;
  for (const NodePtr& node : memory_below({value})) {
    const SharedMemory* memory = node->layout()->memory.get();
    if (held.contains(memory) && std::ranges::find(found, memory) == found.end())
      found.push_back(memory);
  }
  return found;
}

}  // namespace

void HeldMemory::add(const std::shared_ptr<Cell>& cell) {
  const std::lock_guard lock(mutex_);
  if (cells_.size() >= next_cleaning_) {
    std::erase_if(cells_, [](const auto& each) { return each.expired(); });
    next_cleaning_ = 2 * cells_.size() + 64;
  }
  cells_.push_back(cell);
}

std::vector<NodePtr> HeldMemory::pending_values() {
  std::vector<NodePtr> values;
  const std::lock_guard lock(mutex_);
  std::erase_if(cells_, [&](const std::weak_ptr<Cell>& each) {
    const auto cell = each.lock();
    NodePtr value = cell ? cell->value() : nullptr;
    if (!value || !value->is_pending())
      return true;
    values.push_back(std::move(value));
    return false;
  });
  return values;
}

std::vector<NodePtr> HeldMemory::holders() {
  const std::vector<NodePtr> values = pending_values();
  Uses uses;
  for (const NodePtr& value : values) uses.add(*value);
  HeldTable held = uses.held();
  std::unordered_map<runtime::Device*, std::uint64_t> total;
  for (const auto& [memory, each] : held) total[each.device] += each.bytes;
  std::erase_if(held, [&](const auto& each) {
    runtime::Device* const device = each.second.device;
    return total.at(device) <= Residency::most_held(*device);
  });
  if (held.empty())
    return {};
  std::vector<std::vector<const SharedMemory*>> below;
  for (const NodePtr& value : values) {
    below.push_back(held_below(value, held));
    for (const SharedMemory* memory : below.back()) ++held.at(memory).holders;
  }
  std::vector<NodePtr> chosen;
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::uint64_t bytes = 0;
    for (const SharedMemory* memory : below[i])
      bytes += held.at(memory).bytes / held.at(memory).holders;
    if (bytes >= least_gain * static_cast<std::uint64_t>(values[i]->bytes()))
      chosen.push_back(values[i]);
  }
  return chosen;
}

}  // namespace phalanx::arrays
