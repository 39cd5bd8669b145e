// Universal functions of arrays and numbers, typed as NumPy types them (NEP 50).
#pragma once

#include <complex>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "phalanx/arrays/array.h"
#include "phalanx/base/export.h"
#include "phalanx/infer/ufuncs.h"
#include "phalanx/numpy/promotion.h"

namespace phalanx::arrays {

// An int beyond int64, as Python has them.
struct LargeInteger {
  double value = 0;                    // the nearest, or an infinity
  std::optional<std::uint64_t> exact;  // where it is one
  std::string text;
};

// An operand of a function: an array, or a number that takes the precision of what it meets. What
// is in an expression becomes one by itself.
struct PHX_API Operand {
  // NOLINTBEGIN(google-explicit-constructor)
  Operand(const Array& array) : graph(&array.graph()), node(array.value()), type{array.dtype()} {}
  template <std::same_as<bool> Bool>
  Operand(Bool value) : number(value), type{DType::boolean} {}
  template <std::signed_integral Integer>
  Operand(Integer value) : number(std::int64_t{value}), type{DType::int64, true} {}
  Operand(double value) : number(value), type{DType::float64, true} {}
  Operand(const std::complex<double>& value) : number(value), type{DType::complex128, true} {}
  // NOLINTEND(google-explicit-constructor)
  explicit Operand(LargeInteger value)
      : number(value.value),
        type{DType::int64, true},
        large(std::make_shared<const LargeInteger>(std::move(value))) {}

  Graph* graph = nullptr;  // of the array
  NodePtr node;            // null: a number
  std::optional<ir::Constant> number = {};
  numpy::Operand type = {};
  std::shared_ptr<const LargeInteger> large = {};
};

// The function of these operands, recorded; numbers become operands of the loop's type. Throws
// TypeError where the ufunc has no such loop, ShapeError, and OverflowError for an int that its
// type does not hold, unless it is compared. The operands' nodes are taken.
PHX_API NodePtr apply(Graph& graph, const infer::Ufunc& ufunc, std::span<Operand> operands);

// Throws OverflowError unless the integer type holds the value.
PHX_API void check_range(const ir::Constant& value, DType dtype);

}  // namespace phalanx::arrays
