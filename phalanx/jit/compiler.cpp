#include "phalanx/jit/compiler.h"

#include "phalanx/codegen/grid_position.h"
#include "phalanx/passes/pipeline.h"

namespace phalanx::jit {

Compiler Compiler::standard() {
  return {
      .run_passes = passes::run_standard,
      .needs_full_warp = codegen::needs_full_warp,
      .find_lane_axis = codegen::find_lane_axis,
      .host_target = codegen::host_target,
      .cuda_target = codegen::cuda_target,
      .compile_cpu = codegen::compile_cpu,
      .compile_ptx = codegen::compile_ptx,
  };
}

}  // namespace phalanx::jit
