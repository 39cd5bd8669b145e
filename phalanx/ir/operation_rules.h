// What each operation asks of its operands, attributes and type; private to the verifier.
#pragma once

#include <string>

#include "phalanx/ir/ir.h"

namespace phalanx::ir {

// The rule that the operation breaks, as a sentence; empty if it keeps them all. Looks at the
// operation alone: where it is, is the verifier's affair.
std::string broken_rule(const Module& module, const Function& function, const Operation& operation);

// The same of a type: whether the elements of arrays, pointers and records can lie in memory.
std::string broken_rule(const Type& type);

}  // namespace phalanx::ir
