// Loop fission at barriers (MCUDA: Stratton, Stone and Hwu, 2008): which code runs warp after warp
// between two barriers, what runs once for the block around it, and which values need spill slots.
#pragma once

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "phalanx/codegen/cpu/shapes.h"

namespace phalanx::codegen::cpu {

struct Step {
  enum class Kind : std::uint8_t {
    warps,    // `operations`, for each warp
    value,    // one operation that the whole block agrees on
    control,  // an if, loop, block or jump that all threads take together
    barrier,  // nothing but where it stood
  };
  Kind kind = Kind::warps;
  std::vector<const ir::Operation*> operations;  // value, control, barrier: one
  std::vector<std::vector<Step>> regions;        // control: of the structured operation
};

// Calls visit for each operation of the step, nested ones too.
template <typename Visitor>
void for_each_operation(const Step& step, const Visitor& visit) {
  for (const ir::Operation* operation : step.operations) {
    visit(*operation);
    for (const ir::Region& region : operation->regions) ir::for_each(region, visit);
  }
}

struct FissionPlan {
  std::vector<Step> steps;
  // Values and variables live across barriers: each warp has spill slots for them.
  std::unordered_set<const ir::Operation*> spilled_values;
  std::unordered_set<ir::VariableId> spilled_variables;
  // Variables that belong to the block: all set outside of the segments.
  std::unordered_set<ir::VariableId> block_variables;
  // Loops without a barrier that the block runs as one: see plan_fission.
  std::unordered_set<const ir::Operation*> interchanged;
  // Control and the block's values are those of the whole grid: many blocks may run it together.
  bool is_of_grid = false;
};

// Nothing if the barriers are where threads may diverge, or where control depends on what only a
// warp's code can find out.
//
// `interchanges`: a loop over what other threads have put into shared memory, inside of a loop with
// a barrier, becomes the block's too, so that each of its passes runs all warps. That pays only
// where the warps' values stay in registers from pass to pass.
std::optional<FissionPlan> plan_fission(
    const ir::Function& kernel, const FunctionShapes& shapes, bool interchanges);

// The same for many blocks at once, which the grid's control leads: `loops` (grid_loops.h) are
// passed through pass by pass, each by all of the blocks.
std::optional<FissionPlan> plan_grid_fission(
    const ir::Function& kernel,
    const FunctionShapes& shapes,
    const std::unordered_set<const ir::Operation*>& loops);

// True if the operation yields the same values however often and wherever in a segment it is
// computed.
bool is_repeatable(ir::Op op);

// Rematerialisation: true if a few scalar instructions compute the value again, without a spill.
bool is_recomputed(const ir::Operation& operation, const FunctionShapes& shapes);

// What a wrapped index is made of, where that is affine: accesses look at it
// (speculative_indices.cpp), also in other segments than the index's own. Null otherwise.
const ir::Operation* affine_before_wrap(
    const ir::Operation& operation, const FunctionShapes& shapes);

}  // namespace phalanx::codegen::cpu
