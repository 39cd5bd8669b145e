// Functions of float32 and float64 whose results have the same bits on all devices: made of
// operations that IEEE 754 rounds, with the fused multiply-adds written out. For random numbers,
// which are the same everywhere; an error of two units in the last place is none there.
#pragma once

#include "phalanx/base/export.h"
#include "phalanx/numpy/arithmetic.h"

namespace phalanx::numpy {

// The natural logarithm; x is a normal number above 0, or 0, which gives that of 2^-1023.
PHX_API Value portable_log(ir::Builder& builder, Value x);
// log(1 + x), exact near 0; of x > -1.
PHX_API Value portable_log1p(ir::Builder& builder, Value x);
// exp(x) - 1, exact near 0.
PHX_API Value portable_expm1(ir::Builder& builder, Value x);
// Infinite beyond the format, 0 where the result would be below its normal numbers. Of NaN NaN.
PHX_API Value portable_exp(ir::Builder& builder, Value x);
// cos(2 pi (u - quarters / 4)) for 0 <= u <= 1, and an int64 from 0 to 3.
PHX_API Value portable_cos_of_turns(ir::Builder& builder, Value u, Value quarters);
// What Stirling's formula lacks of log(k!), for a whole number k >= 0 in float64:
// log(k!) - ((k + 1/2) log(k + 1) - (k + 1) + log(2 pi) / 2).
PHX_API Value portable_stirling_rest(ir::Builder& builder, Value k);

}  // namespace phalanx::numpy
