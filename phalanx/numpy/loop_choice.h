// Which of its loops a call of a user's ufunc takes. Those of NumPy's own ufuncs: promotion.h.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "phalanx/ir/types.h"

namespace phalanx::numpy {

// What is known of an input: the type of an array's elements, or that of a number.
struct Argument {
  std::optional<ir::Type> type;  // nothing: one that no kernel has, which no loop takes
  bool is_number = false;
  bool is_weak = false;  // a number of Python's: int64, float64 or complex128
};
// The types of a loop's inputs.
using LoopInputs = std::vector<ir::Type>;

// The first loop with just these types; else the first that each argument converts to without loss,
// where Python's numbers fit every type of their kind and above; else the first that only numbers,
// not arrays, must be rounded for. Nothing where there is none. NumPy's ufuncs have the second rule
// alone, which is enough where loops are in the order of their types; a user's are in any.
std::optional<std::size_t> choose_loop(
    std::span<const LoopInputs> loops, std::span<const Argument> arguments);

}  // namespace phalanx::numpy
