#include "phalanx/codegen/cpu/fission_plan.h"

#include <algorithm>

#include "phalanx/ir/idioms.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;

namespace {

bool is_block_wide(const Operation& operation, const FunctionShapes& shapes) {
  const Shapes& components = shapes.of(operation);
  return std::all_of(components.begin(), components.end(), [](const Shape& shape) {
    return shape.uniformity == Uniformity::block;
  });
}

// What looks at an access or a value, in whatever order.
bool is_check(Op op) { return op == Op::checked_element || op == Op::report_if; }

}  // namespace

// Pure, or memory whose address stays the same.
bool is_repeatable(Op op) {
  return ir::is_pure(op) || op == Op::parameter || op == Op::shared_array || op == Op::local_array;
}

namespace {

class Planner {
 public:
  Planner(const ir::Function& kernel, const FunctionShapes& shapes)
      : kernel_(kernel), shapes_(shapes), nesting_(shapes.nesting()) {}

  std::optional<FissionPlan> run(bool interchanges) {
    find_control(kernel_.body);
    if (interchanges) {
      find_interchanged(kernel_.body, false);
      find_control(kernel_.body);
    }
    return plan();
  }

  std::optional<FissionPlan> run_for_grid(const std::unordered_set<const Operation*>& loops) {
    plan_.is_of_grid = true;
    control_ = loops;
    find_control(kernel_.body);
    return plan();
  }

 private:
  std::optional<FissionPlan> plan() {
    if (!is_uniform_control(kernel_.body) || has_inner_return(kernel_.body))
      return std::nullopt;
    find_block_variables();
    if (plan_.is_of_grid)
      find_grid_values();
    find_needed(kernel_.body);
    plan_.steps = plan_region(kernel_.body);
    if (has_failed_)
      return std::nullopt;
    find_spilled(plan_.steps);
    return std::move(plan_);
  }

  // Structured operations with a barrier, and, until nothing is added, those that hold a jump out
  // of themselves to one of these or out of the kernel.
  void find_control(const ir::Region& region) {
    while (add_control(region)) {
    }
  }

  bool add_control(const ir::Region& region) {
    bool has_added = false;
    for (const auto& owned : region) {
      const Operation& operation = *owned;
      for (const ir::Region& nested : operation.regions) has_added |= add_control(nested);
      if (is_structured(operation.op) && nesting_.at(operation).has_barrier)
        has_added |= control_.insert(&operation).second;
      if (!is_jump(operation.op))
        continue;
      const Operation* target = nesting_.at(operation).target;
      if (target != nullptr && !control_.contains(target))
        continue;
      has_added |= control_.insert(&operation).second;
      for (const Operation* at = nesting_.at(operation).parent; at != target;
           at = nesting_.at(*at).parent)
        has_added |= control_.insert(at).second;
    }
    return has_added;
  }

  void find_interchanged(const ir::Region& region, bool is_in_loop) {
    for (const auto& owned : region) {
      const Operation& operation = *owned;
      if (control_.contains(&operation)) {
        for (const ir::Region& nested : operation.regions)
          find_interchanged(nested, is_in_loop || operation.op == Op::loop);
      } else if (is_in_loop && operation.op == Op::loop && can_interchange(operation)) {
        plan_.interchanged.insert(&operation);
        control_.insert(&operation);
      }
    }
  }

  // A loop over a tile that writes nothing, and that all threads leave together.
  bool can_interchange(const Operation& loop) const {
    if (!ir::is_over_tile(loop) || shapes_.break_divergence(loop) != Divergence::block ||
        shapes_.continue_divergence(loop) != Divergence::block)
      return false;
    bool holds = true;
    for (const ir::Region& region : loop.regions)
      ir::for_each(region, [&](const Operation& operation) {
        if (is_jump(operation.op) && !is_own(operation, loop))
          holds = false;
        if (!is_structured(operation.op) && !is_check(operation.op))
          holds = holds && !nesting_.at(operation).has_effect;
      });
    return holds;
  }

  // True if the jump goes to the loop, and all threads take it together.
  bool is_own(const Operation& jump, const Operation& loop) const {
    if (nesting_.at(jump).target != &loop || shapes_.divergence(jump) != Divergence::block)
      return false;
    for (const Operation* at = nesting_.at(jump).parent; at != &loop;
         at = nesting_.at(*at).parent) {
      if (at->op != Op::if_ || shapes_.divergence(*at) != Divergence::block)
        return false;
    }
    return true;
  }

  bool is_uniform_control(const ir::Region& region) const {
    return std::all_of(region.begin(), region.end(), [&](const auto& owned) {
      const Operation& operation = *owned;
      if (!control_.contains(&operation))
        return true;
      if (shapes_.divergence(operation) != Divergence::block ||
          shapes_.break_divergence(operation) != Divergence::block ||
          shapes_.continue_divergence(operation) != Divergence::block)
        return false;
      return std::all_of(
          operation.regions.begin(), operation.regions.end(), [&](const ir::Region& nested) {
            return is_uniform_control(nested);
          });
    });
  }

  // A raise reports the thread that raised: that is warps' code.
  bool has_inner_return(const ir::Region& region) const {
    bool found = false;
    ir::for_each(region, [&](const Operation& operation) {
      found |= operation.op == Op::raise || operation.op == Op::call;
    });
    return found || shapes_.has_divergent_return();
  }

  bool is_at_control_level(const Operation& operation) const {
    const Operation* parent = nesting_.at(operation).parent;
    return parent == nullptr || control_.contains(parent);
  }

  void find_block_variables() {
    for (ir::VariableId v = 0; v < kernel_.variables.size(); ++v) {
      const auto& touches = nesting_.touches(v);
      const Shapes& shapes = shapes_.of_variable(v);
      const bool is_wide = std::all_of(shapes.begin(), shapes.end(), [](const Shape& shape) {
        return shape.uniformity == Uniformity::block;
      });
      const bool is_set_outside =
          std::all_of(touches.begin(), touches.end(), [&](const Operation* touch) {
            return touch->op == Op::get || is_at_control_level(*touch);
          });
      if (is_wide && is_set_outside)
        plan_.block_variables.insert(v);
    }
  }

  // Which values are the same in all blocks, and which of the block's variables: those that are set
  // to such values only, to a fixpoint.
  void find_grid_values() {
    std::size_t variables = 0;
    do {
      variables = plan_.block_variables.size();
      grid_values_.clear();
      ir::for_each(kernel_.body, [&](const Operation& operation) {
        if (is_made_of_grid_values(operation))
          grid_values_.insert(&operation);
      });
      ir::for_each(kernel_.body, [&](const Operation& operation) {
        if (operation.op == Op::set && !is_grid_value(*operation.operands[0]))
          plan_.block_variables.erase(operation.variable);
      });
    } while (plan_.block_variables.size() != variables);
  }

  bool is_grid_value(const Operation& operation) const {
    return operation.op == Op::parameter || grid_values_.contains(&operation);
  }

  bool is_made_of_grid_values(const Operation& operation) const {
    if (operation.op == Op::get)
      return plan_.block_variables.contains(operation.variable);
    if (!ir::is_pure(operation.op) || operation.op == Op::block_index ||
        operation.op == Op::shared_array || operation.op == Op::dynamic_shared_array ||
        !is_block_wide(operation, shapes_))
      return false;
    return std::ranges::all_of(
        operation.operands, [&](const Operation* operand) { return is_grid_value(*operand); });
  }

  // Values that control or the block's variables are made of.
  void find_needed(const ir::Region& region) {
    ir::for_each(region, [&](const Operation& operation) {
      const bool is_condition = operation.op == Op::if_ && control_.contains(&operation);
      const bool is_block_set =
          operation.op == Op::set && plan_.block_variables.contains(operation.variable);
      if (is_condition || is_block_set)
        need(*operation.operands[0]);
    });
  }

  void need(const Operation& operation) {
    if (!needed_.insert(&operation).second)
      return;
    for (const Operation* operand : operation.operands) need(*operand);
  }

  bool is_known_to_block(const Operation& operation) const {
    return operation.op == Op::parameter || block_values_.contains(&operation);
  }

  bool can_be_block_value(const Operation& operation) const {
    const bool is_get =
        operation.op == Op::get && plan_.block_variables.contains(operation.variable);
    if (plan_.is_of_grid && !is_grid_value(operation))
      return false;
    const bool is_needed_load =
        (ir::is_load(operation.op) || operation.op == Op::checked_element) &&
        needed_.contains(&operation);
    if (!is_get && !is_needed_load && !is_repeatable(operation.op))
      return false;
    if (operation.op == Op::local_array || !is_block_wide(operation, shapes_))
      return false;
    return std::all_of(
        operation.operands.begin(), operation.operands.end(), [&](const Operation* operand) {
          return is_known_to_block(*operand);
        });
  }

  static void flush(std::vector<Step>& steps, std::vector<const Operation*>& pending) {
    if (pending.empty())
      return;
    steps.push_back({.kind = Step::Kind::warps, .operations = pending, .regions = {}});
    pending.clear();
  }

  bool writes(const std::vector<const Operation*>& pending) const {
    return std::any_of(pending.begin(), pending.end(), [&](const Operation* operation) {
      return nesting_.at(*operation).has_effect;
    });
  }

  static bool touches_variable(
      const std::vector<const Operation*>& pending, ir::VariableId variable) {
    const auto is_touch = [&](const Operation& operation) {
      return (operation.op == Op::get || operation.op == Op::set) && operation.variable == variable;
    };
    return std::any_of(pending.begin(), pending.end(), [&](const Operation* operation) {
      bool found = is_touch(*operation);
      for (const ir::Region& nested : operation->regions)
        ir::for_each(nested, [&](const Operation& inner) { found |= is_touch(inner); });
      return found;
    });
  }

  std::vector<Step> plan_region(const ir::Region& region) {
    std::vector<Step> steps;
    std::vector<const Operation*> pending;
    for (const auto& owned : region) {
      const Operation& operation = *owned;
      if (control_.contains(&operation)) {
        flush(steps, pending);
        steps.push_back(plan_control(operation));
      } else if (operation.op == Op::barrier) {
        flush(steps, pending);
        steps.push_back({.kind = Step::Kind::barrier, .operations = {&operation}, .regions = {}});
      } else if (operation.op == Op::set && plan_.block_variables.contains(operation.variable)) {
        has_failed_ |= !is_known_to_block(*operation.operands[0]);
        // What is pending still means the old value.
        if (touches_variable(pending, operation.variable))
          flush(steps, pending);
        steps.push_back({.kind = Step::Kind::value, .operations = {&operation}, .regions = {}});
      } else if (can_be_block_value(operation)) {
        if (ir::is_load(operation.op) && writes(pending))
          flush(steps, pending);
        block_values_.insert(&operation);
        steps.push_back({.kind = Step::Kind::value, .operations = {&operation}, .regions = {}});
      } else {
        pending.push_back(&operation);
      }
    }
    flush(steps, pending);
    return steps;
  }

  Step plan_control(const Operation& operation) {
    Step step = {.kind = Step::Kind::control, .operations = {&operation}, .regions = {}};
    if (operation.op == Op::if_)
      has_failed_ |= !is_known_to_block(*operation.operands[0]);
    for (const ir::Region& region : operation.regions) step.regions.push_back(plan_region(region));
    return step;
  }

  // Numbers the segments, then finds what crosses from one to another.
  void find_spilled(const std::vector<Step>& steps) {
    number_segments(steps);
    for (const auto& [operation, segment] : segment_of_) {
      for (const Operation* operand : operation->operands) keep_if_foreign(*operand, segment);
    }
    for (ir::VariableId v = 0; v < kernel_.variables.size(); ++v) {
      if (plan_.block_variables.contains(v))
        continue;
      const auto& touches = nesting_.touches(v);
      const bool is_crossing =
          std::any_of(touches.begin(), touches.end(), [&](const Operation* touch) {
            return segment_of_.at(touch) != segment_of_.at(touches.front());
          });
      // A segment in a loop meets its own variables again.
      if (is_crossing || (!touches.empty() && is_carried(v)))
        plan_.spilled_variables.insert(v);
    }
  }

  // True if the variable may be read before it is set in a pass through its only segment.
  bool is_carried(ir::VariableId variable) const {
    const Operation& first = *nesting_.touches(variable).front();
    return first.op != Op::set || !is_at_control_level(first);
  }

  void keep_if_foreign(const Operation& operand, unsigned segment) {
    if (is_known_to_block(operand))
      return;
    if (is_recomputed(operand, shapes_)) {
      for (const Operation* source : operand.operands) keep_if_foreign(*source, segment);
      return;
    }
    if (segment_of_.at(&operand) == segment)
      return;
    plan_.spilled_values.insert(&operand);
    if (const Operation* affine = affine_before_wrap(operand, shapes_))
      keep_if_foreign(*affine, segment);
  }

  void number_segments(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      if (step.kind == Step::Kind::warps) {
        ++segments_;
        for (const Operation* operation : step.operations) number(*operation);
      }
      for (const auto& region : step.regions) number_segments(region);
    }
  }

  void number(const Operation& operation) {
    segment_of_[&operation] = segments_;
    for (const ir::Region& region : operation.regions) {
      for (const auto& nested : region) number(*nested);
    }
  }

  const ir::Function& kernel_;
  const FunctionShapes& shapes_;
  const Nesting& nesting_;
  FissionPlan plan_;
  std::unordered_set<const Operation*> control_;
  std::unordered_set<const Operation*> needed_;
  std::unordered_set<const Operation*> block_values_;
  std::unordered_set<const Operation*> grid_values_;
  std::unordered_map<const Operation*, unsigned> segment_of_;
  unsigned segments_ = 0;
  bool has_failed_ = false;
};

}  // namespace

bool is_recomputed(const Operation& operation, const FunctionShapes& shapes) {
  if (operation.op == Op::thread_index || operation.op == Op::local_array)
    return true;
  if (!is_repeatable(operation.op))
    return false;
  const Shapes& components = shapes.of(operation);
  return std::all_of(components.begin(), components.end(), [](const Shape& shape) {
    return shape.uniformity != Uniformity::varying;
  });
}

const Operation* affine_before_wrap(const Operation& operation, const FunctionShapes& shapes) {
  if (operation.op != Op::wrap_index)
    return nullptr;
  const Operation* affine = operation.operands[0];
  return shapes.of(*affine, 0).uniformity == Uniformity::varying ? nullptr : affine;
}

std::optional<FissionPlan> plan_fission(
    const ir::Function& kernel, const FunctionShapes& shapes, bool interchanges) {
  return Planner(kernel, shapes).run(interchanges);
}

std::optional<FissionPlan> plan_grid_fission(
    const ir::Function& kernel,
    const FunctionShapes& shapes,
    const std::unordered_set<const Operation*>& loops) {
  return Planner(kernel, shapes).run_for_grid(loops);
}

}  // namespace phalanx::codegen::cpu
