#include "phalanx/arrays/operands.h"

namespace phalanx::arrays {

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
  if (const auto* routine = std::get_if<Routine>(&node.made_by))
    return routine->operands;
  return {};
}

const NodePtr* shown_by(const Node& node) {
  if (const auto* view = std::get_if<View>(&node.made_by))
    return &view->base;
  if (const auto* reshape = std::get_if<Reshape>(&node.made_by))
    return &reshape->base;
  const auto* call = std::get_if<Call>(&node.made_by);
  return call != nullptr && call->function->part >= 0 ? call->operands.data() : nullptr;
}

}  // namespace phalanx::arrays
