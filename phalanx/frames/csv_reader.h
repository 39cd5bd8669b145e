// Reads CSV text into columns: numbers as contiguous values, strings as offsets and UTF-8 bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "phalanx/base/errors.h"

namespace phalanx::runtime {
class Device;
class Runtime;
class Stream;
}  // namespace phalanx::runtime

namespace phalanx::frames::csv {

// The text is not what its dialect and its columns ask for; the message names the line.
class ParseError : public ValueError {
 public:
  using ValueError::ValueError;
};

// The file cannot be read, or is another one than when reading began.
class SourceError : public Error {
 public:
  using Error::Error;
};

// How records are written. A character is a byte of ASCII; `none` where there is no such character.
struct Dialect {
  static constexpr int none = -1;

  int separator = ',';
  int quote = '"';
  int escape = none;
  int comment = none;
  int thousands = none;
  int decimal = '.';
  bool doubles_quotes = true;        // "" in a quoted field is one quote
  bool skips_initial_space = false;  // spaces at the start of fields
  bool skips_blank_lines = true;
};

enum class Kind : std::uint8_t {
  inferred,  // int64, uint64, float64, boolean or string: the first that takes every field
  int64,     // wanted: as inferred, but missing values leave whole numbers as they are
  uint64,
  float64,     // missing values are NaN
  boolean,     // a byte each
  string,      // offsets and bytes
  category,    // int32 codes of strings in order, -1 where the value is missing
  dictionary,  // the same, of strings in the order in which they come
  datetime,    // ISO 8601, as int64 of a unit since 1970; strings where a field is no such date
  empty        // inferred, of no rows
};

enum class TimeUnit : std::uint8_t { seconds, milliseconds, microseconds, nanoseconds };

// What counts as missing: texts, and the numbers of fields in a column of float64.
struct MissingValues {
  std::vector<std::string> texts;
  std::vector<double> numbers;
};

struct WantedColumn {
  std::int64_t field = 0;  // its place in a record
  std::string name;        // for messages
  Kind kind = Kind::inferred;
  TimeUnit unit = TimeUnit::microseconds;
  std::size_t missing = 0;  // of Plan::missing
};

enum class BadLines : std::uint8_t { error, warn, skip };

struct Plan {
  std::int64_t width = 0;             // fields of a record
  std::vector<WantedColumn> columns;  // in any order
  std::vector<MissingValues> missing;
  std::vector<std::string> true_texts;   // beside "true" in any case
  std::vector<std::string> false_texts;  // beside "false"
  BadLines bad_lines = BadLines::error;  // records of more fields
  bool drops_more_fields = false;        // such records are good, without the fields at the end
  bool reads_integers_as_floats = false;
};

// Memory that a column is in: kept by whoever has it.
struct Block {
  std::shared_ptr<void> memory;  // null: absent
  std::size_t size = 0;          // bytes
};

struct Column {
  Kind kind = Kind::inferred;
  TimeUnit unit = TimeUnit::microseconds;
  Block values;   // numbers, booleans, codes
  Block valid;    // a byte each, 1 = there; absent where none is missing
  Block offsets;  // strings: int64 of each and of the end; of a dictionary, its strings'
  Block bytes;
};

struct Table {
  std::int64_t rows = 0;
  std::vector<Column> columns;  // as in the plan
  // Lines left out for on_bad_lines=warn: the first 1000, and how many there are.
  std::vector<std::string> warnings;
  std::int64_t bad_lines = 0;
};

// Bytes done, of all.
using Progress = std::function<void(std::int64_t done, std::int64_t all)>;

class Source;

// `text` lives as long as the source.
std::shared_ptr<Source> source_of_memory(const char* text, std::size_t size);
// Of an open file, whose descriptor is duplicated. Throws SourceError where it cannot be read in
// any order.
std::shared_ptr<Source> source_of_descriptor(int descriptor);

// A place in CSV text. One thread at a time may call it.
class Reader {
 public:
  // Begins after a byte order mark.
  Reader(runtime::Runtime& runtime, std::shared_ptr<Source> source, const Dialect& dialect);

  std::int64_t position() const { return position_; }  // bytes
  std::int64_t size() const;
  void move_to(std::int64_t position) { position_ = position; }

  // Goes past lines; one with quoted line ends counts as one.
  void skip_lines(std::int64_t count);
  // The next record's fields; nothing at the end. Throws ParseError.
  std::optional<std::vector<std::string>> next_record();

  // The next records, at most `most_rows`, on all threads of the CPU device. The place stays where
  // it was when something is thrown: ParseError, SourceError, Interrupted, std::bad_alloc, and what
  // `progress` throws, which the calling thread calls.
  Table read(const Plan& plan, std::int64_t most_rows, const Progress& progress = {});

  // The kinds that the first records give the columns; nothing where all fields decide.
  std::vector<std::optional<Kind>> guess(const Plan& plan) const;

  // Queues copies of the text from this place to its end, by all threads through page-locked
  // memory, to `to` on a device. On return the text was read. Throws SourceError, Interrupted.
  void copy_text(runtime::Device& device, std::uintptr_t to, runtime::Stream& stream) const;

  // The line of the text, from 1, that a row begins on, counted from this place.
  std::int64_t line_of_row(const Plan& plan, std::int64_t row) const;

 private:
  runtime::Runtime* runtime_;
  std::shared_ptr<Source> source_;
  Dialect dialect_;
  std::int64_t position_ = 0;
};

}  // namespace phalanx::frames::csv
