// Records of a piece of text, cut into fields.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "phalanx/frames/csv/source.h"
#include "phalanx/frames/csv_reader.h"

namespace phalanx::frames::csv {

// Something that is wrong, after `rows` good records of the piece.
struct Problem {
  std::int64_t position = 0;  // of its record, in the source
  std::int64_t rows = 0;
  std::int64_t fields = 0;  // of a record that has too many
  std::string text = {};    // what is wrong with others, after "line 3: "
};

// Fields of `rows` records, `width` each, row by row. Each begins after the end of the one before,
// and one byte. In a raw text they may be in quotes, and the last one may end with a return.
struct Tokens {
  const char* text = nullptr;
  const std::uint32_t* ends = nullptr;  // of field i: ends[i + 1]; ends[0] + 1 is 0
  std::int64_t width = 0;
  std::int64_t rows = 0;
  bool has_quotes = false;
  bool has_returns = false;

  std::int64_t position = 0;               // of the first record, in the source
  std::int64_t next = 0;                   // of what follows the last one
  std::vector<std::uint32_t> record_ends;  // of a text that is not raw: after `position`
  std::vector<Problem> bad_lines;
  std::optional<Problem> failure;

  bool is_plain() const { return !has_quotes && !has_returns; }
  // Where the record `row` ends and the next may begin.
  std::int64_t end_of(std::int64_t row) const {
    const auto index = static_cast<std::size_t>(row);
    if (!record_ends.empty())
      return position + record_ends[index];
    return position + ends[static_cast<std::size_t>((row + 1) * width)] + 1;
  }
};

// Cuts pieces of a source; each thread has its own.
class Tokenizer {
 public:
  Tokenizer(const Source& source, const Dialect& dialect, const Plan& plan)
      : source_(&source), dialect_(&dialect), plan_(&plan) {}

  // The records that begin in [first, last), of which `first` is one. There may be more left, at
  // tokens().next, where they would take too much memory.
  void cut(std::int64_t first, std::int64_t last);
  // The same for any `first`: a guess where a record begins, which may be wrong. False where there
  // is none to be seen.
  bool guess(std::int64_t first, std::int64_t last);

  const Tokens& tokens() const { return tokens_; }

 private:
  // A text that is cut: `limit` is where records of the next piece begin.
  struct Text {
    const char* data;
    std::size_t size;
    std::size_t limit;
    bool at_end;  // of the source
  };
  enum class Outcome { done, more, irregular };

  void begin(std::int64_t position);
  Outcome cut_text(const Text& text);
  Outcome cut_regular(const Text& text);
  Outcome cut_by_states(const Text& text);
  bool take_record(std::size_t fields_before, std::size_t text_before, std::size_t place);
  bool has_blank_rows(const Text& text) const;
  void check_utf8(const char* text, std::size_t size);
  std::uint32_t* reserve_ends(std::size_t size);

  const Source* source_;
  const Dialect* dialect_;
  const Plan* plan_;
  Scratch scratch_;
  Tokens tokens_;
  std::unique_ptr<std::uint32_t[]> ends_;  // of regular text
  std::size_t ends_size_ = 0;
  std::vector<std::uint32_t> state_ends_;  // of what the state machine has cut, and its fields
  std::string fields_;
};

}  // namespace phalanx::frames::csv
