// A float64 of emitted code, with C++'s operators, so that formulas read as formulas.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "phalanx/numpy/arithmetic.h"

namespace phalanx::numpy {

class Condition {
 public:
  Condition(const Arithmetic& floats, Value value) : floats_(floats), value_(value) {}
  const Arithmetic& floats() const { return floats_; }
  Value value() const { return value_; }

 private:
  Arithmetic floats_;
  Value value_;
};

class Real {
 public:
  Real(const Arithmetic& floats, Value value) : floats_(floats), value_(value) {}
  const Arithmetic& floats() const { return floats_; }
  Value value() const { return value_; }
  ir::Builder& builder() const { return floats_.builder(); }

  Real number(double constant) const { return {floats_, floats_.number(constant)}; }
  // An operation of the table.
  Real call(ir::Op op) const { return {floats_, builder().elementwise(op, {value_})}; }
  Real call(ir::Op op, const Real& other) const {
    return {floats_, builder().elementwise(op, {value_, other.value_})};
  }
  Condition compare(ir::Op op, const Real& other) const {
    return {floats_, floats_(op, value_, other.value_)};
  }
  Condition isnan() const { return {floats_, builder().elementwise(ir::Op::isnan, {value_})}; }

 private:
  Arithmetic floats_;
  Value value_;
};

inline Real combine(ir::Op op, const Real& a, const Real& b) {
  return {a.floats(), a.floats()(op, a.value(), b.value())};
}
inline Real operator+(const Real& a, const Real& b) { return combine(ir::Op::add, a, b); }
inline Real operator-(const Real& a, const Real& b) { return combine(ir::Op::subtract, a, b); }
inline Real operator*(const Real& a, const Real& b) { return combine(ir::Op::multiply, a, b); }
inline Real operator/(const Real& a, const Real& b) { return combine(ir::Op::true_divide, a, b); }
inline Real operator+(const Real& a, double b) { return a + a.number(b); }
inline Real operator-(const Real& a, double b) { return a - a.number(b); }
inline Real operator*(const Real& a, double b) { return a * a.number(b); }
inline Real operator/(const Real& a, double b) { return a / a.number(b); }
inline Real operator+(double a, const Real& b) { return b.number(a) + b; }
inline Real operator-(double a, const Real& b) { return b.number(a) - b; }
inline Real operator*(double a, const Real& b) { return b.number(a) * b; }
inline Real operator/(double a, const Real& b) { return b.number(a) / b; }
inline Real operator-(const Real& a) {
  return {a.floats(), a.floats()(ir::Op::negative, a.value())};
}

inline Condition operator<(const Real& a, const Real& b) { return a.compare(ir::Op::less, b); }
inline Condition operator<=(const Real& a, const Real& b) {
  return a.compare(ir::Op::less_equal, b);
}
inline Condition operator==(const Real& a, const Real& b) { return a.compare(ir::Op::equal, b); }
inline Condition operator<(const Real& a, double b) { return a < a.number(b); }
inline Condition operator<=(const Real& a, double b) { return a <= a.number(b); }
inline Condition operator==(const Real& a, double b) { return a == a.number(b); }
inline Condition operator>(const Real& a, double b) { return a.number(b) < a; }
inline Condition operator>=(const Real& a, double b) { return a.number(b) <= a; }

// Both sides are computed, unlike those of C++'s operators.
inline Condition both(const Condition& a, const Condition& b) {
  return {a.floats(), a.floats().both(a.value(), b.value())};
}
inline Condition either(const Condition& a, const Condition& b) {
  return {a.floats(), a.floats().either(a.value(), b.value())};
}
inline Condition operator!(const Condition& a) {
  return {a.floats(), a.floats().negation(a.value())};
}

inline Real select(const Condition& condition, const Real& then, const Real& otherwise) {
  return {then.floats(), then.floats().select(condition.value(), then.value(), otherwise.value())};
}
inline Real select(const Condition& condition, const Real& then, double otherwise) {
  return select(condition, then, then.number(otherwise));
}
inline Real select(const Condition& condition, double then, const Real& otherwise) {
  return select(condition, otherwise.number(then), otherwise);
}

inline Real absolute(const Real& x) { return x.call(ir::Op::absolute); }
inline Real sqrt(const Real& x) { return x.call(ir::Op::sqrt); }
inline Real exp(const Real& x) { return x.call(ir::Op::exp); }
inline Real log(const Real& x) { return x.call(ir::Op::log); }
inline Real power(const Real& x, const Real& y) { return x.call(ir::Op::power, y); }
inline Real copysign(const Real& x, const Real& y) { return x.call(ir::Op::copysign, y); }

inline Real polynomial(const Real& x, std::span<const double> coefficients) {
  Real sum = x.number(coefficients.back());
  for (std::size_t i = coefficients.size() - 1; i-- > 0;) sum = sum * x + coefficients[i];
  return sum;
}
inline Real quotient(const Real& x, std::span<const double> above, std::span<const double> below) {
  return polynomial(x, above) / polynomial(x, below);
}

// The value that the branch for the condition makes; only that one is computed.
template <typename Then, typename Otherwise>
Real branch(const Condition& condition, const Then& then, const Otherwise& otherwise) {
  ir::Builder& builder = condition.floats().builder();
  const ir::VariableId result = builder.variable("made", DType::float64);
  const ir::Builder::Branches branches = builder.if_(condition.value());
  {
    const auto inside = builder.enter(branches.then);
    builder.set(result, then().value());
  }
  {
    const auto inside = builder.enter(branches.otherwise);
    builder.set(result, otherwise().value());
  }
  return {condition.floats(), builder.get(result)};
}

// Repeats state = step(state, n) for n = 1, 2, ... until is_done(state), at most `turns` times. The
// state's first value is the result.
template <std::size_t count>
using State = std::array<Real, count>;

template <std::size_t count, typename Step, typename IsDone>
Real iterate(const State<count>& start, double turns, const Step& step, const IsDone& is_done) {
  const Arithmetic floats = start[0].floats();
  ir::Builder& builder = floats.builder();
  const ir::VariableId turn = builder.variable("turn", DType::float64);
  builder.set(turn, floats.number(1));
  std::array<ir::VariableId, count> variables;
  for (std::size_t i = 0; i < count; ++i) {
    variables[i] = builder.variable("state", DType::float64);
    builder.set(variables[i], start[i].value());
  }
  {
    const ir::Builder::Loop loop = builder.loop();
    const auto body = builder.enter(loop.body);
    State<count> before = start;
    for (std::size_t i = 0; i < count; ++i) before[i] = Real(floats, builder.get(variables[i]));
    const Real n(floats, builder.get(turn));
    const State<count> after = step(before, n);
    for (std::size_t i = 0; i < count; ++i) builder.set(variables[i], after[i].value());
    builder.set(turn, (n + 1).value());
    const auto branches = builder.if_(either(is_done(after), n >= turns).value());
    const auto inside = builder.enter(branches.then);
    builder.break_();
  }
  return {floats, builder.get(variables[0])};
}

}  // namespace phalanx::numpy
