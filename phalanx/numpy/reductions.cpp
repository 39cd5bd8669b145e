#include "phalanx/numpy/reductions.h"

#include <algorithm>
#include <array>
#include <limits>

#include "phalanx/ir/constants.h"

namespace phalanx::numpy {
namespace {

using ir::Op;

struct Row {
  std::string_view name;
  std::string_view alias;
  Op op;
};
constexpr std::array sums = {Row{"sum", "", Op::add}, Row{"prod", "", Op::multiply}};
constexpr std::array extremes = {Row{"min", "amin", Op::minimum}, Row{"max", "amax", Op::maximum}};
constexpr std::array positions = {Row{"argmin", "", Op::less}, Row{"argmax", "", Op::greater}};
// Of times, which are int64 with NaT: one makes the result NaT. Their "min" and "argmin" are those
// of numbers, of which NaT is the least.
constexpr std::array times = {
    Row{"time_sum", "", Op::add},
    Row{"time_max", "", Op::maximum},
    Row{"time_argmax", "", Op::greater}};
constexpr std::array bits = {
    Row{"bitwise_and", "", Op::bitwise_and},
    Row{"bitwise_or", "", Op::bitwise_or},
    Row{"bitwise_xor", "", Op::bitwise_xor}};
constexpr std::array truths = {Row{"any", "", Op::bitwise_or}, Row{"all", "", Op::bitwise_and}};

template <std::size_t size>
std::optional<Op> find_op(const std::array<Row, size>& rows, std::string_view name) {
  const auto row = std::ranges::find_if(
      rows, [&](const Row& each) { return each.name == name || each.alias == name; });
  return row == rows.end() ? std::nullopt : std::optional(row->op);
}

constexpr std::size_t squares_state = 4;

// The sum of squared distances from the mean, in one pass: the sums of the distances from a pivot,
// which is one of the elements, and of their squares. Numbers far from zero lose nothing by that;
// where the pivot is far from all others, no more than their count. What a block leaves is settled:
// its pivot is its mean then.
class Squares {
 public:
  Squares(ir::Builder& builder, DType dtype) : in_(builder, dtype) {}

  Values first(Value element) const {
    return {in_.number(1), element, in_.number(0), in_.number(0)};
  }

  Values step(const Values& state, Value element) const {
    const Value pivot = in_.select(is_none(state[count]), element, state[at]);
    const Value distance = in_(Op::subtract, element, pivot);
    return {
        in_(Op::add, state[count], in_.number(1)),
        pivot,
        in_(Op::add, state[sum], distance),
        in_(Op::add, state[squares], in_(Op::multiply, distance, distance))};
  }

  // The right state's sums from the left pivot. A state of no elements takes the other's pivot.
  Values join(const Values& left, const Values& right) const {
    const Value pivot = in_.select(is_none(left[count]), right[at], left[at]);
    const Value other = in_.select(is_none(right[count]), pivot, right[at]);
    const Value apart = in_(Op::subtract, other, pivot);
    const Value moved = in_(Op::add, right[sum], in_(Op::multiply, right[count], apart));
    const Value both = in_(Op::add, right[sum], moved);
    return {
        in_(Op::add, left[count], right[count]),
        pivot,
        in_(Op::add, left[sum], moved),
        in_(Op::add, left[squares], in_(Op::add, right[squares], in_(Op::multiply, both, apart)))};
  }

  // The mean as pivot, and what its rounding left.
  Values settled(const Values& state) const {
    const Value distance = mean(state);
    const Value pivot = in_(Op::add, state[at], distance);
    const Value rest = in_(Op::add, in_(Op::subtract, state[at], pivot), distance);
    const Value moved = in_(Op::multiply, state[count], rest);
    return {
        state[count], pivot, moved, in_(Op::add, result(state), in_(Op::multiply, moved, rest))};
  }

  // Squares that are beyond the type's range are infinite, and no NaN, as long as the numbers are
  // finite.
  Value result(const Values& state) const {
    const Value moved = in_(Op::multiply, state[sum], mean(state));
    const Value made = in_(Op::subtract, state[squares], moved);
    const Value is_finite =
        in_(Op::equal, in_(Op::subtract, state[sum], state[sum]), in_.number(0));
    const Value is_lost = in_.both(is_finite, in_(Op::not_equal, made, made));
    return in_.select(is_lost, in_.number(std::numeric_limits<double>::infinity()), made);
  }

 private:
  static constexpr std::size_t count = 0;
  static constexpr std::size_t at = 1;  // the pivot
  static constexpr std::size_t sum = 2;
  static constexpr std::size_t squares = 3;

  Value is_none(Value number) const { return in_(Op::equal, number, in_.number(0)); }
  Value at_least_one(Value number) const { return in_(Op::maximum, number, in_.number(1)); }
  // From the pivot.
  Value mean(const Values& state) const {
    return in_(Op::true_divide, state[sum], at_least_one(state[count]));
  }

  Arithmetic in_;
};

}  // namespace

DType type_of_sum(DType element, std::optional<DType> given) {
  if (given)
    return *given;
  if (is_boolean(element) || is_signed(element))
    return DType::int64;
  return is_unsigned(element) ? DType::uint64 : element;
}

DType type_of_mean(DType element) {
  if (is_integer(element) || is_boolean(element))
    return DType::float64;
  return is_floating(element) && size_of(element) == 2 ? DType::float32 : element;
}

std::optional<Reduction> Reduction::find(
    std::string_view name, DType element, std::optional<DType> dtype) {
  if (const auto op = find_op(sums, name))
    return Reduction(Kind::fold, *op, type_of_sum(element, dtype));
  if (name == "squares") {
    const DType own = dtype.value_or(element);
    if (own != DType::float32 && own != DType::float64)
      return std::nullopt;
    return Reduction(Kind::squares, Op::add, own);
  }
  if (const auto op = find_op(truths, name))
    return Reduction(Kind::truth, *op, DType::boolean);
  if (const auto op = find_op(bits, name)) {
    if (!is_integer(element) && !is_boolean(element))
      return std::nullopt;
    return Reduction(Kind::fold, *op, element);
  }
  if (const auto op = find_op(times, name)) {
    Reduction made(*op == Op::greater ? Kind::position : Kind::fold, *op, DType::int64);
    made.has_nat_ = true;
    return made;
  }
  if (is_complex(element))
    return std::nullopt;
  if (const auto op = find_op(extremes, name))
    return Reduction(Kind::fold, *op, element);
  if (const auto op = find_op(positions, name))
    return Reduction(Kind::position, *op, element);
  return std::nullopt;
}

std::vector<DType> Reduction::state() const {
  if (kind_ == Kind::squares)
    return std::vector(squares_state, dtype_);
  return kind_ == Kind::position ? std::vector{dtype_, DType::int64} : std::vector{dtype_};
}

std::optional<ir::Constant> Reduction::identity() const {
  if (kind_ == Kind::truth)
    return op_ == Op::bitwise_and;
  if (op_ == Op::bitwise_and)
    return ir::cast_constant(std::int64_t{-1}, DType::int64, dtype_);
  if (op_ == Op::bitwise_or || op_ == Op::bitwise_xor)
    return ir::cast_constant(std::int64_t{0}, DType::int64, dtype_);
  if (op_ != Op::add && op_ != Op::multiply)
    return std::nullopt;
  return ir::cast_constant(std::int64_t{op_ == Op::multiply}, DType::int64, dtype_);
}

Values Reduction::first(ir::Builder& builder, Value element, Value index) const {
  if (kind_ == Kind::position)
    return {element, index};
  if (kind_ == Kind::squares)
    return Squares(builder, dtype_).first(builder.cast(element, dtype_));
  return {builder.cast(element, dtype_)};
}

Values Reduction::step(
    ir::Builder& builder, const Values& state, Value element, Value index) const {
  if (kind_ == Kind::squares)
    return Squares(builder, dtype_).step(state, builder.cast(element, dtype_));
  const Values one = first(builder, element, index);
  if (kind_ != Kind::position)
    return join(builder, state, one);
  // Its index is beyond those of the state.
  const Arithmetic in(builder, dtype_);
  return chosen(builder, is_better(in, element, state[0]), one, state);
}

namespace {

Value is_nat(const Arithmetic& in, Value count) {
  return in(Op::equal, count, in.integer(std::numeric_limits<std::int64_t>::min()));
}

}  // namespace

// True if a number wins over one of an earlier index.
Value Reduction::is_better(const Arithmetic& in, Value later, Value earlier) const {
  if (has_nat_)
    return in.both(
        in.negation(is_nat(in, earlier)), in.either(is_nat(in, later), in(op_, later, earlier)));
  if (!is_floating(dtype_))
    return in(op_, later, earlier);
  // "Not no better" holds for a NaN, too, which loses to an earlier NaN only.
  const Op is_no_better = op_ == Op::less ? Op::greater_equal : Op::less_equal;
  return in.both(in.negation(in(is_no_better, later, earlier)), in(Op::equal, earlier, earlier));
}

Values Reduction::chosen(
    ir::Builder& builder, Value condition, const Values& a, const Values& b) const {
  const Arithmetic in(builder, dtype_);
  return {in.select(condition, a[0], b[0]), in.select(condition, a[1], b[1])};
}

Values Reduction::join(ir::Builder& builder, const Values& left, const Values& right) const {
  if (kind_ == Kind::squares)
    return Squares(builder, dtype_).join(left, right);
  const Arithmetic in(builder, dtype_);
  if (kind_ != Kind::position && has_nat_) {
    const Value is_none = in.either(is_nat(in, left[0]), is_nat(in, right[0]));
    const Value nat = in.integer(std::numeric_limits<std::int64_t>::min());
    return {in.select(is_none, nat, in(op_, left[0], right[0]))};
  }
  if (kind_ != Kind::position)
    return {in(op_, left[0], right[0])};
  const Value wins = is_better(in, right[0], left[0]);
  const Value loses = is_better(in, left[0], right[0]);
  const Value is_first = Arithmetic(builder, DType::int64)(Op::less, right[1], left[1]);
  const Value wins_tie = in.both(in.negation(loses), is_first);
  return chosen(builder, in.either(wins, wins_tie), right, left);
}

Values Reduction::settled(ir::Builder& builder, const Values& state) const {
  return kind_ == Kind::squares ? Squares(builder, dtype_).settled(state) : state;
}

Value Reduction::result(ir::Builder& builder, const Values& state) const {
  return kind_ == Kind::squares ? Squares(builder, dtype_).result(state) : state.back();
}

}  // namespace phalanx::numpy
