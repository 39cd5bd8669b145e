// The compiler's stages as a table, so that tests can replace them.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "phalanx/base/binary.h"
#include "phalanx/base/export.h"
#include "phalanx/base/target.h"
#include "phalanx/codegen/codegen.h"
#include "phalanx/ir/ir.h"

namespace phalanx::jit {

struct PHX_API Compiler {
  std::function<void(ir::Module&, Checks)> run_passes;
  std::function<bool(const ir::Module&)> needs_full_warp;
  std::function<std::optional<unsigned>(const ir::Module&, unsigned axes)> find_lane_axis;
  std::function<Target(DeviceKind, unsigned compute_capability)> target_of;
  // Targets of shipped code that a target runs, the best first.
  std::function<std::vector<Target>(const Target& host)> common_targets_for;
  std::function<Binary(
      const ir::Module&, const Target&, const codegen::Options&, const codegen::CpuVariant&)>
      compile;

  static Compiler standard();
};

}  // namespace phalanx::jit
