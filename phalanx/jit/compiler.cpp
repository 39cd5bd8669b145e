#include "phalanx/jit/compiler.h"

#include "phalanx/codegen/grid_position.h"
#include "phalanx/codegen/module_facts.h"
#include "phalanx/passes/pipeline.h"

namespace phalanx::jit {

Compiler Compiler::standard() {
  return {
      .run_passes = passes::run_standard,
      .needs_full_warp = codegen::needs_full_warp,
      .find_lane_axis = codegen::find_lane_axis,
      .target_of = codegen::target_of,
      .common_targets_for = codegen::common_targets_for,
      .compile = codegen::compile,
  };
}

}  // namespace phalanx::jit
