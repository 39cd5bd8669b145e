// Writing of CSV text from NumPy's arrays.
#include <Python.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/bind.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/frames.h"
#include "phalanx/bindings/gil.h"
#include "phalanx/frames/csv_writer.h"

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace)

namespace phalanx::bindings {
namespace {

namespace csv = frames::csv;

// separator, quote, escape, doubles_quotes, quoting, decimal, line_end, missing
using DialectArgument = std::tuple<int, int, int, bool, int, std::string, std::string, std::string>;

csv::WriteDialect dialect_of(const DialectArgument& given) {
  csv::WriteDialect made;
  std::string decimal;
  int quoting = 0;
  std::tie(
      made.separator,
      made.quote,
      made.escape,
      made.doubles_quotes,
      quoting,
      decimal,
      made.line_end,
      made.missing) = given;
  for (const int c : {made.separator, made.quote, made.escape}) {
    if (c < csv::WriteDialect::none || c > 127)
      throw ValueError("separators, quotes and escapes are characters of ASCII");
  }
  if (quoting < 0 || quoting > 3 || decimal.size() != 1)
    throw ValueError("quoting is 0 to 3, and the decimal point one character");
  made.quoting = static_cast<csv::Quoting>(quoting);
  made.decimal = decimal[0];
  return made;
}

// A writer and the arrays that it writes from.
class CsvWriter {
 public:
  CsvWriter(
      const DialectArgument& dialect, const std::vector<nb::tuple>& columns, std::int64_t rows)
      : rows_(rows) {
    std::vector<csv::Cells> cells;
    cells.reserve(columns.size());
    for (const nb::tuple& each : columns) cells.push_back(cells_of(each));
    writer_.emplace(dialect_of(dialect), std::move(cells), rows);
  }

  nb::bytes text(std::int64_t first, std::int64_t last) const {
    check(first, last);
    std::vector<csv::Text> pieces;
    {
      const GilReleased no_gil;
      pieces = writer_->text(engine().runtime(), first, last);
    }
    std::size_t size = 0;
    for (const csv::Text& each : pieces) size += each.size();
    const nb::object made =
        nb::steal(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size)));
    if (!made.is_valid())
      throw nb::python_error();
    char* at = PyBytes_AsString(made.ptr());
    for (const csv::Text& each : pieces) at = std::copy_n(each.data(), each.size(), at);
    return nb::borrow<nb::bytes>(made);
  }

  std::int64_t write(
      int descriptor, std::int64_t offset, std::int64_t first, std::int64_t last) const {
    check(first, last);
    const GilReleased no_gil;
    return writer_->write(engine().runtime(), descriptor, offset, first, last);
  }

  std::int64_t rows_of_bytes(std::int64_t bytes) const { return writer_->rows_of_bytes(bytes); }

 private:
  void check(std::int64_t first, std::int64_t last) const {
    if (first < 0 || last > rows_ || first > last)
      throw ValueError("there are no such rows");
  }

  csv::Cells cells_of(const nb::tuple& given);
  csv::Cells texts_of(const nb::tuple& given);
  csv::Cells codes_of(const nb::tuple& given);
  csv::Cells dates_of(const nb::tuple& given);
  void set_texts(csv::Cells& cells, nb::handle offsets, nb::handle bytes);

  std::int64_t rows_;
  FrameArguments arguments_;
  std::optional<csv::Writer> writer_;
};

csv::Cells CsvWriter::cells_of(const nb::tuple& given) {
  const auto kind = nb::cast<std::string>(given[0]);
  if (kind == "text" && given.size() == 5)
    return texts_of(given);
  if (kind == "codes" && given.size() == 5)
    return codes_of(given);
  if (kind == "date" && given.size() == 6)
    return dates_of(given);
  if (kind != "number" || given.size() != 5)
    throw ValueError("there are no cells '" + kind + "' of this many elements");
  csv::Cells made;
  made.numbers = arguments_.column(given[1], given[2]);
  const auto conversion = nb::cast<std::string>(given[3]);
  made.format = {conversion.empty() ? char{0} : conversion[0], nb::cast<int>(given[4])};
  return made;
}

void CsvWriter::set_texts(csv::Cells& cells, nb::handle offsets, nb::handle bytes) {
  const HostArray& places = arguments_.array(offsets, "the offsets");
  const HostArray& text = arguments_.array(bytes, "the bytes");
  cells.kind = csv::CellKind::text;
  cells.offsets = places.elements<std::int64_t>(DType::int64);
  cells.bytes = text.elements<char>(DType::uint8);
  if (places.size() < 1 || cells.offsets[places.size() - 1] > text.size() ||
      !std::is_sorted(cells.offsets, cells.offsets + places.size()) || cells.offsets[0] < 0)
    throw ValueError("the offsets do not fit the bytes");
}

csv::Cells CsvWriter::texts_of(const nb::tuple& given) {
  csv::Cells made;
  set_texts(made, given[1], given[2]);
  made.numbers.rows = arguments_.array(given[1], "the offsets").size() - 1;
  made.numbers.valid = arguments_.mask_of(given[3], made.numbers.rows);
  made.is_number = arguments_.mask_of(given[4], made.numbers.rows);
  return made;
}

csv::Cells CsvWriter::codes_of(const nb::tuple& given) {
  csv::Cells made;
  set_texts(made, given[2], given[3]);
  const std::int64_t texts = arguments_.array(given[2], "the offsets").size() - 1;
  made.is_number = arguments_.mask_of(given[4], texts);
  const HostArray& codes = arguments_.array(given[1], "the codes");
  made.codes = codes.elements<std::int32_t>(DType::int32);
  made.numbers.rows = codes.size();
  for (std::int64_t i = 0; i < codes.size(); ++i) {
    if (made.codes[i] >= texts)
      throw ValueError("there is a code that no text has");
  }
  return made;
}

csv::Cells CsvWriter::dates_of(const nb::tuple& given) {
  csv::Cells made;
  made.kind = csv::CellKind::date;
  made.numbers = arguments_.column(given[1], nb::none());
  if (made.numbers.dtype != DType::int64)
    throw TypeError("dates are counts of int64");
  made.numbers.has_nat = true;
  made.dates = {
      nb::cast<std::int64_t>(given[2]),
      nb::cast<bool>(given[3]),
      nb::cast<int>(given[4]),
      nb::cast<std::string>(given[5])};
  if (made.dates.per_second < 1 || made.dates.digits < 0 || made.dates.digits > 9)
    throw ValueError("there is no such unit of dates");
  return made;
}

void translate(const std::exception_ptr& pointer, void* /*payload*/) {
  try {
    std::rethrow_exception(pointer);
  } catch (const csv::WriteError& error) {
    errno = error.code();
    PyErr_SetFromErrno(PyExc_OSError);
  }
}

}  // namespace

void bind_frames_csv_writer(nb::module_& module) {
  nb::register_exception_translator(translate);
  nb::class_<CsvWriter>(
      module,
      "CsvWriter",
      "CSV text of columns: (\"number\", values, mask, conversion, precision), (\"text\", "
      "offsets,\n"
      "bytes, mask, numbers), (\"codes\", codes, offsets, bytes, numbers) or (\"date\", counts,\n"
      "per_second, has_time, digits, suffix). The dialect: separator, quote, escape,\n"
      "doubles_quotes, quoting, decimal, line_end and the text of missing values.")
      .def(
          nb::init<const DialectArgument&, const std::vector<nb::tuple>&, std::int64_t>(),
          "dialect"_a,
          "columns"_a,
          "rows"_a)
      .def("text", &CsvWriter::text, "first"_a, "last"_a, "Records as UTF-8.")
      .def(
          "write",
          &CsvWriter::write,
          "descriptor"_a,
          "offset"_a,
          "first"_a,
          "last"_a,
          "Writes records to a file from a place on (-1: where it is) and returns the end.")
      .def(
          "rows_of_bytes",
          &CsvWriter::rows_of_bytes,
          "bytes"_a,
          "About how many rows make that many bytes of text.");
}

}  // namespace phalanx::bindings
