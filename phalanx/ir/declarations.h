// Functions that one module declares and another defines: how their signatures fit.
#pragma once

#include <string>

#include "phalanx/base/export.h"
#include "phalanx/ir/ir.h"

namespace phalanx::ir {

// For messages: `float32 f(float32, pointer to int32)`.
PHX_API std::string declaration_of(const Function& function, const std::string& name);

// Gives an external function a body, which calls `definition`, with values converted where the two
// have other names for the same bits: integers fit by their size, structs by their members, complex
// numbers as structs of two, what pointers lead to by its layout. Returns what does not fit; ""
// where all does. A function with problems stays as it was.
PHX_API std::string define_by(Function& declared, Function& definition);

}  // namespace phalanx::ir
