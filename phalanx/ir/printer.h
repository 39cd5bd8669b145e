// The IR as text that `parse` reads back: same text in, same text out, on every machine.
#pragma once

#include <string>

#include "phalanx/base/export.h"
#include "phalanx/ir/ir.h"

namespace phalanx::ir {

PHX_API std::string print(const Module& module);
PHX_API std::string print(const Function& function);

// One operation of the function, named as in the function's text, without its regions.
PHX_API std::string print(const Function& function, const Operation& operation);

}  // namespace phalanx::ir
