// Columns while they are read: where their values go, and what has been seen of their fields.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "phalanx/frames/csv/dates.h"
#include "phalanx/frames/csv/memory.h"
#include "phalanx/frames/csv/missing.h"
#include "phalanx/frames/csv/numbers.h"
#include "phalanx/frames/csv/tokens.h"

namespace phalanx::frames::csv {

// What all columns share.
struct Format {
  NumberFormat numbers;
  int quote = Dialect::none;
  std::unordered_map<std::string_view, bool> truths;  // texts that are true or false
  bool has_floats_only = false;                       // whole numbers are floats too

  Format(const Dialect& dialect, const Plan& plan);
  bool read_boolean(std::string_view text, bool& value) const;
};

// What the fields of a column are, as far as they were looked at one by one.
struct Facts {
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

  bool has_values = false;
  bool has_missing = false;
  bool has_negative = false;
  bool has_large = false;           // above the largest int64
  bool has_large_negative = false;  // below the least one
  bool are_floats = true;
  bool are_booleans = true;
  // The first field that is no int64, no uint64; and whether that is for its size.
  std::int64_t first_no_int64 = never;
  std::int64_t first_no_uint64 = never;
  bool is_too_large_for_int64 = false;
  bool is_too_large_for_uint64 = false;
  // Of dates: all are, in one form.
  bool are_dates = true;
  bool need_nanoseconds = false;
  DateForm form = 0;

  bool is_text() const { return has_values && !are_floats && !are_booleans; }
  void add(std::string_view field, std::int64_t row, const Format& format);
  void merge(const Facts& later);
  // The kind that pandas gives such a column.
  Kind kind(bool has_floats_only) const;
  // Whole numbers that neither int64 nor uint64 holds together: pandas makes strings of them, and
  // of what is missing too.
  bool has_no_type_of_64_bits() const;
};

// The fields of one column of a piece.
class Fields {
 public:
  Fields(const Tokens& tokens, std::int64_t field, int quote)
      : text_(tokens.text),
        ends_(tokens.ends + field),
        width_(tokens.width),
        quote_(tokens.has_quotes ? quote : Dialect::none),
        has_return_(tokens.has_returns && field + 1 == tokens.width) {}

  bool is_plain() const { return quote_ == Dialect::none && !has_return_; }
  // As it lies in the text.
  std::string_view raw(std::int64_t row) const {
    const std::uint32_t* const end = ends_ + row * width_;
    return {text_ + static_cast<std::uint32_t>(end[0] + 1), end[1] - end[0] - 1};
  }
  // Without quotes. `unquoted` keeps what had quotes in it.
  std::string_view at(std::int64_t row, std::string& unquoted) const {
    return is_plain() ? raw(row) : cleaned(raw(row), unquoted);
  }

 private:
  std::string_view cleaned(std::string_view field, std::string& unquoted) const;

  const char* text_;
  const std::uint32_t* ends_;
  std::int64_t width_;
  int quote_;
  bool has_return_;
};

// Different strings, in the order in which they came.
struct Dictionary {
  std::deque<std::string> words;
  std::unordered_map<std::string_view, std::int32_t> codes;

  // Throws std::bad_alloc for more words than there are codes.
  std::int32_t code_of(std::string_view word);
};

// Strings of a piece, before it is known where they belong; of a dictionary's kinds their codes.
struct Strings {
  std::unique_ptr<char[]> bytes;  // of all that are there
  std::size_t capacity = 0;
  std::vector<std::uint32_t> ends;  // in `bytes`
  std::vector<std::int32_t> codes;  // -1: missing
  std::unique_ptr<Dictionary> dictionary;
  std::vector<std::uint8_t> is_missing;
  bool has_missing = false;

  std::size_t size() const { return ends.empty() ? 0 : ends.back(); }
};

// A column that is read. The threads write to different rows.
struct Output {
  Kind kind = Kind::inferred;  // inferred: only looked at
  bool may_change = false;     // the kind was inferred: fields that do not fit are facts
  std::int64_t field = 0;
  TimeUnit unit = TimeUnit::microseconds;
  const Missing* missing = nullptr;
  Facts facts;
  bool has_failed = false;  // fields did not fit
  bool has_floats_only = false;
  bool keeps_integers = false;  // where some are missing

  Memory values;
  Memory is_missing;  // a byte each, 1: it is
  Memory offsets;
  Memory bytes;
  std::int64_t byte_count = 0;
  std::unique_ptr<Dictionary> dictionary;  // of its kinds

  bool has_strings() const { return kind == Kind::string; }
  bool has_codes() const { return kind == Kind::category || kind == Kind::dictionary; }
  std::size_t item_size() const;
  void reserve(std::int64_t rows, bool huge);
  void grow(std::int64_t rows);
};

// What one thread has seen of one column in its piece.
struct Seen {
  Facts facts;
  std::int64_t missing = 0;
  bool has_failed = false;  // a field does not fit: the column is not written any further
};

// Rows [first, last) of a piece, whose first one is row `base` of the column.
struct Rows {
  std::int64_t first;
  std::int64_t last;
  std::int64_t base;
};

// Numbers, booleans, dates.
void write_values(
    const Output& output, const Fields& fields, const Rows& rows, const Format& format, Seen& seen);
// Looks at each field, whatever the column's kind is.
void look_at(
    const Output& output, const Fields& fields, const Rows& rows, const Format& format, Seen& seen);

// Takes the strings of a piece out of its text.
void take_strings(const Output& output, const Fields& fields, std::int64_t rows, Strings& strings);
// Gives them their place in the column, of whose strings these are the next: the bytes' start.
// Nobody else may be writing where `must_grow()`.
bool must_grow(const Output& output, const Strings& strings);
std::int64_t place_strings(Output& output, Strings& strings);
// Codes are by then the column's.
void write_strings(
    const Output& output, const Strings& strings, std::int64_t base, std::int64_t start);

// The words of a category in order, with the codes that follow from it; of `rows` rows.
void sort_words(Output& output, std::int64_t rows);

}  // namespace phalanx::frames::csv
