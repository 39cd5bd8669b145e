// Decimals of 128 bits.
#include <Python.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <string>
#include <tuple>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/frames.h"
#include "phalanx/bindings/gil.h"
#include "phalanx/frames/decimals.h"

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace)

namespace phalanx::bindings {
namespace {

template <typename Work>
auto without_gil(const Work& work) {
  const GilReleased no_gil;
  return work(engine().runtime());
}

// (words, mask): the words of a row one after the other, the low one first.
frames::Decimals decimals_of(FrameArguments& arguments, nb::handle given) {
  const auto parts = nb::cast<nb::tuple>(given);
  if (parts.size() != 2)
    throw TypeError("decimals are (words, mask)");
  const HostArray& words = arguments.array(parts[0], "the words of decimals");
  frames::Decimals made;
  made.words = words.elements<std::int64_t>(DType::int64);
  made.rows = words.size() / 2;
  if (words.size() % 2 != 0)
    throw ValueError("decimals have two words each");
  made.valid = arguments.mask_of(parts[1], made.rows);
  return made;
}

// Without codes all rows are one group.
frames::Codes codes_of(
    FrameArguments& arguments, nb::handle given, std::int64_t groups, std::int64_t rows) {
  if (!given.is_none())
    return arguments.codes(given, groups);
  frames::Codes made;
  made.rows = rows;
  made.groups = 1;
  return made;
}

template <typename Found>
auto known(const Found& found, const std::string& name) {
  if (!found)
    throw ValueError("decimals have no operation \"" + name + "\"");
  return *found;
}

nb::tuple made_to_python(frames::MadeDecimals& made) {
  return nb::make_tuple(numpy_of(made.words, DType::int64), made.failed);
}

nb::tuple compute_decimals(
    const std::string& name, nb::handle left, nb::handle right, std::tuple<int, int> shifts) {
  FrameArguments arguments;
  const auto operation = known(frames::decimal_operation_named(name), name);
  const frames::Decimals operands[] = {decimals_of(arguments, left), decimals_of(arguments, right)};
  const int powers[] = {std::get<0>(shifts), std::get<1>(shifts)};
  frames::MadeDecimals made = without_gil([&](runtime::Runtime& runtime) {
    return frames::compute_decimals(runtime, operation, operands, powers);
  });
  return made_to_python(made);
}

nb::tuple scale_decimals(
    nb::handle given, int power, int precision, const std::string& rounding_name) {
  FrameArguments arguments;
  const frames::Decimals decimals = decimals_of(arguments, given);
  const auto rounding = known(frames::decimal_rounding_named(rounding_name), rounding_name);
  frames::MadeDecimals made = without_gil([&](runtime::Runtime& runtime) {
    return frames::scale_decimals(runtime, decimals, power, precision, rounding);
  });
  return made_to_python(made);
}

nb::object decimals_to_floats(nb::handle given, int scale) {
  FrameArguments arguments;
  const frames::Decimals decimals = decimals_of(arguments, given);
  frames::Memory<double> made = without_gil([&](runtime::Runtime& runtime) {
    return frames::decimals_to_floats(runtime, decimals, scale);
  });
  return numpy_of(made, DType::float64);
}

nb::tuple floats_to_decimals(nb::handle values, nb::handle mask, int scale, int precision) {
  FrameArguments arguments;
  const frames::Column column = arguments.column(values, mask);
  frames::MadeDecimals made = without_gil([&](runtime::Runtime& runtime) {
    return frames::floats_to_decimals(runtime, column, scale, precision);
  });
  return made_to_python(made);
}

nb::tuple write_decimals(nb::handle given, int scale) {
  FrameArguments arguments;
  const frames::Decimals decimals = decimals_of(arguments, given);
  frames::WrittenTexts made = without_gil(
      [&](runtime::Runtime& runtime) { return frames::write_decimals(runtime, decimals, scale); });
  return nb::make_tuple(
      numpy_of(made.offsets, DType::int64),
      numpy_of_buffer(made.bytes.take_buffer(), DType::uint8, made.bytes.size()));
}

nb::tuple read_decimals(nb::handle given, int scale, int precision) {
  FrameArguments arguments;
  const frames::Key key = arguments.key(given);
  if (!key.is_strings())
    throw TypeError("only keys (\"string\", offsets, bytes, mask) are texts");
  frames::MadeDecimals made = without_gil([&](runtime::Runtime& runtime) {
    return frames::read_decimals(runtime, key, scale, precision);
  });
  return made_to_python(made);
}

nb::tuple fold_decimals(
    nb::handle given_codes,
    std::int64_t groups,
    nb::handle given,
    const std::string& name,
    int scale) {
  FrameArguments arguments;
  const auto fold = known(frames::decimal_fold_named(name), name);
  const frames::Decimals decimals = decimals_of(arguments, given);
  const frames::Codes codes = codes_of(arguments, given_codes, groups, decimals.rows);
  frames::FoldedDecimals made = without_gil([&](runtime::Runtime& runtime) {
    return frames::fold_decimals(runtime, codes, decimals, fold, scale);
  });
  return nb::make_tuple(
      numpy_of(made.words, DType::int64), numpy_of(made.counts, DType::int64), made.failed);
}

nb::tuple run_decimals(
    nb::handle given_codes, std::int64_t groups, nb::handle given, const std::string& name) {
  FrameArguments arguments;
  const auto fold = known(frames::decimal_fold_named(name), name);
  const frames::Decimals decimals = decimals_of(arguments, given);
  const frames::Codes codes = codes_of(arguments, given_codes, groups, decimals.rows);
  frames::MadeDecimals made = without_gil([&](runtime::Runtime& runtime) {
    return frames::run_decimals(runtime, codes, decimals, fold);
  });
  return made_to_python(made);
}

void bind_forms(nb::class_<Frames>& frames) {
  frames.def_static(
      "decimals_to_floats",
      decimals_to_floats,
      "decimals"_a,
      "scale"_a,
      "The nearest float64 of each, NaN of missing ones.");
  frames.def_static(
      "floats_to_decimals",
      floats_to_decimals,
      "values"_a,
      "mask"_a.none(),
      "scale"_a,
      "precision"_a,
      "The nearest decimals of float64, and a row that has none, or -1.");
  frames.def_static(
      "write_decimals",
      write_decimals,
      "decimals"_a,
      "scale"_a,
      "Offsets and bytes of decimals as Python writes them.");
  frames.def_static(
      "read_decimals",
      read_decimals,
      "key"_a,
      "scale"_a,
      "precision"_a,
      "Texts read as decimals, and a row that is none, or -1.");
}

}  // namespace

void bind_frame_decimals(nb::class_<Frames>& frames) {
  frames.def_static(
      "compute_decimals",
      compute_decimals,
      "name"_a,
      "left"_a,
      "right"_a,
      "shifts"_a,
      "Words of add, sub, mul or div of (words, mask) each, of which one row meets all, and a row\n"
      "that failed, or -1. Each side is first multiplied by ten to the power of its shift.");
  frames.def_static(
      "scale_decimals",
      scale_decimals,
      "decimals"_a,
      "power"_a,
      "precision"_a,
      "rounding"_a,
      "Decimals times ten to a power, and a row that failed, or -1. Rounding: exact, half_even or\n"
      "floor.");
  frames.def_static(
      "fold_decimals",
      fold_decimals,
      "codes"_a.none(),
      "groups"_a,
      "decimals"_a,
      "name"_a,
      "scale"_a,
      "Words of sum, mean, product, min or max for each group, the rows that are not missing, and\n"
      "a group that failed, or -1. Without codes all rows are one group.");
  frames.def_static(
      "run_decimals",
      run_decimals,
      "codes"_a.none(),
      "groups"_a,
      "decimals"_a,
      "name"_a,
      "Words of sum, min or max of the rows of a group up to each, and a row that failed, or -1.");
  bind_forms(frames);
}

}  // namespace phalanx::bindings
