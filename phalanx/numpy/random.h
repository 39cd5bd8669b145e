// Random numbers as functions of an element's number and a key, the same on all devices, so that
// they fuse with what is computed of them and nothing is stored. docs/decisions/0063.
#pragma once

#include <string_view>

#include "phalanx/base/export.h"
#include "phalanx/numpy/typed_function.h"

namespace phalanx::numpy {

// Their first operands are the element's number, an int64, and the key, a uint64; a third one is
// the distribution's parameter. The elements of one function and key are independent of each other
// and of those of all other functions:
//
//     words                    64 random bits
//     random                   uniform on [0, 1), of 53 bits
//     normal, exponential      of mean 0 and deviation 1, of mean 1
//     cauchy                   of location 0 and scale 1
//     gamma                    of that shape and scale 1
//     log_gamma                the logarithm of such a one, which is below the format less often
//     integers                 uniform below the parameter, 0 meaning 2^64
//     poisson                  of that mean
//     binomial                 of `real` trials of probability `imag`, which is at most 1/2
//     geometric                trials until the first success, of that probability
//     logseries, zipf          of that parameter
//
// Names with _single have float32 in the place of float64. `exp`, `expm1` and `log` of one number
// are those of portable_math.h.
PHX_API const TypedFunction* find_draw(std::string_view name);

}  // namespace phalanx::numpy
