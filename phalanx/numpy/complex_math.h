// Functions of complex numbers, made of operations on their parts.
#pragma once

#include <optional>
#include <string_view>

#include "phalanx/numpy/arithmetic.h"

namespace phalanx::numpy {

// `name` without its module: "tanh", "arcsin" or "asin", "log10"; of two numbers the comparisons,
// which go by the real part, then by the imaginary one, and the extremes by that order. The
// operands are complex numbers of one type. Nothing when there is no such function.
//
// The inverse functions are Kahan's ("Branch cuts for complex elementary functions", 1987), as in
// CPython's cmathmodule.c.
std::optional<Value> complex_function(
    ir::Builder& builder, std::string_view name, const Values& operands);

}  // namespace phalanx::numpy
