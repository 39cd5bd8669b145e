// Expressions that evaluate only some of their operands, and conditions.
#pragma once

#include <functional>
#include <vector>

#include "phalanx/frontend/python/walker.h"

namespace phalanx::frontend::python {

class ShortCircuit {
 public:
  using Emission = std::function<Value()>;

  explicit ShortCircuit(Walker& walker) : walker_(walker), walk_(walker.walk()) {}

  // A truth value; `and`, `or` and `not` inside stay short-circuit.
  Value condition(const tree::Expression& expression);
  // `and`, `or`: the value of the operands from `first` on.
  Value operand(const std::vector<tree::ExpressionPtr>& operands, std::size_t first, bool is_and);
  // The comparisons from `first` on, where `left` is what the first of them compares.
  Value chain(const tree::Compare& node, std::size_t first, const Value& left);
  Value choose(const Value& condition, const Emission& then, const Emission& otherwise);

 private:
  Value condition_of(const std::vector<const tree::Expression*>& operands, bool is_and);
  Value possible(const Emission& emission);

  Walker& walker_;
  Walk& walk_;
};

}  // namespace phalanx::frontend::python
