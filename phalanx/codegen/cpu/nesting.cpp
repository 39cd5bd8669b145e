#include "phalanx/codegen/cpu/nesting.h"

#include <algorithm>

#include "phalanx/base/errors.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;

bool is_jump(Op op) {
  return op == Op::break_ || op == Op::continue_ || op == Op::return_ || op == Op::raise;
}

bool is_structured(Op op) { return op == Op::if_ || op == Op::loop || op == Op::block; }

namespace {

bool has_own_effect(Op op) {
  switch (op) {
    case Op::array_store:
    case Op::store:
    case Op::atomic:
    case Op::atomic_cas:
    case Op::barrier:
    case Op::fence:
    case Op::warp_barrier:
    case Op::grid_barrier:
    case Op::hinted_store:
    case Op::surface_store:
    case Op::call:
    case Op::read_clock:
    case Op::print:
    case Op::raise:
    case Op::allocate:
    case Op::memory_release:
    case Op::parallel:
    case Op::random_refill:
    case Op::checked_element:
    case Op::report_if:
    case Op::track_access:
    case Op::track_row:
      return true;
    default:
      return false;
  }
}

bool reads_memory(Op op) {
  switch (op) {
    case Op::array_load:
    case Op::load:
    case Op::hinted_load:
    case Op::texture_fetch:
    case Op::surface_load:
      return true;
    default:
      return false;
  }
}

}  // namespace

Nesting::Nesting(const ir::Function& function) : function_(function) {
  touches_.resize(function.variables.size());
  reads_.resize(function.variables.size());
  visit(function.body, nullptr, 0);
}

void Nesting::visit(const ir::Region& region, const Operation* parent, unsigned number) {
  unsigned position = 0;
  for (const auto& owned : region) {
    const Operation& operation = *owned;
    NestingNode& node = nodes_[&operation];
    node.parent = parent;
    node.region = number;
    node.position = position++;
    node.number = count_++;
    for (const Operation* operand : operation.operands) nodes_[operand].is_used = true;
    node.target = find_target(operation);
    node.has_barrier = operation.op == Op::barrier;
    node.has_effect = has_own_effect(operation.op);
    node.touches_memory = node.has_effect || reads_memory(operation.op);
    if (operation.op == Op::get || operation.op == Op::set)
      touches_.at(operation.variable).push_back(&operation);
    if (operation.op == Op::get)
      reads_.at(operation.variable).push_back(node.number);
    for (unsigned i = 0; i < operation.regions.size(); ++i) {
      visit(operation.regions[i], &operation, i);
      for (const auto& nested : operation.regions[i]) {
        const NestingNode& inner = nodes_.at(nested.get());
        NestingNode& outer = nodes_.at(&operation);
        outer.has_barrier |= inner.has_barrier;
        outer.has_effect |= inner.has_effect;
        outer.touches_memory |= inner.touches_memory;
      }
    }
    nodes_.at(&operation).last = count_ - 1;
  }
}

const Operation* Nesting::find_target(const Operation& jump) const {
  if (jump.op != Op::break_ && jump.op != Op::continue_)
    return nullptr;
  std::int64_t levels = jump.index;
  const Operation* at = nodes_.at(&jump).parent;
  for (; at != nullptr; at = nodes_.at(at).parent) {
    if (at->op == Op::if_)
      continue;
    if (levels-- == 0)
      return at;
  }
  PHX_ASSERT(false && "a break or continue without its loop or block");
  return nullptr;
}

bool Nesting::is_inside(const Operation& operation, const Operation* ancestor) const {
  if (ancestor == nullptr)
    return true;
  const NestingNode& outer = at(*ancestor);
  const unsigned number = at(operation).number;
  return number > outer.number && number <= outer.last;
}

bool Nesting::is_read_between(ir::VariableId variable, unsigned first, unsigned last) const {
  const std::vector<unsigned>& reads = reads_.at(variable);
  const auto found = std::lower_bound(reads.begin(), reads.end(), first);
  return found != reads.end() && *found <= last;
}

bool Nesting::is_read_outside(ir::VariableId variable, const Operation& control) const {
  const std::vector<unsigned>& reads = reads_.at(variable);
  return !reads.empty() && (reads.front() < at(control).number || reads.back() > at(control).last);
}

bool Nesting::is_read_after(ir::VariableId variable, const Operation& control) const {
  const std::vector<unsigned>& reads = reads_.at(variable);
  return !reads.empty() && reads.back() > at(control).last;
}

bool Nesting::is_read_in(ir::VariableId variable, const ir::Region& region) const {
  return !region.empty() &&
         is_read_between(variable, at(*region.front()).number, at(*region.back()).last);
}

}  // namespace phalanx::codegen::cpu
