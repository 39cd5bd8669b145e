// Reading of CSV text, as columns of NumPy's arrays.
#include <Python.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/bind.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/gil.h"
#include "phalanx/bindings/lent_bytes.h"
#include "phalanx/bindings/numpy_make.h"
#include "phalanx/frames/csv_reader.h"
#include "phalanx/views/device_array.h"

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace)

namespace phalanx::bindings {
namespace {

namespace csv = frames::csv;

struct KindName {
  csv::Kind kind;
  const char* name;
  DType values;
};
constexpr std::array kinds = {
    KindName{csv::Kind::inferred, "inferred", DType::boolean},
    KindName{csv::Kind::int64, "int64", DType::int64},
    KindName{csv::Kind::uint64, "uint64", DType::uint64},
    KindName{csv::Kind::float64, "float64", DType::float64},
    KindName{csv::Kind::boolean, "bool", DType::boolean},
    KindName{csv::Kind::string, "string", DType::boolean},
    KindName{csv::Kind::category, "category", DType::int32},
    KindName{csv::Kind::dictionary, "dictionary", DType::int32},
    KindName{csv::Kind::datetime, "datetime", DType::int64},
    KindName{csv::Kind::empty, "empty", DType::boolean},
};
constexpr std::array<std::string_view, 4> units = {"s", "ms", "us", "ns"};
constexpr std::array<std::string_view, 3> bad_lines = {"error", "warn", "skip"};

template <typename Names>
std::size_t index_of(const Names& names, const std::string& name, const char* what) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw ValueError("there is no " + std::string(what) + " '" + name + "'");
  return static_cast<std::size_t>(found - names.begin());
}

const KindName& kind_named(const std::string& name) {
  for (const KindName& each : kinds) {
    if (name == each.name)
      return each;
  }
  throw ValueError("there is no kind '" + name + "'");
}

// What `given` has by that name is assigned.
template <typename Value>
void take(const nb::dict& given, const char* name, Value& value) {
  if (given.contains(name))
    value = nb::cast<Value>(given[name]);
}

csv::Dialect dialect_of(const nb::dict& given) {
  csv::Dialect made;
  take(given, "separator", made.separator);
  take(given, "quote", made.quote);
  take(given, "escape", made.escape);
  take(given, "comment", made.comment);
  take(given, "thousands", made.thousands);
  take(given, "decimal", made.decimal);
  take(given, "doubles_quotes", made.doubles_quotes);
  take(given, "skips_initial_space", made.skips_initial_space);
  take(given, "skips_blank_lines", made.skips_blank_lines);
  return made;
}

csv::Plan plan_of(const nb::dict& given) {
  using WantedTuple = std::tuple<std::int64_t, std::string, std::string, std::string, std::size_t>;
  csv::Plan made;
  take(given, "width", made.width);
  for (const auto& [field, name, kind, unit, missing] :
       nb::cast<std::vector<WantedTuple>>(given["columns"])) {
    const auto time_unit = static_cast<csv::TimeUnit>(index_of(units, unit, "unit"));
    made.columns.push_back({field, name, kind_named(kind).kind, time_unit, missing});
  }
  using MissingTuple = std::pair<std::vector<std::string>, std::vector<double>>;
  for (auto& [texts, numbers] : nb::cast<std::vector<MissingTuple>>(given["missing"]))
    made.missing.push_back({std::move(texts), std::move(numbers)});
  take(given, "true_texts", made.true_texts);
  take(given, "false_texts", made.false_texts);
  std::string bad = "error";
  take(given, "bad_lines", bad);
  made.bad_lines = static_cast<csv::BadLines>(index_of(bad_lines, bad, "choice of bad lines"));
  take(given, "drops_more_fields", made.drops_more_fields);
  take(given, "reads_integers_as_floats", made.reads_integers_as_floats);
  return made;
}

nb::object array_of(const csv::Block& block, DType dtype) {
  if (block.memory == nullptr)
    return nb::none();
  const auto item = static_cast<std::int64_t>(size_of(dtype));
  const std::int64_t count = static_cast<std::int64_t>(block.size) / item;
  const nb::capsule owner(new std::shared_ptr<void>(block.memory), [](void* kept) noexcept {
    delete static_cast<std::shared_ptr<void>*>(kept);
  });
  return make_numpy_array(dtype, {block.memory.get(), {&count, 1}, {&item, 1}}, nb::object(owner));
}

// (kind, unit, values, valid, offsets, bytes)
nb::tuple to_python(const csv::Column& column) {
  const KindName& kind = kinds[static_cast<std::size_t>(column.kind)];
  const bool has_values = column.kind != csv::Kind::string && column.kind != csv::Kind::empty;
  return nb::make_tuple(
      kind.name,
      std::string(units[static_cast<std::size_t>(column.unit)]),
      has_values ? array_of(column.values, kind.values) : nb::none(),
      array_of(column.valid, DType::boolean),
      array_of(column.offsets, DType::int64),
      array_of(column.bytes, DType::uint8));
}

// A reader with what it reads from.
class CsvReader {
 public:
  CsvReader(nb::handle source, const nb::dict& dialect) {
    std::shared_ptr<csv::Source> text;
    if (PyLong_Check(source.ptr()) != 0) {
      text = csv::source_of_descriptor(nb::cast<int>(source));
    } else {
      lent_ = std::make_unique<LentBytes>(source);
      text = csv::source_of_memory(reinterpret_cast<const char*>(lent_->data()), lent_->size());
    }
    reader_.emplace(engine().runtime(), std::move(text), dialect_of(dialect));
  }

  std::int64_t position() const { return reader_->position(); }
  std::int64_t size() const { return reader_->size(); }
  void move_to(std::int64_t position) {
    if (position < 0 || position > reader_->size())
      throw ValueError("there is no place " + std::to_string(position) + " in the text");
    reader_->move_to(position);
  }

  void skip_lines(std::int64_t count) {
    const GilReleased no_gil;
    reader_->skip_lines(count);
  }

  std::optional<std::vector<std::string>> next_record() {
    const GilReleased no_gil;
    return reader_->next_record();
  }

  std::int64_t line_of_row(const nb::dict& plan, std::int64_t row) const {
    const csv::Plan wanted = plan_of(plan);
    const GilReleased no_gil;
    return reader_->line_of_row(wanted, row);
  }

  // The kinds' names, None for a kind that all fields decide.
  nb::list guess(const nb::dict& plan) const {
    const csv::Plan wanted = plan_of(plan);
    std::vector<std::optional<csv::Kind>> found;
    {
      const GilReleased no_gil;
      found = reader_->guess(wanted);
    }
    nb::list names;
    for (const std::optional<csv::Kind>& kind : found) {
      if (kind)
        names.append(kinds[static_cast<std::size_t>(*kind)].name);
      else
        names.append(nb::none());
    }
    return names;
  }

  void copy_text(const views::DeviceArray& target) const {
    const auto bytes = static_cast<std::size_t>(reader_->size() - reader_->position());
    if (target.bytes() < bytes || target.layout() == ir::Layout::any)
      throw ValueError("the text needs a contiguous array of as many bytes");
    const GilReleased no_gil;
    reader_->copy_text(*target.device, target.address, target.queue());
  }

  nb::tuple read(const nb::dict& plan, std::int64_t most_rows, nb::handle progress) {
    const csv::Plan wanted = plan_of(plan);
    csv::Progress report;
    if (!progress.is_none()) {
      report = [&](std::int64_t done, std::int64_t all) {
        const GilHeld gil;
        progress(done, all);
      };
    }
    csv::Table table;
    {
      const GilReleased no_gil;
      const std::int64_t most =
          most_rows < 0 ? std::numeric_limits<std::int64_t>::max() : most_rows;
      table = reader_->read(wanted, most, report);
    }
    nb::list columns;
    for (const csv::Column& column : table.columns) columns.append(to_python(column));
    return nb::make_tuple(table.rows, columns, table.warnings, table.bad_lines);
  }

 private:
  std::unique_ptr<LentBytes> lent_;
  std::optional<csv::Reader> reader_;
};

void translate(const std::exception_ptr& pointer, void* /*payload*/) {
  try {
    std::rethrow_exception(pointer);
  } catch (const csv::ParseError& error) {
    const nb::object type =
        nb::module_::import_("phalanx.errors").attr("class_to_raise")("ParserError");
    PyErr_SetString(type.ptr(), error.what());
  } catch (const csv::SourceError& error) {
    PyErr_SetString(PyExc_OSError, error.what());
  }
}

}  // namespace

void bind_frames_csv(nb::module_& module) {
  nb::register_exception_translator(translate);
  nb::class_<CsvReader>(
      module, "CsvReader", "A place in CSV text: of a file's descriptor, or of a buffer's bytes.")
      .def(nb::init<nb::handle, const nb::dict&>(), "source"_a, "dialect"_a)
      .def_prop_ro("position", &CsvReader::position)
      .def_prop_ro("size", &CsvReader::size)
      .def("move_to", &CsvReader::move_to, "position"_a)
      .def("skip_lines", &CsvReader::skip_lines, "count"_a)
      .def("next_record", &CsvReader::next_record)
      .def(
          "line_of_row",
          &CsvReader::line_of_row,
          "plan"_a,
          "row"_a,
          "The line, from 1, that a row begins on, counted from this place.")
      .def(
          "guess",
          &CsvReader::guess,
          "plan"_a,
          "The kinds that the first records give the columns; None where all fields decide.")
      .def(
          "copy_text",
          &CsvReader::copy_text,
          "target"_a,
          "Queues copies of the text from this place to its end to an array of bytes.")
      .def(
          "read",
          &CsvReader::read,
          "plan"_a,
          "most_rows"_a = -1,
          "progress"_a = nb::none(),
          "Gives rows, columns of (kind, unit, values, valid, offsets, bytes), warnings and how "
          "many "
          "lines were left out.");
}

}  // namespace phalanx::bindings
