// Linear forms (the sums of LLVM's ScalarEvolution): integer values as sums of other
// values: 2 * i - n + 3. Arithmetic is assumed not to overflow.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>

#include "phalanx/ir/ir.h"

namespace phalanx::passes {

// From `low` to `high`, both included; the ends of int64 mean "no bound".
struct Interval {
  static constexpr std::int64_t none_low = std::numeric_limits<std::int64_t>::min();
  static constexpr std::int64_t none_high = std::numeric_limits<std::int64_t>::max();

  std::int64_t low = none_low;
  std::int64_t high = none_high;

  bool is_natural() const { return low >= 0; }
};

// Sums and products that keep "no bound" and never wrap.
Interval operator+(Interval a, Interval b);
Interval operator*(Interval a, Interval b);
Interval united(Interval a, Interval b);
Interval intersected(Interval a, Interval b);

// What the type alone tells: unsigned integers are not negative.
Interval range_of(DType dtype);

struct Linear {
  // Keyed by address, which orders the terms for comparing only.
  std::map<const ir::Operation*, std::int64_t> terms;
  std::int64_t constant = 0;

  void add(const Linear& other, std::int64_t factor);
};

// True if the type's values are numbers that int64 holds.
bool is_linear_type(const ir::Type& type);

// The value seen through additions, subtractions, constant factors and widening casts.
Linear linear_form(const ir::Operation* value);

}  // namespace phalanx::passes
