#include "phalanx/arrays/row_fusion.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <variant>

#include "phalanx/arrays/dimension_map.h"
#include "phalanx/arrays/kernel_style.h"
#include "phalanx/runtime/device.h"

namespace phalanx::arrays {
namespace {

// One launch costs more than what it computes, however it is shared.
constexpr std::int64_t most_small = 32768;
// Rows of fewer elements leave lanes idle, and of more do not stay in a cache.
constexpr std::int64_t least_row = 32;
constexpr std::int64_t most_row = 65536;
constexpr std::int64_t least_small_row = 8;
constexpr std::int64_t most_tiny = 1024;

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};

}  // namespace

// Goes from the root to the reductions below it as the kernel does. Each must be one number for a
// row of the space, made of a row: each time that it is met.
class RowFusion::Search {
 public:
  explicit Search(const Node& root) {
    if (const auto* reduce = std::get_if<Reduce>(&root.made_by)) {
      space_ = *reduce->operand->shape;
      fusion_.is_row_.resize(space_.size());
      for (std::size_t i = 0; i < space_.size(); ++i)
        fusion_.is_row_[i] = reduce->is_reduced[i] && space_[i] > 1;
      visit(*reduce->operand, identity_map(space_.size()));
    } else {
      space_ = *root.shape;
      visit(root, identity_map(space_.size()));
    }
  }

  RowFusion take(const Node& root, runtime::Device& device) {
    for (const Node* node : refused_) fusion_.folded_.erase(node);
    if (fusion_.empty() || !pays(device))
      return {};
    find_above(root);
    return std::move(fusion_);
  }

 private:
  using Map = DimensionMap;

  void visit(const Node& node, const Map& map) {
    if (!node.is_pending() && !std::holds_alternative<View>(node.made_by)) {
      note_memory(node, map);
      return;
    }
    std::vector<Map>& known = visited_[&node];
    if (std::ranges::find(known, map) != known.end())
      return;
    known.push_back(map);
    std::visit(
        Overloaded{
            [&](const View& view) { visit(*view.base, composed(map, view.axes)); },
            [&](const Call& call) {
              for (unsigned i = 0; i < call.function->arity; ++i) {
                const Node& operand = *call.operands.at(i);
                visit(operand, broadcast(map, *node.shape, *operand.shape));
              }
            },
            [&](const Gather& gather) {
              for (const GatherIndex& index : gather.indices)
                visit(*index.value, broadcast(map, *node.shape, *index.value->shape));
            },
            [&](const Reduce& reduce) { visit_reduce(node, reduce, map); },
            [](const auto&) {}},  // computed before, or nothing to compute
        node.made_by);
  }

  void visit_reduce(const Node& node, const Reduce& reduce, const Map& map) {
    const Extents& folded = *reduce.operand->shape;
    std::vector<bool> is_row = rows_along(map);
    if (!fits(is_row, reduce.is_reduced, folded) ||
        (!fusion_.is_row_.empty() && fusion_.is_row_ != is_row)) {
      refused_.insert(&node);
      return;
    }
    const Map below = map_of_folded(map, reduce.is_reduced, folded, is_row, space_);
    fusion_.is_row_ = std::move(is_row);
    fusion_.folded_.insert(&node);
    visit(*reduce.operand, below);
  }

  // The dimensions along which a value of that map stays the same.
  std::vector<bool> rows_along(const Map& map) const {
    std::vector<bool> is_row(space_.size());
    for (std::size_t i = 0; i < is_row.size(); ++i) is_row[i] = space_[i] > 1;
    for (const Axis& axis : map) {
      if (axis.dimension != Axis::none)
        is_row[static_cast<std::size_t>(axis.dimension)] = false;
    }
    return is_row;
  }

  // What is folded has the row's extents.
  bool fits(
      const std::vector<bool>& is_row,
      const std::vector<bool>& is_reduced,
      const Extents& folded) const {
    std::vector<std::int64_t> of_row;
    std::vector<std::int64_t> of_folded;
    for (std::size_t i = 0; i < is_row.size(); ++i)
      if (is_row[i])
        of_row.push_back(space_[i]);
    for (std::size_t i = 0; i < is_reduced.size(); ++i)
      if (is_reduced[i] && folded[i] != 1)
        of_folded.push_back(folded[i]);
    return !of_row.empty() && of_row == of_folded;
  }

  void note_memory(const Node& node, const Map& map) {
    const views::DeviceArray* memory = node.layout();
    if (memory == nullptr)
      return;
    const auto bytes = static_cast<std::int64_t>(memory->item_bytes());
    for (std::size_t i = 0; i < map.size(); ++i) {
      if (map[i].dimension != Axis::none && std::abs(map[i].step * memory->strides[i]) == bytes)
        contiguous_.push_back(static_cast<std::size_t>(map[i].dimension));
    }
  }

  bool pays(runtime::Device& device) const {
    std::int64_t row = 1;
    std::int64_t rows = 1;
    for (std::size_t i = 0; i < space_.size(); ++i) (fusion_.is_row_[i] ? row : rows) *= space_[i];
    if (row * rows <= most_small)
      return row * rows > 0 && (row >= least_small_row || row * rows <= most_tiny);
    const auto along = std::ranges::count_if(
        contiguous_, [&](std::size_t dimension) { return fusion_.is_row_[dimension]; });
    const std::int64_t threads = parallel_units(device);
    return 2 * along >= std::ssize(contiguous_) && row >= least_row && row <= most_row &&
           rows >= (has_gpu_kernels(device) ? 2 : 1) * threads;
  }

  // True if a reduction is folded below, or the node is one.
  bool find_above(const Node& node) {
    if (!node.is_pending())
      return false;
    if (const auto found = is_above_.find(&node); found != is_above_.end())
      return found->second;
    bool is = fusion_.folds(node);
    const auto look = [&](const Node& below) { is = find_above(below) || is; };
    if (const auto* view = std::get_if<View>(&node.made_by)) {
      look(*view->base);
    } else if (const auto* call = std::get_if<Call>(&node.made_by)) {
      for (unsigned i = 0; i < call->function->arity; ++i) look(*call->operands.at(i));
    } else if (const auto* gather = std::get_if<Gather>(&node.made_by)) {
      for (const GatherIndex& index : gather->indices) look(*index.value);
    } else if (const auto* reduce = std::get_if<Reduce>(&node.made_by)) {
      look(*reduce->operand);
    }
    if (is)
      fusion_.above_.insert(&node);
    is_above_[&node] = is;
    return is;
  }

  RowFusion fusion_;
  Extents space_;
  std::unordered_map<const Node*, std::vector<Map>> visited_;
  std::unordered_set<const Node*> refused_;
  std::vector<std::size_t> contiguous_;  // dimensions along which operands follow each other
  std::unordered_map<const Node*, bool> is_above_;
};

RowFusion RowFusion::find(const Node& root, runtime::Device& device) {
  return Search(root).take(root, device);
}

}  // namespace phalanx::arrays
