// Finds our own mistakes: IR that breaks the rules of ir.h and of the operation tables.
#pragma once

#include <stdexcept>

#include "phalanx/base/export.h"
#include "phalanx/ir/ir.h"

namespace phalanx::ir {

// A bug of ours, not of the user: names the function, the operation and the rule.
class PHX_API VerifyError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

PHX_API void verify(const Module& module);

}  // namespace phalanx::ir
