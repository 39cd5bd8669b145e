// What all functions of one PTX compilation share: the LLVM module and what was found on the way.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <llvm/IR/Module.h>

#include "phalanx/codegen/codegen.h"
#include "phalanx/codegen/llvm/line_info.h"
#include "phalanx/codegen/llvm/lower_types.h"
#include "phalanx/codegen/nvptx/libdevice.h"
#include "phalanx/ir/ir.h"

namespace phalanx::codegen::nvptx {

struct ModuleState {
  ModuleState(
      llvm::Module& module_in,
      const ir::Module& source_in,
      const Target& target_in,
      const Options& options_in)
      : module(module_in),
        source(source_in),
        target(target_in),
        options(options_in),
        math(module_in, options_in.fastmath.has(FastFlag::afn)) {
    const bool is_full = options.debug && options.optimization == 0;
    if (options.lineinfo || is_full)
      lines.emplace(module_in, is_full ? LineDetail::full : LineDetail::directives);
  }

  llvm::Module& module;
  const ir::Module& source;
  const Target& target;
  const Options& options;
  LibdeviceMath math;
  std::optional<LineInfo> lines;  // where the options ask for them

  std::map<const ir::Function*, llvm::Function*> functions;
  std::map<std::int64_t, llvm::GlobalVariable*> constants;  // by their number in the IR's module
  std::vector<FaultSite> fault_sites;
  std::size_t further_shared_bytes = 0;                      // beside the IR's fixed arrays
  std::map<const ir::Operation*, std::size_t> moved_shared;  // offsets
  std::size_t moved_shared_bytes = 0;  // of those that lie in dynamic memory, where they have to
  std::size_t launch_alignment = 16;   // of dynamic memory, and of the user's part of it
  bool uses_print = false;
};

// The IR's name as PTX allows names: letters, digits, `_`, `$`, not beginning with a digit.
std::string ptx_name(std::string_view name);

// The bytes of all fixed arrays in the module.
std::size_t fixed_shared_bytes(const ir::Module& module);

// Declares all functions, then defines them.
void emit_functions(ModuleState& state);

// Global variables of the module.
llvm::Constant* shared_array_of(ModuleState& state, const ir::Operation& array);
llvm::Constant* dynamic_shared_memory(ModuleState& state);
llvm::Constant* constant_array_of(ModuleState& state, std::int64_t index);
llvm::Constant* global_array_of(ModuleState& state, std::int64_t index);
llvm::GlobalVariable* error_log(ModuleState& state);  // base/cpu_kernel.h's ErrorLog
// A word for each warp of the block: its lanes that came to the kernel's end.
llvm::GlobalVariable* lanes_at_end(ModuleState& state);
// At least `bytes` of unused memory, in a PTX state space.
llvm::GlobalVariable* sink_global(ModuleState& state, unsigned space, std::size_t bytes);

}  // namespace phalanx::codegen::nvptx
