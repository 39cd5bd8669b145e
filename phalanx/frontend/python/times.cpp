#include "phalanx/frontend/python/times.h"

#include <limits>
#include <string>

#include "phalanx/numpy/times.h"

namespace phalanx::frontend::python {
namespace {

constexpr std::int64_t not_a_time = std::numeric_limits<std::int64_t>::min();
using numpy::TimeUnit;
using numpy::unit_of;

std::optional<ir::Type> common_type(ir::TimeKind kind, const ir::Type& a, const ir::Type& b) {
  const std::string unit = numpy::common_unit(a, b).name;
  return unit.empty() ? std::nullopt : std::optional(ir::Type::time(kind, unit));
}

Value nat() { return integer_literal(not_a_time); }

Value is_nat(Emitter& emitter, const Value& count) {
  return emitter.compare(tree::Comparison::equal, count, nat());
}

Value make_time(Emitter& emitter, const ir::Type& type, const Value& count) {
  return emitter.builder().vector_make(
      type, {emitter.materialize(emitter.cast(count, DType::int64))});
}

// `count` where neither of the others is NaT.
Value unless_nat(Emitter& emitter, const std::vector<Value>& others, const Value& count) {
  Value result = count;
  for (const Value& other : others) result = emitter.select(is_nat(emitter, other), nat(), result);
  return result;
}

bool is_number(const Value& value) {
  const auto type = type_of(value);
  return type && type->is_scalar() && !is_complex(type->dtype());
}

bool is_kind(const Value& value, ir::TimeKind kind) {
  return is_time(value) && type_of(value)->time_kind() == kind;
}

// Both counts in one unit, and that unit's type; nothing where there is none.
struct Aligned {
  ir::Type type;
  Value left;
  Value right;
};

std::optional<Aligned> aligned(
    Emitter& emitter, ir::TimeKind kind, const Value& left, const Value& right) {
  const auto type = common_type(kind, *type_of(left), *type_of(right));
  if (!type)
    return std::nullopt;
  const auto count = [&](const Value& value) {
    const ir::Type own = ir::Type::time(type_of(value)->time_kind(), type->name());
    return time_count(emitter, Value(convert_time(emitter, value, own)));
  };
  const Value first = count(left);
  return Aligned{*type, first, count(right)};
}

std::optional<Value> sum_or_difference(
    Emitter& emitter, ir::Op op, const Value& left, const Value& right) {
  const bool left_is_point = is_kind(left, ir::TimeKind::datetime);
  const bool right_is_point = is_kind(right, ir::TimeKind::datetime);
  if (right_is_point && (op == ir::Op::subtract ? !left_is_point : left_is_point))
    return std::nullopt;
  const bool is_point = left_is_point != right_is_point;
  const auto both =
      aligned(emitter, is_point ? ir::TimeKind::datetime : ir::TimeKind::timedelta, left, right);
  if (!both)
    return std::nullopt;
  const Value count = emitter.binary(op, both->left, both->right);
  return make_time(emitter, both->type, unless_nat(emitter, {both->left, both->right}, count));
}

std::optional<Value> quotient(Emitter& emitter, ir::Op op, const Value& left, const Value& right) {
  const auto both = aligned(emitter, ir::TimeKind::timedelta, left, right);
  if (!both)
    return std::nullopt;
  const Value result = emitter.binary(op, both->left, both->right);
  if (op == ir::Op::remainder)
    return make_time(emitter, both->type, unless_nat(emitter, {both->left, both->right}, result));
  const Value absent = op == ir::Op::true_divide
                           ? float_literal(std::numeric_limits<double>::quiet_NaN())
                           : integer_literal(0);
  const Value checked = emitter.select(is_nat(emitter, both->right), absent, result);
  return emitter.select(is_nat(emitter, both->left), absent, checked);
}

// A span times or over a number; what is left of a unit is cut off.
std::optional<Value> scaled(Emitter& emitter, ir::Op op, const Value& span, const Value& number) {
  const Value count = time_count(emitter, span);
  const bool is_whole = !is_floating(type_of(number)->dtype());
  Value result;
  if (op == ir::Op::multiply)
    result = emitter.binary(op, count, is_whole ? emitter.cast(number, DType::int64) : number);
  else if (op == ir::Op::true_divide || op == ir::Op::floor_divide)
    result = emitter.binary(op, count, number);
  else
    return std::nullopt;
  return make_time(
      emitter, *type_of(span), unless_nat(emitter, {count}, emitter.cast(result, DType::int64)));
}

}  // namespace

bool is_time(const Value& value) {
  const auto type = type_of(value);
  return type && type->is_time();
}

Value time_count(Emitter& emitter, const Value& time) {
  if (const auto* known = time.as<TimeEntity>())
    return integer_literal(known->count);
  return emitter.builder().vector_get(emitter.materialize(time), 0);
}

ir::Operation* convert_time(Emitter& emitter, const Value& time, const ir::Type& to) {
  const ir::Type from = *type_of(time);
  if (from == to)
    return emitter.materialize(time);
  const TimeUnit source = unit_of(from);
  const TimeUnit target = unit_of(to);
  const auto scale = numpy::scale_between(source, target);
  const bool needs_calendar = !source.is_generic() && source.is_calendar() != target.is_calendar();
  if (from.time_kind() != to.time_kind() || !scale || needs_calendar)
    emitter.fail(
        describe(from) + " does not convert to " + describe(to),
        "Convert the array on the host: array.astype(...).");
  const Value count = time_count(emitter, time);
  Value result = count;
  if (scale->factor != 1 || scale->divisor != 1) {
    result = emitter.binary(ir::Op::multiply, result, integer_literal(scale->factor));
    result = emitter.binary(ir::Op::floor_divide, result, integer_literal(scale->divisor));
  }
  const Value whole = unless_nat(emitter, {count}, result);
  return emitter.materialize(make_time(emitter, to, whole));
}

std::optional<Value> time_binary(
    Emitter& emitter, ir::Op op, const Value& left, const Value& right) {
  if (!is_time(left) && !is_time(right))
    return std::nullopt;
  const bool is_sum = op == ir::Op::add || op == ir::Op::subtract;
  const auto as_span = [&](const Value& number, const Value& other) {
    return make_time(
        emitter, ir::Type::time(ir::TimeKind::timedelta, type_of(other)->name()), number);
  };
  if (is_sum && is_number(right) && is_integer(type_of(right)->dtype()))
    return sum_or_difference(emitter, op, left, as_span(right, left));
  if (is_sum && is_number(left) && is_integer(type_of(left)->dtype()))
    return sum_or_difference(emitter, op, as_span(left, right), right);
  if (is_sum)
    return is_time(left) && is_time(right) ? sum_or_difference(emitter, op, left, right)
                                           : std::nullopt;
  const bool left_is_span = is_kind(left, ir::TimeKind::timedelta);
  const bool right_is_span = is_kind(right, ir::TimeKind::timedelta);
  const bool divides =
      op == ir::Op::true_divide || op == ir::Op::floor_divide || op == ir::Op::remainder;
  if (left_is_span && right_is_span && divides)
    return quotient(emitter, op, left, right);
  if (left_is_span && is_number(right))
    return scaled(emitter, op, left, right);
  if (right_is_span && is_number(left) && op == ir::Op::multiply)
    return scaled(emitter, op, right, left);
  return std::nullopt;
}

std::optional<Value> time_compare(
    Emitter& emitter, ir::Op op, const Value& left, const Value& right) {
  if (!is_time(left) || !is_time(right) ||
      type_of(left)->time_kind() != type_of(right)->time_kind())
    return std::nullopt;
  const auto both = aligned(emitter, type_of(left)->time_kind(), left, right);
  if (!both)
    return std::nullopt;
  // Nothing is equal to NaT, before it or after it.
  const Value absent = boolean_literal(op == ir::Op::not_equal);
  const Value result = emitter.same_type(op, DType::int64, {both->left, both->right});
  const Value checked = emitter.select(is_nat(emitter, both->right), absent, result);
  return emitter.select(is_nat(emitter, both->left), absent, checked);
}

std::optional<Value> time_unary(Emitter& emitter, tree::UnaryOperator op, const Value& operand) {
  if (!is_kind(operand, ir::TimeKind::timedelta) || op == tree::UnaryOperator::invert)
    return std::nullopt;
  if (op != tree::UnaryOperator::minus)
    return operand;
  const Value zero = integer_literal(0);
  const Value count = time_count(emitter, operand);
  const Value negated = emitter.binary(ir::Op::subtract, zero, count);
  return make_time(emitter, *type_of(operand), unless_nat(emitter, {count}, negated));
}

}  // namespace phalanx::frontend::python
