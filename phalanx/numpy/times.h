// The units of datetime64 and timedelta64, and which NumPy turns into which.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "phalanx/base/export.h"
#include "phalanx/ir/types.h"
#include "phalanx/numpy/promotion.h"

namespace phalanx::numpy {

// From coarse to fine; `ratio` of them make one of the unit before. Years and months have no fixed
// number of days.
struct TimeUnitRow {
  std::string_view name;
  std::int64_t ratio;
};
inline constexpr std::array time_units = {
    TimeUnitRow{"Y", 1},
    TimeUnitRow{"M", 12},
    TimeUnitRow{"W", 1},
    TimeUnitRow{"D", 7},
    TimeUnitRow{"h", 24},
    TimeUnitRow{"m", 60},
    TimeUnitRow{"s", 60},
    TimeUnitRow{"ms", 1000},
    TimeUnitRow{"us", 1000},
    TimeUnitRow{"ns", 1000},
    TimeUnitRow{"ps", 1000},
    TimeUnitRow{"fs", 1000},
    TimeUnitRow{"as", 1000},
};
inline constexpr std::size_t month_row = 1;
inline constexpr std::size_t day_row = 3;
// The name of the unit of times that have none.
inline constexpr std::string_view generic_unit = "generic";

// `25s` is 25 of the unit s.
struct TimeUnit {
  std::size_t row = time_units.size();  // the size of the table: generic
  std::int64_t multiple = 1;

  bool is_generic() const { return row == time_units.size(); }
  bool is_calendar() const { return row <= month_row; }
};
PHX_API TimeUnit unit_of(const ir::Type& time);

// How many units of the finer row make one of the coarser; nothing where that is not fixed or does
// not fit.
std::optional<std::int64_t> ratio_between(std::size_t coarse, std::size_t fine);

// One unit is factor / divisor of another one, in lowest terms.
struct TimeScale {
  std::int64_t factor = 1;
  std::int64_t divisor = 1;
};
// Of years and months that become days, the mean over 400 years. Nothing where it does not fit, and
// from a unit to none.
PHX_API std::optional<TimeScale> scale_between(const TimeUnit& from, const TimeUnit& to);

// The name of the coarsest unit that both are whole numbers of. Without one `name` is empty.
struct CommonUnit {
  std::string name;
  bool is_too_fine = false;  // else the months of a span are no number of days
};
PHX_API CommonUnit common_unit(const ir::Type& first, const ir::Type& second);
// The same unit, for two times or a time and a whole number; a time of the kind of which both are.
// Throws TypeError and std::overflow_error as NumPy does.
PHX_API ir::Type promoted_time(const ir::Type& first, const ir::Type& second);

// `datetime64[25s]`, `timedelta64`: NumPy's name of the dtype; and its form in errors, `<M8[25s]`.
PHX_API std::string name_of_time(const ir::Type& time);
PHX_API std::string code_of_time(const ir::Type& time);
// Nothing for another name.
PHX_API std::optional<ir::Type> time_named(std::string_view name);

// Of two times of one kind, and as numpy.can_cast.
bool can_cast_time(const ir::Type& from, const ir::Type& to, Casting casting);

}  // namespace phalanx::numpy
