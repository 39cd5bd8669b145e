// Arithmetic of the interpreter on the words of one scalar; private to it.
#pragma once

#include <cstdint>
#include <optional>

#include "phalanx/base/dtype.h"
#include "phalanx/ir/op.h"

namespace phalanx::test {

// Integers and bools.
std::uint64_t integer(ir::Op op, DType dtype, std::uint64_t a, std::uint64_t b);

// Floats that are held as doubles, and a test's 0 or 1.
std::uint64_t floating(ir::Op op, DType dtype, double a, double b, double c);

double rounded(double value, DType dtype);

[[noreturn]] void fail(ir::Op op, DType dtype);  // there is no such operation

// Nothing where `op` compares nothing.
template <typename T>
std::optional<bool> comparison(ir::Op op, T a, T b) {
  switch (op) {
    case ir::Op::equal:
      return a == b;
    case ir::Op::not_equal:
      return a != b;
    case ir::Op::less:
      return a < b;
    case ir::Op::less_equal:
      return a <= b;
    case ir::Op::greater:
      return a > b;
    case ir::Op::greater_equal:
      return a >= b;
    default:
      return std::nullopt;
  }
}

}  // namespace phalanx::test
