// Linking of modules (as LLVM's IR linker): the functions that one declares and another exports.
#pragma once

#include <memory>
#include <vector>

#include "phalanx/base/export.h"
#include "phalanx/ir/ir.h"

namespace phalanx::ir {

// Gives the external functions of `module` the bodies of the functions that one of `others` exports
// by the same name, and so on for what these call. A module comes whole, with its globals, but
// without its kernels, and only where somebody calls it. Afterwards nothing is exported; external
// functions that nobody exports are left. Throws CompileError, which names both, for two functions
// of one name and for signatures that do not fit; nothing is changed then.
PHX_API void link(Module& module, const std::vector<std::shared_ptr<const Module>>& others);

}  // namespace phalanx::ir
