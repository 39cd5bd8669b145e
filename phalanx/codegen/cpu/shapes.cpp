#include "phalanx/codegen/cpu/shapes.h"

#include <algorithm>

#include "phalanx/base/errors.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;

namespace {

Divergence divergence_or_block(
    const std::unordered_map<const Operation*, Divergence>& divergence,
    const Operation& operation) {
  const auto found = divergence.find(&operation);
  return found == divergence.end() ? Divergence::block : found->second;
}

// Raises the divergence kept for `operation`; true if it rose.
bool raise_divergence(
    std::unordered_map<const Operation*, Divergence>& found,
    const Operation& operation,
    Divergence divergence) {
  Divergence& kept = found.try_emplace(&operation, Divergence::block).first->second;
  if (divergence <= kept)
    return false;
  kept = divergence;
  return true;
}

}  // namespace

FunctionShapes::FunctionShapes(
    const ir::Function& function, const CpuVariant& variant, const LaunchFacts& facts)
    : function_(function), variant_(variant), facts_(facts), nesting_(function) {
  variables_.resize(function.variables.size());
  homes_.resize(function.variables.size());
  for (ir::VariableId v = 0; v < function.variables.size(); ++v) find_home(v);
  const bool is_kernel = function.kind != ir::FunctionKind::device;
  const Uniformity given = is_kernel            ? Uniformity::block
                           : variant.lanes == 1 ? Uniformity::warp
                                                : Uniformity::varying;
  for (const auto& parameter : function.parameters)
    values_[parameter.get()] = Shapes(components_of(parameter->type), Shape::of(given));
  run_to_fixpoint();
  find_losing(function.body);
}

void FunctionShapes::run_to_fixpoint() {
  while (visit(function_.body)) {
  }
  for (ir::VariableId v = 0; v < variables_.size(); ++v) {
    if (variables_[v].empty())  // never set: the content does not matter
      variables_[v].assign(components_of(function_.variables[v].type), Shape{});
  }
}

bool FunctionShapes::is_better_than(const FunctionShapes& other) const {
  return std::ranges::any_of(values_, [&](const auto& value) {
    const Shapes& theirs = other.of(*value.first);
    for (std::size_t i = 0; i < theirs.size(); ++i) {
      if (value.second[i].uniformity < theirs[i].uniformity)
        return true;
    }
    return false;
  });
}

Divergence FunctionShapes::divergence(const Operation& operation) const {
  return divergence_or_block(divergence_, operation);
}
Divergence FunctionShapes::break_divergence(const Operation& control) const {
  return divergence_or_block(break_divergence_, control);
}
Divergence FunctionShapes::continue_divergence(const Operation& control) const {
  return divergence_or_block(continue_divergence_, control);
}

// Returns whether something rose that other operations look at: variables and divergence. Values
// are recomputed in each round.
bool FunctionShapes::visit(const ir::Region& region) {
  bool has_risen = false;
  for (const auto& owned : region) {
    const Operation& operation = *owned;
    if (operation.op == Op::set)
      has_risen |= visit_set(operation);
    else if (is_jump(operation.op))
      has_risen |= visit_jump(operation);
    else if (!is_structured(operation.op))
      has_risen |= visit_value(operation);
    else if (operation.op == Op::if_)
      has_risen |=
          raise_divergence(divergence_, operation, divergence_of(of(*operation.operands[0], 0)));
    for (const ir::Region& nested : operation.regions) has_risen |= visit(nested);
  }
  return has_risen;
}

bool FunctionShapes::visit_value(const Operation& operation) {
  if (operation.op == Op::get) {
    const Shapes& known = variables_.at(operation.variable);
    // Before anything flowed in: the best case; a later round corrects it.
    values_[&operation] = known.empty() ? Shapes(components_of(operation.type), Shape{}) : known;
    return false;
  }
  std::vector<const Shapes*> operands;
  operands.reserve(operation.operands.size());
  for (const Operation* operand : operation.operands) operands.push_back(&of(*operand));
  values_[&operation] = transfer(operation, operands, variant_, facts_);
  return false;
}

bool FunctionShapes::visit_set(const Operation& set) {
  const Divergence control = divergence_of_set(set);
  bool has_risen = raise_divergence(divergence_, set, control);
  Shapes& kept = variables_.at(set.variable);
  const Shapes& given = of(*set.operands[0]);
  const bool is_first = kept.empty();
  if (is_first)
    kept = given;
  for (unsigned i = 0; i < given.size(); ++i) {
    Shape next = is_first ? given[i] : join(kept[i], given[i]);
    if (control == Divergence::lane)
      next = Shape::of(variant_.lanes == 1 ? Uniformity::warp : Uniformity::varying);
    else if (control == Divergence::warp && next.uniformity == Uniformity::block)
      next = Shape::of(Uniformity::warp);
    has_risen |= is_first || next != kept[i];
    kept[i] = next;
  }
  return has_risen;
}

bool FunctionShapes::visit_jump(const Operation& jump) {
  const Divergence divergence = divergence_of_jump(jump);
  bool has_risen = raise_divergence(divergence_, jump, divergence);
  const Operation* target = nesting_.at(jump).target;
  if (target == nullptr)
    has_divergent_return_ |= divergence != Divergence::block;
  else if (jump.op == Op::break_)
    has_risen |= raise_divergence(break_divergence_, *target, divergence);
  else
    has_risen |= raise_divergence(continue_divergence_, *target, divergence);
  return has_risen;
}

// How control may differ at `inner` among those that entered `outer` (null: the function) and did
// not leave it for good.
Divergence FunctionShapes::control_between(const Operation& inner, const Operation* outer) const {
  Divergence divergence = Divergence::block;
  unsigned region = nesting_.at(inner).region;
  for (const Operation* at = nesting_.at(inner).parent; at != outer;) {
    if (at->op == Op::if_) {
      divergence = std::max(divergence, this->divergence(*at));
    } else {
      divergence = std::max(divergence, break_divergence(*at));
      if (region == 0)
        divergence = std::max(divergence, continue_divergence(*at));
    }
    region = nesting_.at(*at).region;
    at = nesting_.at(*at).parent;
  }
  return divergence;
}

Divergence FunctionShapes::divergence_of_jump(const Operation& jump) const {
  const Operation* target = nesting_.at(jump).target;
  Divergence divergence = control_between(jump, target);
  if (target != nullptr && jump.op == Op::break_)
    divergence = std::max({divergence, break_divergence(*target), continue_divergence(*target)});
  else if (target != nullptr)
    divergence = std::max(divergence, continue_divergence(*target));
  return divergence;
}

// Lanes that leave a structured operation keep what the variable was then. That matters only if
// they can read it before the next set that they all make.
Divergence FunctionShapes::divergence_of_set(const Operation& set) const {
  const Home& home = homes_.at(set.variable);
  Divergence divergence = Divergence::block;
  unsigned region = nesting_.at(set).region;
  bool is_in_inner_loop = false;
  std::vector<std::pair<const Operation*, unsigned>> chain;
  for (const Operation* at = nesting_.at(set).parent; at != home.control;) {
    chain.emplace_back(at, region);
    region = nesting_.at(*at).region;
    at = nesting_.at(*at).parent;
  }
  for (auto link = chain.rbegin(); link != chain.rend(); ++link) {
    const auto& [control, number] = *link;
    if (control->op == Op::if_) {
      // Warps have variables of their own, whichever warp reads them.
      if (this->divergence(*control) <= divergence)
        continue;
      const bool is_last = !is_in_inner_loop && is_over_with(set.variable, *control, number);
      divergence = std::max(
          divergence,
          std::min(this->divergence(*control), is_last ? Divergence::warp : Divergence::lane));
      continue;
    }
    const bool is_private = !nesting_.is_read_outside(set.variable, *control) &&
                            (!is_in_inner_loop || is_set_before(set.variable, *control));
    if (!is_private)
      divergence = std::max(divergence, break_divergence(*control));
    if (number == 0)
      divergence = std::max(divergence, continue_divergence(*control));
    is_in_inner_loop |= control->op == Op::loop;
  }
  return divergence;
}

// True if nothing reads the variable after the branch, or in its other region: what the lanes that
// do not go there hold does not matter then.
bool FunctionShapes::is_over_with(
    ir::VariableId variable, const Operation& branch, unsigned region) const {
  if (nesting_.is_read_after(variable, branch))
    return false;
  for (unsigned i = 0; i < branch.regions.size(); ++i) {
    if (i != region && nesting_.is_read_in(variable, branch.regions[i]))
      return false;
  }
  return true;
}

bool FunctionShapes::is_set_before(ir::VariableId variable, const Operation& control) const {
  const NestingNode& node = nesting_.at(control);
  const auto& touches = nesting_.touches(variable);
  return std::any_of(touches.begin(), touches.end(), [&](const Operation* touch) {
    const NestingNode& other = nesting_.at(*touch);
    return touch->op == Op::set && other.parent == node.parent && other.region == node.region &&
           other.position < node.position;
  });
}

// The innermost region that holds every touch, the first of which is a set right in that region:
// each entry starts anew.
void FunctionShapes::find_home(ir::VariableId variable) {
  const auto& touches = nesting_.touches(variable);
  if (touches.empty())
    return;
  const Operation& first = *touches.front();
  if (first.op != Op::set)
    return;
  const NestingNode& node = nesting_.at(first);
  // Touches are in order, so that the last one tells.
  const ir::Region& region =
      node.parent == nullptr ? function_.body : node.parent->regions[node.region];
  const bool holds_all = nesting_.at(*touches.back()).number <= nesting_.at(*region.back()).last;
  if (holds_all)
    homes_[variable] = {.control = node.parent, .region = node.region};
}

// Marks what loses lanes (some go farther out than its own end) or parts them inside.
void FunctionShapes::find_losing(const ir::Region& region) {
  for (const auto& owned : region) {
    const Operation& operation = *owned;
    for (const ir::Region& nested : operation.regions) find_losing(nested);
    if (!is_jump(operation.op) || divergence(operation) != Divergence::lane)
      continue;
    const Operation* target = nesting_.at(operation).target;
    losing_.insert(&operation);
    for (const Operation* at = nesting_.at(operation).parent; at != target;
         at = nesting_.at(*at).parent) {
      losing_.insert(at);
      divergent_.insert(at);
    }
    if (target != nullptr)
      divergent_.insert(target);
  }
}

}  // namespace phalanx::codegen::cpu
