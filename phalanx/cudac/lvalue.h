// Where a value of C lies, as clang calls it too.
#pragma once

#include <vector>

#include <clang/AST/Type.h>

#include "phalanx/ir/ir.h"

namespace phalanx::cudac {

struct LValue {
  enum class Kind {
    variable,  // of the function
    memory,    // where a pointer leads
    element,   // of an array, with indices for some of its dimensions
    bits,      // of the number where a pointer leads: a bit-field
  };
  Kind kind = Kind::memory;
  clang::QualType type = {};  // of what lies there
  ir::VariableId variable = 0;
  ir::Operation* value = nullptr;  // the pointer, the array, the tuple
  std::vector<ir::Operation*> indices = {};
  unsigned first_bit = 0;
  unsigned bit_count = 0;
};

}  // namespace phalanx::cudac
