#include "phalanx/numpy/times.h"

#include <charconv>

namespace phalanx::numpy {
namespace {

constexpr std::size_t first_fixed = 2;  // weeks
// NumPy counts no more of a finer unit in a coarser one.
constexpr std::int64_t most_in_cast = std::int64_t{1} << 56;

bool is_calendar(const TimeUnit& unit) { return unit.row < first_fixed; }

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
  if ((coarse < first_fixed) != (fine < first_fixed))
    return std::nullopt;
  std::int64_t ratio = 1;
  for (std::size_t i = coarse + 1; i <= fine; ++i) {
    if (__builtin_mul_overflow(ratio, time_units.at(i).ratio, &ratio))
      return std::nullopt;
  }
  return ratio;
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
  const bool needs_calendar = is_calendar(source) != is_calendar(target);
  const bool is_point = from.time_kind() == ir::TimeKind::datetime;
  if (needs_calendar && !is_point)
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
