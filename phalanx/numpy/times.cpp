#include "phalanx/numpy/times.h"

#include <charconv>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "phalanx/base/errors.h"

namespace phalanx::numpy {
namespace {

// NumPy counts no more of a finer unit in a coarser one.
constexpr std::int64_t most_in_cast = std::int64_t{1} << 56;
// In 400 years the calendar has that many days, and then repeats itself.
constexpr std::uint64_t years = 400;
constexpr std::uint64_t days = 400 * 365 + 97;

constexpr std::string_view datetime_name = "datetime64";
constexpr std::string_view timedelta_name = "timedelta64";

bool is_datetime(const ir::Type& time) { return time.time_kind() == ir::TimeKind::datetime; }

// As NumPy computes a factor: between years or months and what is finer, as if they were weeks.
std::optional<std::int64_t> factor_between(std::size_t coarse, std::size_t fine) {
  const bool crosses = coarse <= month_row && fine > month_row;
  const auto ratio = ratio_between(crosses ? month_row + 1 : coarse, fine);
  return ratio && *ratio < most_in_cast ? ratio : std::nullopt;
}

// Before it is reduced, a factor may need all 64 bits.
struct Fraction {
  std::uint64_t factor = 1;
  std::uint64_t divisor = 1;

  void reduce() {
    const std::uint64_t shared = std::gcd(factor, divisor);
    factor /= shared;
    divisor /= shared;
  }
};

// How many of the finer unit are in the coarser one.
std::optional<Fraction> scale_down(std::size_t coarse, std::size_t fine) {
  const bool crosses = coarse <= month_row && fine > month_row;
  const bool is_week = fine < day_row;
  const auto factor =
      crosses ? factor_between(is_week ? fine : day_row, fine) : factor_between(coarse, fine);
  if (!factor)
    return std::nullopt;
  Fraction scale{.factor = static_cast<std::uint64_t>(*factor)};
  if (!crosses)
    return scale;
  scale.divisor = coarse == month_row ? years * 12 : years;
  if (is_week)
    scale.divisor *= static_cast<std::uint64_t>(time_units[day_row].ratio);
  if (__builtin_mul_overflow(scale.factor, days, &scale.factor))
    return std::nullopt;
  scale.reduce();
  return scale;
}

std::string unit_text(const ir::Type& time) { return "[" + time.name() + "]"; }

[[noreturn]] void refuse_common_unit(
    const ir::Type& first, const ir::Type& second, bool is_too_fine) {
  const std::string pair = unit_text(first) + " and " + unit_text(second);
  if (is_too_fine)
    throw std::overflow_error(
        "Integer overflow getting a common metadata divisor for NumPy datetime metadata " + pair +
        ".");
  throw TypeError(
      "Cannot get a common metadata divisor for Numpy datetime metadata " + pair +
      " because they have incompatible nonlinear base time units.");
}

}  // namespace

TimeUnit unit_of(const ir::Type& time) {
  std::string_view name = time.name();
  TimeUnit unit;
  const auto [rest, error] = std::from_chars(name.begin(), name.end(), unit.multiple);
  if (error == std::errc{})
    name.remove_prefix(static_cast<std::size_t>(rest - name.begin()));
  for (std::size_t i = 0; i < time_units.size(); ++i) {
    if (time_units.at(i).name == name)
      unit.row = i;
  }
  return unit;
}

std::optional<std::int64_t> ratio_between(std::size_t coarse, std::size_t fine) {
  if ((coarse <= month_row) != (fine <= month_row))
    return std::nullopt;
  std::int64_t ratio = 1;
  for (std::size_t i = coarse + 1; i <= fine; ++i) {
    if (__builtin_mul_overflow(ratio, time_units.at(i).ratio, &ratio))
      return std::nullopt;
  }
  return ratio;
}

std::optional<TimeScale> scale_between(const TimeUnit& from, const TimeUnit& to) {
  if (from.is_generic())
    return TimeScale{};
  if (to.is_generic())
    return std::nullopt;
  auto scale = from.row <= to.row ? scale_down(from.row, to.row) : scale_down(to.row, from.row);
  if (!scale)
    return std::nullopt;
  if (from.row > to.row)
    std::swap(scale->factor, scale->divisor);
  if (__builtin_mul_overflow(scale->factor, from.multiple, &scale->factor) ||
      __builtin_mul_overflow(scale->divisor, to.multiple, &scale->divisor))
    return std::nullopt;
  scale->reduce();
  return TimeScale{
      .factor = static_cast<std::int64_t>(scale->factor),
      .divisor = static_cast<std::int64_t>(scale->divisor)};
}

CommonUnit common_unit(const ir::Type& first, const ir::Type& second) {
  const TimeUnit one = unit_of(first);
  const TimeUnit other = unit_of(second);
  if (first.name() == second.name() || other.is_generic())
    return {.name = first.name()};
  if (one.is_generic())
    return {.name = second.name()};
  // Points in time know their calendar.
  if (one.is_calendar() != other.is_calendar() && !is_datetime(first) && !is_datetime(second))
    return {};
  const TimeUnit& coarse = one.row <= other.row ? one : other;
  const TimeUnit& fine = one.row <= other.row ? other : one;
  const auto factor = factor_between(coarse.row, fine.row);
  std::int64_t scaled = 0;
  if (!factor || __builtin_mul_overflow(*factor, coarse.multiple, &scaled))
    return {.is_too_fine = true};
  const std::int64_t multiple = std::gcd(scaled, fine.multiple);
  if (multiple > std::numeric_limits<std::int32_t>::max())
    return {.is_too_fine = true};
  return {
      .name = (multiple == 1 ? "" : std::to_string(multiple)) +
              std::string(time_units.at(fine.row).name)};
}

ir::Type promoted_time(const ir::Type& first, const ir::Type& second) {
  if (!first.is_time())
    return promoted_time(second, first);
  if (second.is_time()) {
    const CommonUnit unit = common_unit(first, second);
    if (unit.name.empty())
      refuse_common_unit(first, second, unit.is_too_fine);
    const bool is_point = is_datetime(first) || is_datetime(second);
    return ir::Type::time(is_point ? ir::TimeKind::datetime : ir::TimeKind::timedelta, unit.name);
  }
  const bool is_whole = second.is_scalar() && !is_datetime(first) &&
                        can_cast(second.dtype(), DType::int64, Casting::safe);
  if (!is_whole)
    throw TypeError(
        "there is no dtype that holds both " + name_of_time(first) + " and " +
        (second.is_scalar() ? std::string(info(second.dtype()).name) : to_string(second)));
  return first;
}

std::string name_of_time(const ir::Type& time) {
  const std::string kind(is_datetime(time) ? datetime_name : timedelta_name);
  return time.name() == generic_unit ? kind : kind + unit_text(time);
}

std::string code_of_time(const ir::Type& time) {
  const std::string kind = is_datetime(time) ? "<M8" : "<m8";
  return time.name() == generic_unit ? kind : kind + unit_text(time);
}

std::optional<ir::Type> time_named(std::string_view name) {
  for (const auto kind : {ir::TimeKind::datetime, ir::TimeKind::timedelta}) {
    const std::string_view start = kind == ir::TimeKind::datetime ? datetime_name : timedelta_name;
    if (name == start)
      return ir::Type::time(kind, generic_unit);
    if (name.starts_with(start) && name.size() > start.size() + 2)
      return ir::Type::time(kind, name.substr(start.size() + 1, name.size() - start.size() - 2));
  }
  return std::nullopt;
}

bool can_cast_time(const ir::Type& from, const ir::Type& to, Casting casting) {
  if (from == to || casting == Casting::unsafe)
    return true;
  if (casting == Casting::equivalent)
    return false;
  if (from.name() == generic_unit || to.name() == generic_unit)
    return from.name() == generic_unit;
  const TimeUnit source = unit_of(from);
  const TimeUnit target = unit_of(to);
  // Points in time know their calendar; spans of months are no number of days.
  const bool needs_calendar = source.is_calendar() != target.is_calendar();
  if (needs_calendar && !is_datetime(from))
    return false;
  if (casting == Casting::same_kind)
    return true;
  if (source.row > target.row)
    return false;
  if (needs_calendar)
    return true;
  std::int64_t count = 0;
  const auto ratio = ratio_between(source.row, target.row);
  return ratio && *ratio < most_in_cast &&
         !__builtin_mul_overflow(*ratio, source.multiple, &count) && count % target.multiple == 0;
}

}  // namespace phalanx::numpy
