// Texts of two columns compared. The order of UTF-8's bytes is that of the code points.
#include <string_view>

#include "phalanx/base/errors.h"
#include "phalanx/frames/text/find.h"
#include "phalanx/frames/text/texts.h"
#include "phalanx/frames/text/utf8.h"
#include "phalanx/frames/text_bytes.h"

namespace phalanx::frames {
namespace {

using text::Texts;

void check_rows(const TextOperand& operand, std::int64_t rows) {
  if (operand.is_column && operand.column.column.rows != rows)
    throw ValueError("columns of texts to be compared have as many rows");
}

// Calls `visit` with a function that gives the text of a row.
template <typename Visit>
void with_texts(const TextOperand& operand, const Texts& texts, const Visit& visit) {
  if (operand.is_column)
    visit([texts](std::int64_t row) { return texts[row]; });
  else
    visit([text = std::string_view(operand.constant)](std::int64_t) { return text; });
}

// Calls `compute` with the texts of each row; the result is 0 where one is missing.
template <typename T, typename Compute>
Memory<T> compute_pairs(
    runtime::Runtime& runtime,
    const TextOperand& left,
    const TextOperand& right,
    std::int64_t rows,
    const Compute& compute) {
  check_rows(left, rows);
  check_rows(right, rows);
  const Texts lefts(left.column);
  const Texts rights(right.column);
  Memory<T> made(runtime, rows);
  // Which operands are columns is asked once, not for each row.
  with_texts(left, lefts, [&](const auto& left_at) {
    with_texts(right, rights, [&](const auto& right_at) {
      for_ranges(runtime, rows, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t row = first; row < last; ++row)
          made[row] = compute(left_at(row), right_at(row));
        if (left.is_column)
          lefts.clear_missing(first, last, made.data());
        if (right.is_column)
          rights.clear_missing(first, last, made.data());
      });
    });
  });
  return made;
}

// Where the memory of its texts ends.
const char* end_of(const TextOperand& operand) {
  return operand.is_column ? Texts(operand.column).end()
                           : operand.constant.data() + operand.constant.size();
}

}  // namespace

Memory<std::int8_t> compare_texts(
    runtime::Runtime& runtime,
    const TextOperand& left,
    const TextOperand& right,
    std::int64_t rows) {
  const auto compare = [](std::string_view a, std::string_view b) {
    const int order = a.compare(b);
    return static_cast<std::int8_t>(order < 0 ? -1 : order > 0 ? 1 : 0);
  };
  return compute_pairs<std::int8_t>(runtime, left, right, rows, compare);
}

Flags equal_texts(
    runtime::Runtime& runtime,
    const TextOperand& left,
    const TextOperand& right,
    std::int64_t rows) {
  const char* const left_end = end_of(left);
  const char* const right_end = end_of(right);
  const auto equal = [left_end, right_end](std::string_view a, std::string_view b) {
    return static_cast<std::uint8_t>(are_equal(a, left_end, b, right_end) ? 1 : 0);
  };
  return compute_pairs<std::uint8_t>(runtime, left, right, rows, equal);
}

Counts positions_each(
    runtime::Runtime& runtime,
    const TextOperand& texts,
    const TextOperand& wanted,
    std::int64_t rows) {
  const auto position = [](std::string_view text, std::string_view part) -> std::int64_t {
    if (part.empty())
      return 0;
    const char* const end = text.data() + text.size();
    const char* const begin =
        text.data();  // NOLINT(bugprone-suspicious-stringview-data-usage): up to `end`
    const char* const found = text::find_bytes(begin, end, part);
    if (found == end)
      return -1;
    return text::count_characters(text.substr(0, static_cast<std::size_t>(found - begin)));
  };
  return compute_pairs<std::int64_t>(runtime, texts, wanted, rows, position);
}

}  // namespace phalanx::frames
