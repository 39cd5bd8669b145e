// The units of datetime64 and timedelta64, and which NumPy turns into which.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

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
// The name of the unit of times that have none.
inline constexpr std::string_view generic_unit = "generic";

// `25s` is 25 of the unit s.
struct TimeUnit {
  std::size_t row = time_units.size();  // the size of the table: generic
  std::int64_t multiple = 1;
};
TimeUnit unit_of(const ir::Type& time);

// How many units of the finer row make one of the coarser; nothing where that is not fixed or does
// not fit.
std::optional<std::int64_t> ratio_between(std::size_t coarse, std::size_t fine);

// Of two times of one kind, and as numpy.can_cast.
bool can_cast_time(const ir::Type& from, const ir::Type& to, Casting casting);

}  // namespace phalanx::numpy
