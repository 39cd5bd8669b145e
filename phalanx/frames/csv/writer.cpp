// Fields and records; quotes and escapes are those of Python's csv module (Modules/_csv.c).
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "phalanx/frames/csv/number_text.h"
#include "phalanx/frames/csv_writer.h"

namespace phalanx::frames::csv {
namespace {

constexpr std::string_view number_characters = "0123456789+-.einfatrulsTF";
constexpr std::string_view date_characters = "0123456789-:. +";

std::size_t index_of(char c) { return static_cast<unsigned char>(c); }

}  // namespace

void Text::append(std::string_view text) {
  std::memcpy(reserve(text.size()), text.data(), text.size());
  size_ += text.size();
}

void Text::grow(std::size_t size) {
  const std::size_t capacity = std::max(capacity_ * 2, std::bit_ceil(size_ + size + 64));
  std::unique_ptr<char[]> data(new char[capacity]);
  if (size_ != 0)
    std::memcpy(data.get(), data_.get(), size_);
  data_ = std::move(data);
  capacity_ = capacity;
}

Writer::Writer(WriteDialect dialect, std::vector<Cells> columns, std::int64_t rows)
    : dialect_(std::move(dialect)), columns_(std::move(columns)), rows_(rows) {
  for (const Cells& each : columns_) {
    if (each.numbers.rows != rows)
      throw ValueError("the columns are not all as long as the table");
  }
  for (const int c : {dialect_.separator, dialect_.quote, dialect_.escape, int{'\n'}, int{'\r'}}) {
    if (c != WriteDialect::none)
      is_special_[static_cast<std::size_t>(c)] = true;
  }
  for (const char c : dialect_.line_end) is_special_[index_of(c)] = true;
  const auto is_special = [&](char c) { return is_special_[index_of(c)]; };
  const bool is_all = dialect_.quoting == Quoting::all;
  checks_numbers_ =
      is_all || is_special(dialect_.decimal) || std::ranges::any_of(number_characters, is_special);
  checks_dates_ = is_all || dialect_.quoting == Quoting::non_numeric ||
                  std::ranges::any_of(date_characters, is_special);
  append_field(missing_, dialect_.missing, false);
}

std::int64_t Writer::rows_of_bytes(std::int64_t bytes) const {
  std::int64_t width = 1;
  for (const Cells& each : columns_) {
    const bool has_texts = each.kind == CellKind::text && each.codes == nullptr && rows_ > 0;
    width += has_texts ? (each.offsets[rows_] - each.offsets[0]) / rows_ + 2 : 14;
  }
  return std::max<std::int64_t>(bytes / width, 1);
}

void Writer::append_rows(Text& text, std::int64_t first, std::int64_t last) const {
  for (std::int64_t row = first; row < last; ++row) {
    const std::size_t begin = text.size();
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (i != 0)
        text.push_back(static_cast<char>(dialect_.separator));
      append_cell(text, columns_[i], row);
    }
    if (columns_.size() == 1 && text.size() == begin) {
      // A line without characters would be no record.
      if (dialect_.quoting == Quoting::none || dialect_.quote == WriteDialect::none)
        throw ValueError("single empty field record must be quoted");
      text.push_back(static_cast<char>(dialect_.quote));
      text.push_back(static_cast<char>(dialect_.quote));
    }
    text.append(dialect_.line_end);
  }
}

void Writer::append_cell(Text& text, const Cells& cells, std::int64_t row) const {
  const Column& column = cells.numbers;
  if (column.valid != nullptr && column.valid[row] == 0) {
    text.append(missing_.view(0));
    return;
  }
  switch (cells.kind) {
    case CellKind::number:
      append_number(text, cells, row);
      break;
    case CellKind::date:
      append_date(text, cells, row);
      break;
    case CellKind::text:
      append_text(text, cells, row);
      break;
  }
}

void Writer::append_number(Text& text, const Cells& cells, std::int64_t row) const {
  const std::size_t begin = text.size();
  if (cells.numbers.dtype == DType::boolean) {
    text.append(
        static_cast<const std::uint8_t*>(cells.numbers.values)[row] != 0 ? "True" : "False");
    finish_plain(text, begin, true);
    return;
  }
  bool is_number = true;
  with_type(cells.numbers.dtype, [&]<typename T>(T) {
    const T value = static_cast<const T*>(cells.numbers.values)[row];
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(value)) {
        text.append(missing_.view(0));
        return;
      }
      if (cells.format.conversion != 0) {
        append_formatted(text, static_cast<double>(value), cells.format);
      } else {
        char* const at = text.reserve(longest_shortest);
        text.advance(static_cast<std::size_t>(write_float(at, value) - at));
      }
      // pandas hands on floats that it has formatted as texts.
      is_number = cells.format.conversion == 0 && dialect_.decimal == '.';
      if (dialect_.decimal != '.') {
        char* const at = text.reserve(0);
        char* const from = at - (text.size() - begin);
        std::replace(from, at, '.', dialect_.decimal);
      }
    } else {
      using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
      char* const at = text.reserve(longest_shortest);
      text.advance(static_cast<std::size_t>(write_integer(at, static_cast<Wide>(value)) - at));
    }
    if (checks_numbers_ || !is_number)
      finish_plain(text, begin, is_number);
  });
}

void Writer::append_date(Text& text, const Cells& cells, std::int64_t row) const {
  const std::int64_t count = static_cast<const std::int64_t*>(cells.numbers.values)[row];
  if (cells.numbers.has_nat && count == std::numeric_limits<std::int64_t>::min()) {
    text.append(missing_.view(0));
    return;
  }
  const std::size_t begin = text.size();
  char* const at = text.reserve(longest_date);
  text.advance(static_cast<std::size_t>(write_date(at, count, cells.dates) - at));
  text.append(cells.dates.suffix);
  if (checks_dates_)
    finish_plain(text, begin, false);
}

void Writer::append_text(Text& text, const Cells& cells, std::int64_t row) const {
  const std::int64_t place = cells.codes == nullptr ? row : cells.codes[row];
  if (place < 0) {
    text.append(missing_.view(0));
    return;
  }
  const std::int64_t begin = cells.offsets[place];
  const std::string_view field = {
      cells.bytes + begin, static_cast<std::size_t>(cells.offsets[place + 1] - begin)};
  append_field(text, field, cells.is_number != nullptr && cells.is_number[place] != 0);
}

// What was written plainly from `begin` on is quoted and escaped, if it must be.
void Writer::finish_plain(Text& text, std::size_t begin, bool is_number) const {
  const std::string field(text.view(begin));
  text.cut(begin);
  append_field(text, field, is_number);
}

void Writer::append_field(Text& text, std::string_view field, bool is_number) const {
  const bool has_special =
      std::ranges::any_of(field, [&](char c) { return is_special_[index_of(c)]; });
  const Quoting quoting = dialect_.quoting;
  const bool is_quoted = quoting == Quoting::all || (quoting == Quoting::non_numeric && !is_number);
  if (has_special) {
    append_escaped(text, field);
    return;
  }
  if (is_quoted)
    text.push_back(static_cast<char>(dialect_.quote));
  text.append(field);
  if (is_quoted)
    text.push_back(static_cast<char>(dialect_.quote));
}

// A field with special characters: it is quoted, unless all that it has are escaped.
void Writer::append_escaped(Text& text, std::string_view field) const {
  bool is_quoted = dialect_.quoting == Quoting::all || dialect_.quoting == Quoting::non_numeric;
  const std::size_t begin = text.size();
  text.push_back(' ');  // the place of the quote
  for (const char c : field) {
    const int code = static_cast<unsigned char>(c);
    if (is_special_[index_of(c)]) {
      bool is_escaped = dialect_.quoting == Quoting::none;
      if (!is_escaped && code == dialect_.quote) {
        is_escaped = !dialect_.doubles_quotes;
        if (!is_escaped) {
          text.push_back(c);
          is_quoted = true;
        }
      } else if (!is_escaped && code == dialect_.escape) {
        is_escaped = true;
      } else if (!is_escaped) {
        is_quoted = true;
      }
      if (is_escaped) {
        if (dialect_.escape == WriteDialect::none)
          throw ValueError("need to escape, but no escapechar set");
        text.push_back(static_cast<char>(dialect_.escape));
      }
    }
    text.push_back(c);
  }
  char* const end = text.reserve(1);
  char* const at = end - (text.size() - begin);
  if (is_quoted) {
    *at = static_cast<char>(dialect_.quote);
    text.push_back(static_cast<char>(dialect_.quote));
  } else {
    std::memmove(at, at + 1, static_cast<std::size_t>(end - at - 1));
    text.cut(text.size() - 1);
  }
}

}  // namespace phalanx::frames::csv
