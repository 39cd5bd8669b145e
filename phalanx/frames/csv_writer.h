// Writes rows of columns as CSV text, as Python's csv.writer does.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/base/export.h"
#include "phalanx/frames/column.h"

namespace phalanx::runtime {
class Runtime;
}

namespace phalanx::frames::csv {

// The file cannot be written to; `code` is the system's errno.
class WriteError : public Error {
 public:
  explicit WriteError(int code) : Error("the text cannot be written"), code_(code) {}
  int code() const { return code_; }

 private:
  int code_;
};

// Which fields are quoted: in the order of Python's csv.QUOTE_ constants.
enum class Quoting : std::uint8_t { minimal, all, non_numeric, none };

// How records are written. Characters are bytes of ASCII; `none` where there is no such character.
struct WriteDialect {
  static constexpr int none = -1;

  int separator = ',';
  int quote = '"';
  int escape = none;
  bool doubles_quotes = true;
  Quoting quoting = Quoting::minimal;
  char decimal = '.';
  std::string line_end = "\n";
  std::string missing;  // the text of a missing value
};

enum class CellKind : std::uint8_t { number, text, date };

// A format of floats as printf has it; `conversion` 0: the shortest text that reads the same.
struct FloatFormat {
  char conversion = 0;  // f, e or g
  int precision = 6;
};

// How dates are written: with a time of day, digits of a second, and what follows.
struct DateFormat {
  std::int64_t per_second = 1;  // the unit
  bool has_time = false;
  int digits = 0;
  std::string suffix;
};

// A column of the table. Missing numbers are told by `numbers`, missing texts by its `valid`.
struct Cells {
  CellKind kind = CellKind::number;
  Column numbers;  // also int64 counts of dates; of texts only the rows and `valid`
  FloatFormat format;
  DateFormat dates;
  // Texts: those of the rows or, with `codes` (-1 is missing), those that codes name.
  const std::int64_t* offsets = nullptr;
  const char* bytes = nullptr;
  const std::int32_t* codes = nullptr;
  const std::uint8_t* is_number = nullptr;  // which texts are numbers; null: none
};

// Text that grows, whose memory is kept for the next.
class Text {
 public:
  // Room for `size` more bytes, to be counted by advance().
  char* reserve(std::size_t size) {
    if (size_ + size > capacity_)
      grow(size);
    return data_.get() + size_;
  }
  void advance(std::size_t size) { size_ += size; }
  void append(std::string_view text);
  void push_back(char c) {
    *reserve(1) = c;
    ++size_;
  }
  void cut(std::size_t size) { size_ = size; }  // what is after `size` is dropped
  const char* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  std::string_view view(std::size_t begin) const { return {data_.get() + begin, size_ - begin}; }

 private:
  void grow(std::size_t size);

  std::unique_ptr<char[]> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

class PHX_API Writer {
 public:
  // Throws ValueError for columns of different lengths.
  Writer(WriteDialect dialect, std::vector<Cells> columns, std::int64_t rows);

  // The records of [first, last) as pieces in their order. Throws ValueError for a field that
  // must be escaped where there is no escape, and for an empty record without quotes.
  std::vector<Text> text(runtime::Runtime& runtime, std::int64_t first, std::int64_t last) const;

  // Writes them to a file from `offset` on and returns where they end; `offset` -1: wherever the
  // descriptor is, and the length is returned. Throws WriteError too.
  std::int64_t write(
      runtime::Runtime& runtime,
      int descriptor,
      std::int64_t offset,
      std::int64_t first,
      std::int64_t last) const;

  std::int64_t rows() const { return rows_; }
  // A guess of how many rows make so many bytes.
  std::int64_t rows_of_bytes(std::int64_t bytes) const;

 private:
  void append_rows(Text& text, std::int64_t first, std::int64_t last) const;
  void append_cell(Text& text, const Cells& cells, std::int64_t row) const;
  void append_number(Text& text, const Cells& cells, std::int64_t row) const;
  void append_date(Text& text, const Cells& cells, std::int64_t row) const;
  void append_text(Text& text, const Cells& cells, std::int64_t row) const;
  void append_field(Text& text, std::string_view field, bool is_number) const;
  void append_escaped(Text& text, std::string_view field) const;
  void finish_plain(Text& text, std::size_t begin, bool is_number) const;

  WriteDialect dialect_;
  std::vector<Cells> columns_;
  std::int64_t rows_;
  std::array<bool, 256> is_special_ = {};
  bool checks_numbers_ = false;  // a number may need quotes or escapes
  bool checks_dates_ = false;
  Text missing_;  // the finished field
};

}  // namespace phalanx::frames::csv
