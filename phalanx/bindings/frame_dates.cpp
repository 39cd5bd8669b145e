// Dates of columns of text.
#include <Python.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <string>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/frames.h"
#include "phalanx/bindings/gil.h"
#include "phalanx/frames/date_texts.h"

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace)

namespace phalanx::bindings {
namespace {

std::int64_t per_second_of(const std::string& unit) {
  if (unit == "s")
    return 1;
  if (unit == "ms")
    return 1'000;
  if (unit == "us")
    return 1'000'000;
  if (unit == "ns")
    return 1'000'000'000;
  throw ValueError("\"" + unit + R"(" is none of "s", "ms", "us", "ns")");
}

nb::tuple parse_dates(nb::handle key, const std::string& format, const std::string& unit) {
  FrameArguments arguments;
  const frames::Key strings = arguments.key(key);
  if (!strings.is_strings())
    throw TypeError("only keys (\"string\", offsets, bytes, mask) are strings");
  const frames::DateFormat parsed_format(format);
  const std::int64_t per_second = per_second_of(unit);
  frames::ParsedDates made = [&] {
    const GilReleased no_gil;
    return frames::parse_dates(engine().runtime(), strings, parsed_format, per_second);
  }();
  const bool has_zones = made.zoned_rows > 0;
  const bool has_bad = made.bad_rows > 0;
  return nb::make_tuple(
      numpy_of(made.values, DType::int64),
      has_zones ? numpy_of(made.offsets, DType::int32) : nb::none(),
      has_bad ? numpy_of(made.states, DType::uint8) : nb::none(),
      made.needs_nanoseconds);
}

}  // namespace

void bind_frame_dates(nb::class_<Frames>& frames) {
  frames.def_static(
      "parse_dates",
      parse_dates,
      "key"_a,
      "format"_a,
      "unit"_a,
      "Dates of a key of strings by a format of strptime, \"\" for ISO 8601, on all threads: "
      "counts\n"
      "of the unit (int64) of what clocks show; offsets from UTC in seconds (int32, the least "
      "number\n"
      "where none is named), None if no row names one; what became of each row (uint8: 0 read, 1\n"
      "missing, 2 unlike the format, 3 no date, 4 out of the unit's range), None if all are read\n"
      "or missing; and whether a second has more than six digits.");
}

}  // namespace phalanx::bindings
