// Groups of rows, and what is made of each group's rows.
#include <Python.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/frames.h"
#include "phalanx/bindings/gil.h"
#include "phalanx/frames/aggregate.h"
#include "phalanx/frames/by_group.h"
#include "phalanx/frames/key_words.h"
#include "phalanx/frames/quantiles.h"
#include "phalanx/frames/runs.h"

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace)

namespace phalanx::bindings {
namespace {

nb::tuple group_rows(nb::handle given, bool drops_missing) {
  FrameArguments arguments;
  const std::vector<frames::Key> keys = arguments.keys(given);
  frames::Groups groups;
  {
    const GilReleased no_gil;
    groups = frames::group_rows(engine().runtime(), keys, drops_missing);
  }
  const nb::object codes = groups.is_wide() ? numpy_of(groups.wide_codes, DType::int64)
                                            : numpy_of(groups.narrow_codes, DType::int32);
  return nb::make_tuple(codes, groups.count, numpy_of(groups.first_rows, DType::int64));
}

// What follows the kind: ddof of var and std; the quantile and its interpolation; the second
// column, its mask and ddof of corr and cov.
void add_argument(frames::Aggregation& aggregation, nb::handle given, FrameArguments& arguments) {
  using frames::AggregateKind;
  const AggregateKind kind = aggregation.kind;
  if (kind == AggregateKind::corr || kind == AggregateKind::cov) {
    const auto [values, mask, ddof] = nb::cast<std::tuple<nb::object, nb::object, int>>(given);
    aggregation.second = arguments.column(values, mask);
    aggregation.ddof = ddof;
  } else if (kind == AggregateKind::quantile) {
    const auto [quantile, name] = nb::cast<std::tuple<double, std::string>>(given);
    const auto interpolation = frames::interpolation_named(name);
    if (!interpolation)
      throw ValueError(
          "\"" + name + "\" is no interpolation: linear, lower, higher, nearest or midpoint");
    aggregation.quantile = quantile;
    aggregation.interpolation = *interpolation;
  } else {
    aggregation.ddof = nb::cast<int>(given);
  }
}

frames::Aggregation aggregation_of(const nb::tuple& row, FrameArguments& arguments) {
  if (row.size() < 3)
    throw TypeError("an aggregation is (values, mask, kind) or (values, mask, kind, argument)");
  const auto name = nb::cast<std::string>(row[2]);
  const auto kind = frames::aggregate_named(name);
  if (!kind)
    throw ValueError("there is no aggregation \"" + name + "\"");
  frames::Aggregation aggregation = {*kind, arguments.column(row[0], row[1])};
  if (row.size() > 3)
    add_argument(aggregation, row[3], arguments);
  else if (*kind == frames::AggregateKind::corr || *kind == frames::AggregateKind::cov)
    throw TypeError(name + " takes (values, mask, ddof) of the second column");
  return aggregation;
}

std::vector<frames::Aggregation> aggregations_of(
    const std::vector<nb::tuple>& rows, FrameArguments& arguments) {
  std::vector<frames::Aggregation> made;
  for (const nb::tuple& row : rows) made.push_back(aggregation_of(row, arguments));
  return made;
}

nb::list tuples_of(std::vector<frames::Aggregated>& made, std::int64_t groups) {
  nb::list results;
  for (frames::Aggregated& each : made) {
    const nb::object valid =
        each.valid.size() == 0 ? nb::none() : numpy_of(each.valid, DType::boolean);
    results.append(
        nb::make_tuple(numpy_of_buffer(each.values.take_buffer(), each.dtype, groups), valid));
  }
  return results;
}

nb::list aggregate(nb::handle codes, std::int64_t groups, const std::vector<nb::tuple>& rows) {
  FrameArguments arguments;
  const frames::Codes checked = arguments.codes(codes, groups);
  const std::vector<frames::Aggregation> aggregations = aggregations_of(rows, arguments);
  std::vector<frames::Aggregated> made;
  {
    const GilReleased no_gil;
    made = frames::aggregate(engine().runtime(), checked, aggregations);
  }
  return tuples_of(made, groups);
}

std::span<const std::int64_t> integers(
    nb::handle given, const char* what, FrameArguments& arguments) {
  const HostArray& array = arguments.array(given, what);
  return {array.elements<std::int64_t>(DType::int64), static_cast<std::size_t>(array.size())};
}

nb::list aggregate_runs(nb::handle bounds, const std::vector<nb::tuple>& rows) {
  FrameArguments arguments;
  const frames::Runs runs = {integers(bounds, "the bounds", arguments)};
  const std::vector<frames::Aggregation> aggregations = aggregations_of(rows, arguments);
  std::vector<frames::Aggregated> made;
  {
    const GilReleased no_gil;
    made = frames::aggregate_runs(engine().runtime(), runs, aggregations);
  }
  return tuples_of(made, runs.groups());
}

nb::object rows_before(nb::handle times, nb::handle edges, bool is_closed) {
  FrameArguments arguments;
  const std::span<const std::int64_t> sorted = integers(times, "the times", arguments);
  const std::span<const std::int64_t> sought = integers(edges, "the edges", arguments);
  frames::Memory<std::int64_t> made;
  {
    const GilReleased no_gil;
    made = frames::rows_before(engine().runtime(), sorted, sought, is_closed);
  }
  return numpy_of(made, DType::int64);
}

void bind_runs(nb::class_<Frames>& frames) {
  frames.def_static(
      "aggregate_runs",
      aggregate_runs,
      "bounds"_a,
      "aggregations"_a,
      "As `aggregate`, of groups whose rows follow one another: group i has those from bounds[i]\n"
      "up to bounds[i + 1] (int64).");
  frames.def_static(
      "rows_before",
      rows_before,
      "times"_a,
      "edges"_a,
      "closed"_a,
      "How many of sorted int64 times are before each of sorted edges, with `closed` also those\n"
      "equal to it (int64).");
}

}  // namespace

void bind_frame_groups(nb::class_<Frames>& frames) {
  bind_runs(frames);
  frames.def_static(
      "group_rows",
      group_rows,
      "keys"_a,
      "drops_missing"_a = true,
      "The group of each row by the keys' values, numbered in order of their first rows: codes\n"
      "(int32, int64 of 2^31 rows and more; -1 for rows of missing keys, if dropped), the number\n"
      "of groups, and the first row of each (int64).");
  frames.def_static(
      "aggregate",
      aggregate,
      "codes"_a,
      "groups"_a,
      "aggregations"_a,
      "Numbers for each group: of (values, mask, kind[, argument]) a tuple (values, valid), where\n"
      "`valid` is None if all groups have one. The argument: ddof of var and std; (quantile,\n"
      "interpolation); (values, mask, ddof) of the second column of corr and cov.");
  frames.def_static(
      "rows_by_group",
      [](nb::handle codes, std::int64_t groups) {
        FrameArguments arguments;
        const frames::Codes checked = arguments.codes(codes, groups);
        frames::RowsByGroup made;
        {
          const GilReleased no_gil;
          made = frames::rows_by_group(engine().runtime(), checked);
        }
        return nb::make_tuple(
            numpy_of(made.rows, DType::int64), numpy_of(made.starts, DType::int64));
      },
      "codes"_a,
      "groups"_a,
      "The rows in order of their groups, and where groups begin and the last ends (int64).");
  frames.def_static(
      "count_distinct",
      [](nb::handle codes, std::int64_t groups, nb::handle key) {
        FrameArguments arguments;
        const frames::Codes checked = arguments.codes(codes, groups);
        const frames::Key values = arguments.key(key);
        frames::Memory<std::int64_t> counts;
        {
          const GilReleased no_gil;
          counts = frames::count_distinct(engine().runtime(), checked, values);
        }
        return numpy_of(counts, DType::int64);
      },
      "codes"_a,
      "groups"_a,
      "key"_a,
      "How many different values of a key each group has that are not missing (int64).");
}

}  // namespace phalanx::bindings
