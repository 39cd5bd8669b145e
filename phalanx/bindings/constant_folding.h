// Constant expressions of numbers, computed by Python itself: `10**-6`, `2**64 - 1`.
#pragma once

#include <nanobind/nanobind.h>

#include "phalanx/frontend/tree.h"

namespace phalanx::bindings {

struct Folded {
  nanobind::object value = {};
  bool is_too_wide = false;  // an integer too wide to be computed, which no type holds
  explicit operator bool() const { return value.is_valid() || is_too_wide; }
};

// The value of the operator, where its operands are numbers known now; false where they are not, or
// where Python raises an error.
Folded fold(const frontend::tree::Binary& node);
Folded fold(const frontend::tree::Unary& node);
Folded fold(const frontend::tree::Subscript& node);  // of a tuple of such numbers

}  // namespace phalanx::bindings
