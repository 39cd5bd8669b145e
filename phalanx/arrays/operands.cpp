#include "phalanx/arrays/operands.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <unordered_set>
#include <utility>

namespace phalanx::arrays {

namespace {

// True if the longest stride comes first.
bool is_in_order(const views::DeviceArray& array) {
  std::int64_t before = std::numeric_limits<std::int64_t>::max();
  for (std::size_t i = 0; i < array.shape.size(); ++i) {
    if (array.shape[i] == 1)
      continue;
    const std::int64_t stride = std::abs(array.strides[i]);
    if (stride > before)
      return false;
    before = stride;
  }
  return true;
}

// Each node once, from the last one on; `goes_on` says whether to go on below it.
template <typename GoesOn>
void walk(std::vector<NodePtr> nodes, GoesOn goes_on) {
  std::unordered_set<const Node*> seen;
  while (!nodes.empty()) {
    const NodePtr node = std::move(nodes.back());
    nodes.pop_back();
    if (seen.insert(node.get()).second && goes_on(node))
      std::ranges::copy(operands_of(*node), std::back_inserter(nodes));
  }
}

bool keeps_order(const std::vector<Axis>& axes) {
  std::int32_t before = Axis::none;
  for (const Axis& axis : axes) {
    if (axis.dimension == Axis::none)
      continue;
    if (axis.dimension <= before)
      return false;
    before = axis.dimension;
  }
  return true;
}

}  // namespace

std::vector<NodePtr> operands_of(const Node& node) {
  if (const auto* call = std::get_if<Call>(&node.made_by)) {
    const auto begin = call->operands.begin();
    return {begin, begin + call->function->arity};
  }
  if (const auto* view = std::get_if<View>(&node.made_by))
    return {view->base};
  if (const auto* gather = std::get_if<Gather>(&node.made_by)) {
    std::vector<NodePtr> operands = {gather->base};
    for (const GatherIndex& index : gather->indices) operands.push_back(index.value);
    return operands;
  }
  if (const auto* reshape = std::get_if<Reshape>(&node.made_by))
    return {reshape->base};
  if (const auto* reduce = std::get_if<Reduce>(&node.made_by))
    return {reduce->operand};
  if (const auto* scan = std::get_if<Scan>(&node.made_by))
    return {scan->operand};
  if (const auto* concatenation = std::get_if<Concatenation>(&node.made_by)) {
    std::vector<NodePtr> operands;
    operands.reserve(concatenation->parts.size());
    for (const Part& part : concatenation->parts) operands.push_back(part.value);
    return operands;
  }
  if (const auto* routine = std::get_if<Routine>(&node.made_by))
    return routine->operands;
  return {};
}

bool is_own_kernel(const Node& node) {
  return std::holds_alternative<Reduce>(node.made_by) ||
         std::holds_alternative<Scan>(node.made_by) ||
         std::holds_alternative<Reshape>(node.made_by) ||
         std::holds_alternative<Concatenation>(node.made_by) ||
         std::holds_alternative<Routine>(node.made_by);
}

const NodePtr* shown_by(const Node& node) {
  if (const auto* view = std::get_if<View>(&node.made_by))
    return &view->base;
  if (const auto* reshape = std::get_if<Reshape>(&node.made_by))
    return &reshape->base;
  const auto* call = std::get_if<Call>(&node.made_by);
  return call != nullptr && call->function->part >= 0 ? call->operands.data() : nullptr;
}

View through_view(const NodePtr& node, std::vector<Axis> axes) {
  const auto* view = std::get_if<View>(&node->made_by);
  if (view == nullptr)
    return {node, std::move(axes)};
  std::vector<Axis> composed = view->axes;
  for (Axis& axis : composed) {
    if (axis.dimension == Axis::none)
      continue;
    const Axis& outer = axes[static_cast<std::size_t>(axis.dimension)];
    axis = {
        .dimension = outer.dimension,
        .start = axis.start + axis.step * outer.start,
        .step = outer.dimension == Axis::none ? 0 : axis.step * outer.step};
  }
  return {view->base, std::move(composed)};
}

bool shows_exported(const Node& node) {
  if (const auto* memory = std::get_if<Memory>(&node.made_by))
    return (*memory)->memory->is_exported;
  if (std::holds_alternative<SpilledPtr>(node.made_by))
    return true;  // a file, or a copy that may go
  const NodePtr* base = shown_by(node);
  return base != nullptr && shows_exported(**base);
}

bool reads_exported(const Node& node) {
  if (shows_exported(node))
    return true;
  return std::ranges::any_of(
      operands_of(node), [](const NodePtr& operand) { return reads_exported(*operand); });
}

bool comes_in_c_order(const Node& node) {
  if (!node.is_pending() || shown_by(node) != nullptr)
    return false;  // it may come to lie in memory that is there, or is written for its base
  if (std::holds_alternative<Routine>(node.made_by))
    return false;
  bool is_so = true;
  walk(operands_of(node), [&](const NodePtr& below) {
    const views::DeviceArray* const layout = below->layout();
    const auto* const view = std::get_if<View>(&below->made_by);
    is_so &= !std::holds_alternative<Routine>(below->made_by) &&
             (layout == nullptr || is_in_order(*layout)) &&
             (view == nullptr || keeps_order(view->axes));
    return is_so && layout == nullptr;
  });
  return is_so;
}

runtime::Device* device_now(const Node& node) {
  if (node.device != nullptr)
    return node.device;
  if (const views::DeviceArray* array = node.layout())
    return array->device;
  for (const NodePtr& operand : operands_of(node)) {
    if (runtime::Device* const device = device_now(*operand))
      return device;
  }
  return nullptr;
}

std::vector<NodePtr> memory_below(std::vector<NodePtr> nodes) {
  std::vector<NodePtr> found;
  walk(std::move(nodes), [&](const NodePtr& node) {
    const bool is_in_memory = node->layout() != nullptr;
    if (is_in_memory)
      found.push_back(node);
    return !is_in_memory;
  });
  return found;
}

}  // namespace phalanx::arrays
