#include "phalanx/numpy/time_loops.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/numpy/times.h"

namespace phalanx::numpy {
namespace {

using ir::Op;

constexpr std::int64_t not_a_time = std::numeric_limits<std::int64_t>::min();

// Operations on counts.
class Counts : public Arithmetic {
 public:
  explicit Counts(ir::Builder& builder) : Arithmetic(builder, DType::int64) {}

  Value nat() const { return integer(not_a_time); }
  Value is_nat(Value count) const { return (*this)(Op::equal, count, nat()); }
  Value has_nat(const Values& x) const { return either(is_nat(x[0]), is_nat(x[1])); }
  Value is_zero(Value count) const { return (*this)(Op::equal, count, integer(0)); }
  Value is_negative(Value count) const { return (*this)(Op::less, count, integer(0)); }
  Value as_float(Value count) const { return builder().cast(count, DType::float64); }
};

Value add(ir::Builder& builder, const Values& x) {
  const Counts in(builder);
  return in.select(in.has_nat(x), in.nat(), in(Op::add, x[0], x[1]));
}
Value subtract(ir::Builder& builder, const Values& x) {
  const Counts in(builder);
  return in.select(in.has_nat(x), in.nat(), in(Op::subtract, x[0], x[1]));
}

// True for what int64 holds: not for infinities and NaN.
Value float_count(ir::Builder& builder, const Values& x) {
  const Counts in(builder);
  const Arithmetic floats(builder, DType::float64);
  constexpr double limit = 9223372036854775808.0;
  const Value fits = floats(Op::less, floats(Op::absolute, x[0]), floats.number(limit));
  const Value held = floats.select(fits, x[0], floats.number(0));
  return in.select(fits, builder.cast(held, DType::int64), in.nat());
}

Value times_whole(ir::Builder& builder, const Values& x) {
  const Counts in(builder);
  return in.select(in.is_nat(x[0]), in.nat(), in(Op::multiply, x[0], x[1]));
}
Value whole_times(ir::Builder& builder, const Values& x) {
  return times_whole(builder, {x[1], x[0]});
}
Value by_float(ir::Builder& builder, Op op, const Values& x) {
  const Counts in(builder);
  const Value exact = Arithmetic(builder, DType::float64)(op, in.as_float(x[0]), x[1]);
  return in.select(in.is_nat(x[0]), in.nat(), float_count(builder, {exact}));
}
Value times_float(ir::Builder& builder, const Values& x) {
  return by_float(builder, Op::multiply, x);
}
Value float_times(ir::Builder& builder, const Values& x) {
  return by_float(builder, Op::multiply, {x[1], x[0]});
}
Value over_float(ir::Builder& builder, const Values& x) {
  return by_float(builder, Op::true_divide, x);
}

// Rounded towards zero, also where NumPy's function is floor_divide.
Value over_whole(ir::Builder& builder, const Values& x) {
  const Counts in(builder);
  const Value down = in(Op::floor_divide, x[0], x[1]);
  const Value has_rest = in(Op::not_equal, in(Op::multiply, down, x[1]), x[0]);
  const Value rounds_up = in.both(has_rest, in.is_negative(down));
  const Value quotient = in.select(rounds_up, in(Op::add, down, in.integer(1)), down);
  return in.select(in.either(in.is_nat(x[0]), in.is_zero(x[1])), in.nat(), quotient);
}

Value ratio(ir::Builder& builder, const Values& x) {
  const Counts in(builder);
  const Arithmetic floats(builder, DType::float64);
  const Value exact = floats(Op::true_divide, in.as_float(x[0]), in.as_float(x[1]));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  return in.select(in.has_nat(x), floats.number(nan), exact);
}
Value whole_ratio(ir::Builder& builder, const Values& x) {
  const Counts in(builder);
  return in.select(in.has_nat(x), in.integer(0), in(Op::floor_divide, x[0], x[1]));
}
Value remainder(ir::Builder& builder, const Values& x) {
  const Counts in(builder);
  const Value is_none = in.either(in.has_nat(x), in.is_zero(x[1]));
  return in.select(is_none, in.nat(), in(Op::remainder, x[0], x[1]));
}

// NaT is not equal to itself, and in no order with anything.
template <Op op>
Value compare(ir::Builder& builder, const Values& x) {
  const Counts in(builder);
  const Value result = in(op, x[0], x[1]);
  return op == Op::not_equal ? in.either(in.has_nat(x), result)
                             : in.both(in.negation(in.has_nat(x)), result);
}

// NaT is the least number: the lesser of two is NaT where one is, and the greater where both are.
Value lesser(ir::Builder& builder, const Values& x) {
  return Counts(builder)(Op::minimum, x[0], x[1]);
}
Value greater_known(ir::Builder& builder, const Values& x) {
  return Counts(builder)(Op::maximum, x[0], x[1]);
}
Value greater(ir::Builder& builder, const Values& x) {
  const Counts in(builder);
  return in.select(in.has_nat(x), in.nat(), greater_known(builder, x));
}
Value lesser_known(ir::Builder& builder, const Values& x) {
  const Counts in(builder);
  return in.select(in.has_nat(x), greater_known(builder, x), lesser(builder, x));
}

Value itself(ir::Builder& /*builder*/, const Values& x) { return x[0]; }
Value negative(ir::Builder& builder, const Values& x) {
  const Counts in(builder);
  return in(Op::subtract, in.integer(0), x[0]);
}
Value absolute(ir::Builder& builder, const Values& x) {
  const Counts in(builder);
  return in.select(in.is_negative(x[0]), negative(builder, x), x[0]);
}
// That of NaT is -1 in NumPy.
Value sign(ir::Builder& builder, const Values& x) {
  const Counts in(builder);
  const Value rest = in.select(in.is_zero(x[0]), in.integer(0), in.integer(1));
  return in.select(in.is_negative(x[0]), in.integer(-1), rest);
}
Value is_nat(ir::Builder& builder, const Values& x) { return Counts(builder).is_nat(x[0]); }
Value is_known(ir::Builder& builder, const Values& x) {
  const Counts in(builder);
  return in.negation(in.is_nat(x[0]));
}
Value never(ir::Builder& builder, const Values& /*x*/) { return builder.boolean(false); }

Value scaled(ir::Builder& builder, const Values& x) {
  const Counts in(builder);
  const Value exact = in(Op::floor_divide, in(Op::multiply, x[0], x[1]), x[2]);
  return in.select(in.is_nat(x[0]), in.nat(), exact);
}

// ---- The calendar: years that begin in March, so that the leap day is the last one ----

constexpr std::int64_t days_of_era = 146097;    // 400 years
constexpr std::int64_t days_to_epoch = 719468;  // from March of the year 0 to 1970

Value month_days(ir::Builder& builder, const Values& x) {
  const Counts in(builder);
  const auto constant = [&](std::int64_t value) { return in.integer(value); };
  const auto over = [&](Value a, std::int64_t b) { return in(Op::floor_divide, a, constant(b)); };
  const auto times = [&](Value a, std::int64_t b) { return in(Op::multiply, a, constant(b)); };
  // Months since March of the year 0.
  const Value months = in(Op::add, x[0], constant(1970 * 12 - 2));
  const Value year = over(months, 12);
  const Value month = in(Op::subtract, months, times(year, 12));
  const Value before_month = over(in(Op::add, times(month, 153), constant(2)), 5);
  const Value leap_days =
      in(Op::add, in(Op::subtract, over(year, 4), over(year, 100)), over(year, 400));
  const Value days = in(Op::add, in(Op::add, times(year, 365), leap_days), before_month);
  return in.select(in.is_nat(x[0]), in.nat(), in(Op::subtract, days, constant(days_to_epoch)));
}

Value day_months(ir::Builder& builder, const Values& x) {
  const Counts in(builder);
  const auto constant = [&](std::int64_t value) { return in.integer(value); };
  const auto over = [&](Value a, std::int64_t b) { return in(Op::floor_divide, a, constant(b)); };
  const auto times = [&](Value a, std::int64_t b) { return in(Op::multiply, a, constant(b)); };
  const auto minus = [&](Value a, Value b) { return in(Op::subtract, a, b); };
  const auto plus = [&](Value a, Value b) { return in(Op::add, a, b); };
  const Value days = plus(x[0], constant(days_to_epoch));
  const Value era = over(days, days_of_era);
  const Value day = minus(days, times(era, days_of_era));  // of the era
  // Without the leap days before it, all years have 365 days.
  const Value leaps = minus(plus(over(day, 1460), over(day, days_of_era - 1)), over(day, 36524));
  const Value year = over(minus(day, leaps), 365);
  const Value before_year = minus(plus(times(year, 365), over(year, 4)), over(year, 100));
  const Value day_of_year = minus(day, before_year);
  const Value month = over(plus(times(day_of_year, 5), constant(2)), 153);
  const Value months = plus(times(plus(times(era, 400), year), 12), month);
  return in.select(in.is_nat(x[0]), in.nat(), minus(months, constant(1970 * 12 - 2)));
}

// ---- The loops ----

// Which whole numbers are taken for an m or a q.
enum class Whole : std::uint8_t { none, integers, safe, all };

struct Row {
  TypedFunction function;
  Whole whole = Whole::none;
};

constexpr std::array rows = {
    Row{{"add", "Mm", 'M', add}, Whole::all},
    Row{{"add", "mm", 'm', add}, Whole::all},
    Row{{"add", "mM", 'M', add}, Whole::all},
    Row{{"subtract", "Mm", 'M', subtract}, Whole::all},
    Row{{"subtract", "mm", 'm', subtract}, Whole::all},
    Row{{"subtract", "MM", 'm', subtract}},
    Row{{"multiply", "mq", 'm', times_whole}, Whole::all},
    Row{{"multiply", "qm", 'm', whole_times}, Whole::all},
    Row{{"multiply", "md", 'm', times_float}},
    Row{{"multiply", "dm", 'm', float_times}},
    Row{{"true_divide", "mq", 'm', over_whole}, Whole::integers},
    Row{{"true_divide", "md", 'm', over_float}},
    Row{{"true_divide", "mm", 'd', ratio}},
    Row{{"floor_divide", "mq", 'm', over_whole}, Whole::integers},
    Row{{"floor_divide", "md", 'm', over_float}},
    Row{{"floor_divide", "mm", 'q', whole_ratio}},
    Row{{"remainder", "mm", 'm', remainder}},
    Row{{"equal", "MM", '?', compare<Op::equal>}},
    Row{{"equal", "mm", '?', compare<Op::equal>}, Whole::safe},
    Row{{"not_equal", "MM", '?', compare<Op::not_equal>}},
    Row{{"not_equal", "mm", '?', compare<Op::not_equal>}, Whole::safe},
    Row{{"less", "MM", '?', compare<Op::less>}},
    Row{{"less", "mm", '?', compare<Op::less>}, Whole::safe},
    Row{{"less_equal", "MM", '?', compare<Op::less_equal>}},
    Row{{"less_equal", "mm", '?', compare<Op::less_equal>}, Whole::safe},
    Row{{"greater", "MM", '?', compare<Op::greater>}},
    Row{{"greater", "mm", '?', compare<Op::greater>}, Whole::safe},
    Row{{"greater_equal", "MM", '?', compare<Op::greater_equal>}},
    Row{{"greater_equal", "mm", '?', compare<Op::greater_equal>}, Whole::safe},
    Row{{"minimum", "MM", 'M', lesser}},
    Row{{"minimum", "mm", 'm', lesser}, Whole::safe},
    Row{{"maximum", "MM", 'M', greater}},
    Row{{"maximum", "mm", 'm', greater}, Whole::safe},
    Row{{"fmin", "MM", 'M', lesser_known}},
    Row{{"fmin", "mm", 'm', lesser_known}, Whole::safe},
    Row{{"fmax", "MM", 'M', greater_known}},
    Row{{"fmax", "mm", 'm', greater_known}, Whole::safe},
    Row{{"positive", "m", 'm', itself}},
    Row{{"negative", "m", 'm', negative}},
    Row{{"absolute", "m", 'm', absolute}},
    Row{{"sign", "m", 'm', sign}},
    Row{{"isnan", "M", '?', is_nat}},
    Row{{"isnan", "m", '?', is_nat}},
    Row{{"isfinite", "M", '?', is_known}},
    Row{{"isfinite", "m", '?', is_known}},
    Row{{"isinf", "M", '?', never}},
    Row{{"isinf", "m", '?', never}},
};

bool takes(Whole whole, DType dtype) {
  switch (whole) {
    case Whole::none:
      return false;
    case Whole::integers:
      return is_integer(dtype);
    case Whole::safe:
      return can_cast(dtype, DType::int64, Casting::safe);
    case Whole::all:
      return is_integer(dtype) || is_boolean(dtype);
  }
  return false;
}

bool fits(const Row& row, std::size_t i, const ir::Type& operand) {
  const char letter = row.function.operands[i];
  if (operand.is_time())
    return letter == (operand.time_kind() == ir::TimeKind::datetime ? 'M' : 'm');
  if (!operand.is_scalar() || letter == 'M')
    return false;
  return letter == 'd' ? is_floating(operand.dtype()) : takes(row.whole, operand.dtype());
}

bool fits(const Row& row, std::string_view name, std::span<const ir::Type> operands) {
  if (row.function.name != name || row.function.operands.size() != operands.size())
    return false;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!fits(row, i, operands[i]))
      return false;
  }
  return true;
}

ir::Type type_of(char letter, const std::string& unit) {
  switch (letter) {
    case 'M':
      return ir::Type::time(ir::TimeKind::datetime, unit);
    case 'm':
      return ir::Type::time(ir::TimeKind::timedelta, unit);
    case 'd':
      return DType::float64;
    case '?':
      return DType::boolean;
    default:
      return DType::int64;
  }
}

std::string common_unit(std::span<const ir::Type> operands) {
  if (operands.size() == 1 || !operands[1].is_time())
    return operands[0].name();
  return operands[0].is_time() ? promoted_time(operands[0], operands[1]).name()
                               : operands[1].name();
}

// NumPy's word where the months of a span would become days.
void check_cast(
    const infer::Ufunc& ufunc, std::size_t i, const ir::Type& from, const ir::Type& to) {
  if (from.is_time() && !can_cast(from, to, Casting::same_kind))
    throw TypeError(
        "Cannot cast ufunc '" + std::string(ufunc.name) + "' input " + std::to_string(i) +
        " from dtype('" + code_of_time(from) + "') to dtype('" + code_of_time(to) +
        "') with casting rule 'same_kind'");
}

}  // namespace

std::optional<TimeTyping> resolve_times(
    const infer::Ufunc& ufunc, std::span<const ir::Type> operands) {
  const std::string_view name = ufunc.alias_of.empty() ? ufunc.name : ufunc.alias_of;
  const auto* const row =
      std::ranges::find_if(rows, [&](const Row& each) { return fits(each, name, operands); });
  if (row == rows.end())
    return std::nullopt;
  const std::string unit = common_unit(operands);
  TimeTyping typing{.function = &row->function, .result = type_of(row->function.result, unit)};
  for (std::size_t i = 0; i < operands.size(); ++i) {
    typing.operands.at(i) = type_of(row->function.operands[i], unit);
    check_cast(ufunc, i, operands[i], typing.operands.at(i));
  }
  return typing;
}

const TypedFunction& scaled_time() {
  static constexpr TypedFunction function = {"rescale", "mqq", 'm', scaled};
  return function;
}
const TypedFunction& days_of_months() {
  static constexpr TypedFunction function = {"days_of_months", "M", 'M', month_days};
  return function;
}
const TypedFunction& months_of_days() {
  static constexpr TypedFunction function = {"months_of_days", "M", 'M', day_months};
  return function;
}
const TypedFunction& count_of_float() {
  static constexpr TypedFunction function = {"astype", "d", 'm', float_count};
  return function;
}

}  // namespace phalanx::numpy
