// A program as people write it, for explain().
#pragma once

#include <string>

#include "phalanx/arrays/program.h"
#include "phalanx/arrays/reduce_kernel.h"
#include "phalanx/arrays/scan_kernel.h"
#include "phalanx/arrays/scatter_kernel.h"

namespace phalanx::arrays {

// The results, as `a * 2.5 + sin(b)`: operands are letters in the order in which they are read,
// what is used several times has a name of its own (`t = exp(a); t / (t + 1)`), kernels get numbers
// as parameters, so that without `values` they are called `n0`, `n1`.
std::string to_text(const Program& program, bool with_values);
// As `sum(a * b, axis=0)`; kernels, of which one serves for several axes, without them.
std::string to_text(const Folding& folding, bool with_values);
// As `sum.accumulate(a * b, axis=0)`.
std::string to_text(const Scanning& scanning, bool with_values);
// As `add.at(i * 8, b)`, of the places in bytes; of values that are stored `put(i * 8, b)`.
std::string to_text(const Scattering& scattering, bool with_values);

}  // namespace phalanx::arrays
