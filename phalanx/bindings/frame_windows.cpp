// Moving windows of rows, and exponentially weighted ones.
#include <Python.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/frames.h"
#include "phalanx/bindings/gil.h"
#include "phalanx/frames/gaps.h"
#include "phalanx/frames/windows.h"

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace)

namespace phalanx::bindings {
namespace {

// The keywords of one request, and the arrays that they name.
class Keywords {
 public:
  Keywords(nb::handle given, FrameArguments& arguments)
      : given_(nb::cast<nb::dict>(given)), arguments_(arguments) {}

  template <typename Value>
  void take(const char* name, Value& value) const {
    if (given_.contains(name))
      value = nb::cast<Value>(given_[name]);
  }
  const double* floats(const char* name, std::int64_t size) const {
    if (!given_.contains(name) || given_[name].is_none())
      return nullptr;
    const HostArray& found = arguments_.array(given_[name], name);
    if (found.size() != size)
      throw ValueError(
          std::string(name) + " of " + std::to_string(found.size()) + " elements where " +
          std::to_string(size) + " are expected");
    return found.elements<double>(DType::float64);
  }
  template <typename Enum, typename Find>
  void take_name(const char* name, const Find& find, Enum& value) const {
    std::string text;
    take(name, text);
    if (text.empty())
      return;
    const auto found = find(text);
    if (!found)
      throw ValueError("there is no " + std::string(name) + " \"" + text + "\"");
    value = *found;
  }

 private:
  nb::dict given_;
  FrameArguments& arguments_;
};

frames::WindowStatistic statistic_of(
    nb::handle given, std::int64_t rows, FrameArguments& arguments) {
  using frames::WindowKind;
  const Keywords keywords(given, arguments);
  frames::WindowStatistic made;
  keywords.take_name("kind", frames::window_kind_named, made.kind);
  keywords.take_name("interpolation", frames::interpolation_named, made.interpolation);
  keywords.take_name("rank", frames::rank_named, made.rank);
  made.values = keywords.floats("values", rows);
  made.second = keywords.floats("second", rows);
  const bool is_pair = made.kind == WindowKind::cov || made.kind == WindowKind::corr;
  if (made.values == nullptr || is_pair != (made.second != nullptr))
    throw TypeError("a statistic has values, and cov and corr have second ones");
  keywords.take("min_periods", made.min_periods);
  keywords.take("ddof", made.ddof);
  keywords.take("quantile", made.quantile);
  keywords.take("descending", made.is_descending);
  keywords.take("fraction", made.is_fraction);
  if (!(made.quantile >= 0 && made.quantile <= 1))
    throw ValueError("a quantile is from 0 to 1");
  return made;
}

nb::list arrays_of(std::vector<frames::Memory<double>>& made) {
  nb::list results;
  for (frames::Memory<double>& each : made) results.append(numpy_of(each, DType::float64));
  return results;
}

frames::Windows windows_of(std::int64_t rows, nb::handle bounds, FrameArguments& arguments) {
  frames::Windows made;
  made.rows = rows;
  const auto given = nb::cast<nb::tuple>(bounds);
  if (given.size() == 2) {
    const HostArray& starts = arguments.array(given[0], "the starts");
    const HostArray& ends = arguments.array(given[1], "the ends");
    made.starts = starts.elements<std::int64_t>(DType::int64);
    made.ends = ends.elements<std::int64_t>(DType::int64);
    made.count = starts.size();
    if (starts.size() != ends.size())
      throw ValueError("windows have as many starts as ends");
    return made;
  }
  std::tie(made.count, made.first, made.last, made.step) =
      nb::cast<std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>>(given);
  if (made.count < 0 || made.step < 1)
    throw ValueError("windows are of a count that is not negative and a step of at least 1");
  return made;
}

nb::list slide(std::int64_t rows, nb::handle bounds, nb::handle statistics) {
  FrameArguments arguments;
  const frames::Windows windows = windows_of(rows, bounds, arguments);
  std::vector<frames::WindowStatistic> wanted;
  for (const nb::handle each : nb::iter(statistics))
    wanted.push_back(statistic_of(each, rows, arguments));
  std::vector<frames::Memory<double>> made;
  {
    const GilReleased no_gil;
    made = frames::slide(engine().runtime(), windows, wanted);
  }
  return arrays_of(made);
}

frames::Decay decay_of(nb::handle given, std::int64_t rows, FrameArguments& arguments) {
  const Keywords keywords(given, arguments);
  frames::Decay made;
  std::string kind = "mean";
  keywords.take("kind", kind);
  made.kind = kind == "mean"  ? frames::Decay::Kind::mean
              : kind == "sum" ? frames::Decay::Kind::sum
                              : frames::Decay::Kind::cov;
  made.values = keywords.floats("values", rows);
  made.second = keywords.floats("second", rows);
  if (made.values == nullptr || (made.kind == frames::Decay::Kind::cov) != (made.second != nullptr))
    throw TypeError("a request has values, and one of cov has second ones");
  made.gaps = rows == 0 ? nullptr : keywords.floats("gaps", rows - 1);
  made.rows = rows;
  keywords.take("com", made.com);
  if (!(made.com >= 0))
    throw ValueError("com is not negative");
  keywords.take("adjust", made.is_adjusted);
  keywords.take("ignore_na", made.ignores_missing);
  keywords.take("bias", made.is_biased);
  keywords.take("min_periods", made.min_periods);
  return made;
}

std::vector<std::int64_t> bounds_of(nb::handle given, FrameArguments& arguments) {
  const HostArray& found = arguments.array(given, "the bounds");
  const auto* const first = found.elements<std::int64_t>(DType::int64);
  std::vector<std::int64_t> bounds(first, first + found.size());
  if (bounds.empty() || bounds.front() != 0 || !std::ranges::is_sorted(bounds))
    throw ValueError("bounds are from 0 up to the number of rows");
  return bounds;
}

// Keywords: closed_left, closed_right, center.
nb::tuple span_edges(
    nb::handle given_times, nb::handle given_bounds, std::int64_t width, nb::handle keywords) {
  FrameArguments arguments;
  const HostArray& times = arguments.array(given_times, "the times");
  const std::vector<std::int64_t> bounds = bounds_of(given_bounds, arguments);
  if (times.size() != bounds.back())
    throw ValueError("the last bound is the number of times");
  frames::Spans spans;
  spans.times = times.elements<std::int64_t>(DType::int64);
  spans.bounds = bounds;
  spans.width = width;
  const Keywords given(keywords, arguments);
  given.take("closed_left", spans.has_start);
  given.take("closed_right", spans.has_end);
  given.take("center", spans.is_centered);
  frames::Edges made;
  {
    const GilReleased no_gil;
    made = frames::edges_of_spans(engine().runtime(), spans);
  }
  return nb::make_tuple(numpy_of(made.starts, DType::int64), numpy_of(made.ends, DType::int64));
}

nb::list decay(nb::handle given_bounds, nb::handle requests) {
  FrameArguments arguments;
  const std::vector<std::int64_t> bounds = bounds_of(given_bounds, arguments);
  std::vector<frames::Decay> wanted;
  for (const nb::handle each : nb::iter(requests)) {
    wanted.push_back(decay_of(each, bounds.back(), arguments));
    wanted.back().bounds = bounds;
  }
  std::vector<frames::Memory<double>> made;
  {
    const GilReleased no_gil;
    made = frames::decay(engine().runtime(), wanted);
  }
  return arrays_of(made);
}

// Keywords: rule, positions, from_begin, from_end, limit, inside, outside.
frames::GapFill gap_fill_of(nb::handle given, std::int64_t rows, FrameArguments& arguments) {
  const Keywords keywords(given, arguments);
  frames::GapFill made;
  keywords.take_name("rule", frames::gap_rule_named, made.rule);
  made.positions = keywords.floats("positions", rows);
  keywords.take("from_begin", made.counts_from_begin);
  keywords.take("from_end", made.counts_from_end);
  keywords.take("limit", made.limit);
  keywords.take("inside", made.fills_inside);
  keywords.take("outside", made.fills_outside);
  return made;
}

nb::tuple fill_gaps(nb::handle values, nb::handle mask, nb::handle keywords) {
  FrameArguments arguments;
  const frames::Column column = arguments.column(values, mask);
  const frames::GapFill fill = gap_fill_of(keywords, column.rows, arguments);
  frames::Aggregated made;
  {
    const GilReleased no_gil;
    made = frames::fill_gaps(engine().runtime(), column, fill);
  }
  const nb::object valid =
      made.valid.size() == 0 ? nb::none() : numpy_of(made.valid, DType::boolean);
  return nb::make_tuple(numpy_of_buffer(made.values.take_buffer(), made.dtype, column.rows), valid);
}

nb::object rows_of_gaps(nb::handle valid, nb::handle keywords) {
  FrameArguments arguments;
  const HostArray& mask = arguments.array(valid, "the mask's elements");
  const auto* const bytes = mask.elements<std::uint8_t>(DType::boolean);
  const frames::GapFill fill = gap_fill_of(keywords, mask.size(), arguments);
  frames::Memory<std::int64_t> made;
  {
    const GilReleased no_gil;
    made = frames::rows_of_gaps(engine().runtime(), bytes, mask.size(), fill);
  }
  return numpy_of(made, DType::int64);
}

}  // namespace

void bind_frame_windows(nb::class_<Frames>& frames) {
  frames.def_static(
      "slide",
      slide,
      "rows"_a,
      "bounds"_a,
      "statistics"_a,
      "A number (float64) for each window of rows and each statistic. Bounds: arrays of starts\n"
      "and ends (int64), neither of which goes back; or (count, first, last, step) of windows\n"
      "first + i * step : last + i * step. A statistic is a dict of kind, values (float64; NaN\n"
      "and infinities are missing), min_periods, and what the kind needs of second, ddof,\n"
      "quantile, interpolation, rank, descending, fraction.");
  frames.def_static(
      "span_edges",
      span_edges,
      "times"_a,
      "bounds"_a,
      "width"_a,
      "keywords"_a,
      "Starts and ends (int64) of windows of time that end with each row, of times (int64) that\n"
      "are sorted between bounds. Keywords: closed_left, closed_right, center.");
  frames.def_static(
      "fill_gaps",
      fill_gaps,
      "values"_a,
      "mask"_a.none(),
      "keywords"_a,
      "Values with missing ones filled, and the mask that is left, None where there was none.\n"
      "Keywords: rule (before, after, linear, nearest, zero), positions (float64), from_begin,\n"
      "from_end, limit, inside, outside.");
  frames.def_static(
      "rows_of_gaps",
      rows_of_gaps,
      "valid"_a,
      "keywords"_a,
      "For each row the row (int64) whose value it gets where gaps are filled, -1 for none.");
  frames.def_static(
      "decay",
      decay,
      "bounds"_a,
      "requests"_a,
      "Exponentially weighted numbers (float64) for each row and request; all begins anew at each\n"
      "of the bounds (int64), which end with the number of rows. A request is a dict of kind\n"
      "(mean, sum, cov), values, second (of cov), gaps, com, adjust, ignore_na, bias,\n"
      "min_periods.");
}

}  // namespace phalanx::bindings
