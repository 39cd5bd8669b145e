// What all functions of one compilation share: the sources, the options, and what plans decided.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <llvm/IR/Module.h>

#include "phalanx/codegen/codegen.h"
#include "phalanx/codegen/cpu/alias_scopes.h"
#include "phalanx/codegen/cpu/launch_state.h"
#include "phalanx/codegen/cpu/memory_plan.h"
#include "phalanx/codegen/cpu/shadow_plan.h"
#include "phalanx/codegen/cpu/source_lines.h"
#include "phalanx/codegen/llvm/emit_op.h"

namespace llvm {
class TargetMachine;
}

namespace phalanx::codegen::cpu {

struct Compilation {
  const ir::Module& source;
  llvm::Module& module;
  AliasScopes alias;
  MathLibrary& math;
  const Target& target;
  llvm::TargetMachine* machine;
  const Options& options;
  const CpuVariant& variant;
  const ir::Function& kernel;
  MemoryPlan plan = {};
  bool is_for_block = false;  // the code is for blocks of the variant's extents only
  // The grid-stride loops of the kernel's copy that is compiled (grid_loops.h); may be empty.
  std::unordered_set<const ir::Operation*> grid_loops = {};
  std::unordered_set<const ir::Operation*> grid_guards = {};
  std::uint64_t interleaved_warp_bytes =
      0;  // scratch of a warp where many blocks run together; else 0
  ShadowPlan shadow = {};
  std::vector<FaultSite> fault_sites = {};
  std::unordered_map<const ir::Operation*, std::uint32_t> site_numbers = {};
  bool converts_small_floats = false;  // see OpEmitter
  std::unordered_map<const ir::Function*, llvm::Function*> device_functions = {};
  std::vector<const ir::Function*> undefined_functions = {};  // declared only
  std::unordered_map<const ir::Function*, llvm::Function*> parallel_bodies = {};
  std::vector<const ir::Function*> undefined_bodies = {};
  SourceLines* lines = nullptr;  // where the options ask for them

  SharedLayout shared_layout() const {
    SharedLayout layout = {
        .static_bytes = plan.shared_bytes, .has_dynamic = plan.has_dynamic_shared, .granule = {}};
    if (shadow.has_shadow)
      layout.granule = shadow.shared_granule;
    return layout;
  }
};

}  // namespace phalanx::codegen::cpu
