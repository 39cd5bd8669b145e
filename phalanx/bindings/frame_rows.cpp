// Joins and orders of rows, rows taken, and numbers of rows in their groups.
#include <Python.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/frames.h"
#include "phalanx/bindings/gil.h"
#include "phalanx/frames/in_groups.h"
#include "phalanx/frames/joins.h"
#include "phalanx/frames/order.h"
#include "phalanx/frames/spread.h"
#include "phalanx/frames/take.h"

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace)

namespace phalanx::bindings {
namespace {

template <typename Work>
auto without_gil(const Work& work) {
  const GilReleased no_gil;
  return work(engine().runtime());
}

template <typename Enum>
Enum known(std::optional<Enum> found, const std::string& name, const char* names) {
  if (!found)
    throw ValueError("\"" + name + "\" is none of " + names);
  return *found;
}

nb::object valid_of(frames::Memory<std::uint8_t>& valid) {
  return valid.size() == 0 ? nb::none() : numpy_of(valid, DType::boolean);
}

frames::RowNumbers rows_of(nb::handle given, FrameArguments& arguments) {
  const HostArray& rows = arguments.array(given, "the rows");
  return {rows.elements<std::int64_t>(DType::int64), static_cast<std::size_t>(rows.size())};
}

nb::tuple strings_of(frames::TakenStrings& taken) {
  return nb::make_tuple(
      numpy_of(taken.offsets, DType::int64),
      numpy_of_buffer(taken.bytes.take_buffer(), DType::uint8, taken.bytes.size()),
      valid_of(taken.valid));
}

nb::tuple join_rows(nb::handle left, nb::handle right, const std::string& how) {
  FrameArguments arguments;
  const std::vector<frames::Key> left_keys = arguments.keys(left);
  const std::vector<frames::Key> right_keys = arguments.keys(right);
  const auto kind = known(
      frames::join_named(how),
      how,
      "\"inner\", \"left\", \"right\", \"outer\", \"semi\", \"anti\"");
  frames::JoinedRows made = without_gil([&](runtime::Runtime& runtime) {
    return frames::join_rows(runtime, left_keys, right_keys, kind);
  });
  return nb::make_tuple(numpy_of(made.left, DType::int64), numpy_of(made.right, DType::int64));
}

// A side: its sorted column and a sequence of keys.
using SideArgument = std::tuple<nb::object, nb::object>;

nb::object asof_rows(
    const SideArgument& left,
    const SideArgument& right,
    const std::string& direction,
    double tolerance,
    bool allows_exact) {
  FrameArguments arguments;
  const std::vector<frames::Key> left_keys = arguments.keys(std::get<1>(left));
  const std::vector<frames::Key> right_keys = arguments.keys(std::get<1>(right));
  const frames::AsofSide left_side = {arguments.column(std::get<0>(left), nb::none()), left_keys};
  const frames::AsofSide right_side = {
      arguments.column(std::get<0>(right), nb::none()), right_keys};
  const auto kind = known(
      frames::direction_named(direction), direction, "\"backward\", \"forward\", \"nearest\"");
  frames::Memory<std::int64_t> found = without_gil([&](runtime::Runtime& runtime) {
    return frames::asof_rows(runtime, left_side, right_side, {kind, allows_exact, tolerance});
  });
  return numpy_of(found, DType::int64);
}

nb::object order_rows(
    nb::handle given, const std::vector<bool>& is_descending, bool missing_first) {
  FrameArguments arguments;
  const std::vector<frames::Key> keys = arguments.keys(given);
  frames::Memory<std::int64_t> rows = without_gil([&](runtime::Runtime& runtime) {
    return frames::order_rows(runtime, keys, is_descending, missing_first);
  });
  return numpy_of(rows, DType::int64);
}

nb::tuple take(nb::handle values, nb::handle mask, nb::handle given) {
  FrameArguments arguments;
  const HostArray& array = arguments.array(values, "the values");
  const frames::Column column = {
      array.dtype(), array.data(), arguments.mask_of(mask, array.size()), array.size()};
  const frames::RowNumbers rows = rows_of(given, arguments);
  frames::TakenColumn taken = without_gil([&](runtime::Runtime& runtime) {
    const auto item = static_cast<std::int64_t>(size_of(column.dtype));
    return frames::take_column(runtime, column, item, rows);
  });
  return nb::make_tuple(
      numpy_of_buffer(taken.values.take_buffer(), column.dtype, std::ssize(rows)),
      valid_of(taken.valid));
}

nb::tuple take_strings(nb::handle key, nb::handle given) {
  FrameArguments arguments;
  const frames::Key strings = arguments.key(key);
  if (!strings.is_strings())
    throw TypeError("only keys (\"string\", offsets, bytes, mask) are strings");
  const frames::RowNumbers rows = rows_of(given, arguments);
  frames::TakenStrings taken = without_gil(
      [&](runtime::Runtime& runtime) { return frames::take_strings(runtime, strings, rows); });
  return strings_of(taken);
}

nb::object rows_of_mask(nb::handle given) {
  FrameArguments arguments;
  const HostArray& mask = arguments.array(given, "the mask's elements");
  const std::span<const std::uint8_t> bytes = {
      mask.elements<std::uint8_t>(DType::boolean), static_cast<std::size_t>(mask.size())};
  frames::Memory<std::int64_t> rows =
      without_gil([&](runtime::Runtime& runtime) { return frames::rows_of_mask(runtime, bytes); });
  return numpy_of(rows, DType::int64);
}

nb::tuple concatenate_strings(nb::handle given) {
  FrameArguments arguments;
  const std::vector<frames::Key> keys = arguments.keys(given);
  frames::TakenStrings made = without_gil(
      [&](runtime::Runtime& runtime) { return frames::concatenate_strings(runtime, keys); });
  return strings_of(made);
}

nb::tuple result_of(frames::Aggregated& made, std::int64_t rows) {
  return nb::make_tuple(
      numpy_of_buffer(made.values.take_buffer(), made.dtype, rows), valid_of(made.valid));
}

nb::tuple running(
    nb::handle codes,
    std::int64_t groups,
    const std::string& name,
    nb::handle values,
    nb::handle mask) {
  FrameArguments arguments;
  const frames::Codes checked = arguments.codes(codes, groups);
  const auto kind =
      known(frames::running_named(name), name, "\"sum\", \"product\", \"min\", \"max\", \"count\"");
  const bool has_values = kind != frames::RunningKind::count;
  const frames::Column column = has_values ? arguments.column(values, mask) : frames::Column();
  frames::Aggregated made = without_gil(
      [&](runtime::Runtime& runtime) { return frames::running(runtime, checked, column, kind); });
  return result_of(made, checked.rows);
}

nb::tuple rank_rows(
    nb::handle codes,
    std::int64_t groups,
    nb::handle key,
    const std::string& method,
    bool is_descending) {
  FrameArguments arguments;
  const frames::Codes checked = arguments.codes(codes, groups);
  const frames::Key values = arguments.key(key);
  const auto kind = known(
      frames::rank_named(method), method, "\"average\", \"min\", \"max\", \"first\", \"dense\"");
  frames::Aggregated made = without_gil([&](runtime::Runtime& runtime) {
    return frames::rank_rows(runtime, checked, values, kind, is_descending);
  });
  return result_of(made, checked.rows);
}

nb::tuple best_rows(
    nb::handle codes,
    std::int64_t groups,
    const std::tuple<nb::object, nb::object>& column,
    std::int64_t count,
    bool takes_greatest) {
  FrameArguments arguments;
  const frames::Codes checked = arguments.codes(codes, groups);
  const frames::Column values = arguments.column(std::get<0>(column), std::get<1>(column));
  frames::RowsByGroup made = without_gil([&](runtime::Runtime& runtime) {
    return frames::best_rows(runtime, checked, values, count, takes_greatest);
  });
  return nb::make_tuple(numpy_of(made.rows, DType::int64), numpy_of(made.starts, DType::int64));
}

void bind_joins(nb::class_<Frames>& frames) {
  frames.def_static(
      "join_rows",
      join_rows,
      "left"_a,
      "right"_a,
      "how"_a,
      "Pairs of rows (int64, -1: no partner) whose keys are equal, in pandas' order; `how` is\n"
      "inner, left, right, outer, semi or anti. Missing keys are equal to one another.");
  frames.def_static(
      "asof_rows",
      asof_rows,
      "left"_a,
      "right"_a,
      "direction"_a = "backward",
      "tolerance"_a = -1.0,
      "allows_exact"_a = true,
      "For each left row the nearest right row, or -1 (int64). A side is (column, keys): the\n"
      "column is sorted, the keys must be equal. `tolerance`: less than 0 is any distance.");
  frames.def_static(
      "order_rows",
      order_rows,
      "keys"_a,
      "descending"_a = std::vector<bool>(),
      "missing_first"_a = false,
      "The rows in order of the keys (int64), the first key first; equal rows stay in order.");
}

void bind_takes(nb::class_<Frames>& frames) {
  frames.def_static(
      "take",
      take,
      "values"_a,
      "mask"_a.none(),
      "rows"_a,
      "The values at rows (int64; -1 is missing) and which there are, None if all. Of datetimes\n"
      "int64.");
  frames.def_static(
      "take_strings",
      take_strings,
      "key"_a,
      "rows"_a,
      "As take, of strings: offsets (int64), bytes (uint8) and which there are.");
  frames.def_static(
      "rows_of_mask", rows_of_mask, "mask"_a, "The rows (int64) where a bool array is True.");
  frames.def_static(
      "concatenate_strings",
      concatenate_strings,
      "keys"_a,
      "One column after another: offsets (int64), bytes (uint8) and which there are.");
}

void bind_places(nb::class_<Frames>& frames) {
  frames.def_static(
      "shifted_rows",
      [](nb::handle codes, std::int64_t groups, std::int64_t periods) {
        FrameArguments arguments;
        const frames::Codes checked = arguments.codes(codes, groups);
        frames::Memory<std::int64_t> rows = without_gil([&](runtime::Runtime& runtime) {
          return frames::shifted_rows(runtime, checked, periods);
        });
        return numpy_of(rows, DType::int64);
      },
      "codes"_a,
      "groups"_a,
      "periods"_a,
      "The row that is `periods` before each in its group, -1 where there is none (int64).");
  frames.def_static(
      "rows_at_places",
      [](nb::handle codes,
         std::int64_t groups,
         std::int64_t first,
         std::optional<std::int64_t> last) {
        FrameArguments arguments;
        const frames::Codes checked = arguments.codes(codes, groups);
        frames::Memory<std::int64_t> rows = without_gil([&](runtime::Runtime& runtime) {
          return frames::rows_at_places(runtime, checked, first, last);
        });
        return numpy_of(rows, DType::int64);
      },
      "codes"_a,
      "groups"_a,
      "first"_a,
      "last"_a.none(),
      "The rows (int64) whose places in their groups are in first:last, as of a slice.");
}

}  // namespace

void bind_frame_rows(nb::class_<Frames>& frames) {
  bind_joins(frames);
  bind_takes(frames);
  bind_places(frames);
  frames.def_static(
      "spread_rows",
      [](nb::handle given, std::int32_t parts) {
        FrameArguments arguments;
        const std::vector<frames::Key> keys = arguments.keys(given);
        frames::Memory<std::int32_t> made = without_gil(
            [&](runtime::Runtime& runtime) { return frames::spread_rows(runtime, keys, parts); });
        return numpy_of(made, DType::int32);
      },
      "keys"_a,
      "parts"_a,
      "The part of each row by a hash of its keys (int32), the same for equal keys of any table.");
  frames.def_static(
      "running",
      running,
      "codes"_a,
      "groups"_a,
      "kind"_a,
      "values"_a.none() = nb::none(),
      "mask"_a.none() = nb::none(),
      "For each row what its group's rows up to it make: \"sum\", \"product\", \"min\", \"max\", "
      "or\n"
      "\"count\" of those before it; and which there are, None if all.");
  frames.def_static(
      "rank_rows",
      rank_rows,
      "codes"_a,
      "groups"_a,
      "key"_a,
      "method"_a = "average",
      "descending"_a = false,
      "Each row's rank in its group from 1 on (float64), and which there are, None if all.");
  frames.def_static(
      "best_rows",
      best_rows,
      "codes"_a,
      "groups"_a,
      "column"_a,
      "count"_a,
      "greatest"_a = true,
      "The rows (int64) of the greatest values (array, mask) of each group, the best first, the\n"
      "groups in order; and where groups begin and the last one ends.");
}

}  // namespace phalanx::bindings
