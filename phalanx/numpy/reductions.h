// What NumPy's reductions compute of each element, as operations of the IR. How the elements are
// gone through is the front end's: it keeps a state of a few numbers for each of its loops, lanes
// or threads, and joins the states at last.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "phalanx/numpy/arithmetic.h"

namespace phalanx::numpy {

// Sums of bool and integers are of 64 bits; the result has any other type, or `given`.
DType type_of_sum(DType element, std::optional<DType> given = {});
// What a mean is computed in: a sum of whole numbers or small floats would not fit their own type.
DType type_of_mean(DType element);

class Reduction {
 public:
  // "sum", "prod", "min", "max" ("amin", "amax"), "argmin", "argmax", "any", "all",
  // "bitwise_and", "bitwise_or", "bitwise_xor" of elements of that type, and "time_sum",
  // "time_max", "time_argmax" of counts with NaT, and "squares" of floats: the sum of the squared
  // distances from their mean. `dtype` is what a sum, product or squares are computed in.
  // Nothing where there is none: NumPy's order of complex numbers is not built.
  static std::optional<Reduction> find(
      std::string_view name, DType element, std::optional<DType> dtype = {});

  // The types of the state's numbers; the result is of the last one's.
  std::vector<DType> state() const;
  // The state of no elements: each of its numbers. Extremes have none: they begin with the state of
  // the first element.
  std::optional<ir::Constant> identity() const;
  // The state of one element, and with one more. `index` (int64) counts for positions alone: those
  // of equal elements are the first, and a NaN counts as the extreme.
  Values first(ir::Builder& builder, Value element, Value index) const;
  Values step(ir::Builder& builder, const Values& state, Value element, Value index) const;
  // That of the elements of both. Sums may differ by their order, positions do not.
  Values join(ir::Builder& builder, const Values& left, const Values& right) const;
  Value result(ir::Builder& builder, const Values& state) const;
  // The same state in the form that loses least when many are joined.
  Values settled(ir::Builder& builder, const Values& state) const;
  // True if states tell indices: those of parts cannot be joined by who does not know where they
  // begin.
  bool is_of_positions() const { return kind_ == Kind::position; }

 private:
  enum class Kind : std::uint8_t { fold, truth, position, squares };

  Reduction(Kind kind, ir::Op op, DType dtype) : kind_(kind), op_(op), dtype_(dtype) {}

  Value is_better(const Arithmetic& in, Value later, Value earlier) const;
  Values chosen(ir::Builder& builder, Value condition, const Values& a, const Values& b) const;

  Kind kind_;
  ir::Op op_;  // that joins two; of positions the comparison that the better one passes
  DType dtype_;
  bool has_nat_ = false;
};

}  // namespace phalanx::numpy
