// The parts of the table of special.h.
#pragma once

#include <span>

#include "phalanx/numpy/typed_function.h"

namespace phalanx::numpy {

// j0, j1, y0, y1, i0, i0e, i1, i1e, k0, k0e, k1, k1e.
std::span<const TypedFunction> bessel_functions();
// gammainc and gammaincc (a, x); betainc and betaincc (a, b, x or x - 1); beta, betaln and binom.
std::span<const TypedFunction> incomplete_functions();
// exp1, expi, erfcx, si and ci.
std::span<const TypedFunction> integral_functions();

// The function of float32, computed in float64.
template <Value (*function)(ir::Builder& builder, const Values& operands)>
Value single(ir::Builder& builder, const Values& operands) {
  Values wide;
  for (const Value each : operands) wide.push_back(builder.cast(each, DType::float64));
  return builder.cast(function(builder, wide), DType::float32);
}

}  // namespace phalanx::numpy
