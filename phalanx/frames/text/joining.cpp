// The texts of rows one after another.
#include <algorithm>
#include <string>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/frames/text/texts.h"
#include "phalanx/frames/text_bytes.h"

namespace phalanx::frames {
namespace {

using text::Texts;

// An operand of a join: a column, or one text.
class Piece {
 public:
  Piece(const TextOperand& operand, std::int64_t rows, const std::string* fill)
      : texts_(operand.column), is_column_(operand.is_column), fills_(fill != nullptr) {
    if (is_column_ && texts_.rows() != rows)
      throw ValueError("columns of texts to be joined have as many rows");
    if (!is_column_)
      constant_ = operand.constant;
    else if (fills_)
      constant_ = *fill;
  }

  // Adds the bytes that rows have of it.
  void add_sizes(std::int64_t first, std::int64_t last, std::int64_t* sizes) const {
    const auto size = static_cast<std::int64_t>(constant_.size());
    const std::int64_t* const offsets = texts_.offsets();
    for (std::int64_t row = first; row < last; ++row)
      if (!is_column_ || (fills_ && texts_.is_missing(row)))
        sizes[row] += size;
      else
        sizes[row] += offsets[row + 1] - offsets[row];
  }
  // Rows without a text have no result, unless they are filled.
  void clear_missing(std::int64_t first, std::int64_t last, std::int64_t* sizes) const {
    if (is_column_ && !fills_)
      texts_.clear_missing(first, last, sizes);
  }
  // Writes the row's text and returns where it ends.
  char* write(std::int64_t row, char* to, const char* end) const {
    if (!is_column_ || (fills_ && texts_.is_missing(row)))
      return copied(constant_, constant_.data() + constant_.size(), to, end);
    return copied(texts_[row], texts_.end(), to, end);
  }

 private:
  static char* copied(std::string_view text, const char* text_end, char* to, const char* end) {
    copy_text(text.data(), text_end, text.size(), to, end);
    return to + text.size();
  }

  Texts texts_;
  bool is_column_;
  bool fills_;
  std::string constant_;
};

}  // namespace

// Sizes are known before a byte is written, so each text is written where it stays.
WrittenTexts join_texts(
    runtime::Runtime& runtime,
    std::span<const TextOperand> operands,
    std::int64_t rows,
    const std::string* fill) {
  std::vector<Piece> pieces;
  for (const TextOperand& each : operands) pieces.emplace_back(each, rows, fill);
  WrittenTexts made = {Memory<std::int64_t>(runtime, rows + 1), {}, {}};
  for_ranges(runtime, rows, [&](std::int64_t from, std::int64_t to) {
    for_blocks(from, to, [&](std::int64_t first, std::int64_t count) {
      std::int64_t* const sizes = made.offsets.data() + 1;
      std::fill_n(sizes + first, count, 0);
      for (const Piece& piece : pieces) piece.add_sizes(first, first + count, sizes);
      for (const Piece& piece : pieces) piece.clear_missing(first, first + count, sizes);
    });
  });
  made.bytes = Memory<char>(runtime, add_sizes(runtime, made.offsets));
  for_ranges(runtime, rows, [&](std::int64_t row, std::int64_t last) {
    const char* const end = made.bytes.data() + made.offsets[last];
    for (; row < last; ++row) {
      if (made.offsets[row] == made.offsets[row + 1])
        continue;
      char* to = made.bytes.data() + made.offsets[row];
      for (const Piece& piece : pieces) to = piece.write(row, to, end);
    }
  });
  return made;
}

}  // namespace phalanx::frames
