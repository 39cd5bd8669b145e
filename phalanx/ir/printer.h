// The IR as text that `parse` reads back: same text in, same text out, on every machine.
#pragma once

#include <string>

#include "phalanx/ir/ir.h"

namespace phalanx::ir {

std::string print(const Module& module);
std::string print(const Function& function);

// One operation of the function, named as in the function's text, without its regions.
std::string print(const Function& function, const Operation& operation);

}  // namespace phalanx::ir
