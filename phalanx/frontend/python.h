// Python functions to IR: the front end's entry.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "phalanx/frontend/environment.h"
#include "phalanx/ir/ir.h"

namespace phalanx::frontend {

struct Options {
  bool debug = false;  // keep assert and raise
  ir::FunctionKind kind = ir::FunctionKind::kernel;
};

struct CompiledModule {
  std::unique_ptr<ir::Module> module;
  ir::Function* function = nullptr;  // the one that was asked for
  ir::Type result;                   // none for a kernel
};

// Compiles `function` for arguments of these types. An argument of type none is Python's None.
// A named tuple is typed as one. Throws CompileError with the whole message.
CompiledModule compile(
    const FunctionSource& function, const std::vector<ir::Type>& arguments, const Options& options);

}  // namespace phalanx::frontend
