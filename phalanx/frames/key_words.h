// The words of keys: the keys' values as digits of one number, of mixed radix.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "phalanx/frames/column.h"
#include "phalanx/frames/words.h"

namespace phalanx::frames {

// What the words tell, beside which rows have the same keys.
struct WordOptions {
  bool drops_missing = false;            // rows with a missing key are in no group
  bool is_ordered = false;               // words compare as the keys do, the first key first
  std::vector<bool> is_descending = {};  // by key, for ordered ones; empty: none is
  bool missing_first = false;            // for ordered ones; else missing keys are last
};

// Of one table's keys, or of several tables whose rows are numbered one table after another: the
// keys of all have the same kinds. Strings become codes, and so do the first keys where all have
// more values than 128 bits can tell. The columns must outlive it.
class KeyWords {
 public:
  KeyWords(
      runtime::Runtime& runtime,
      const std::vector<std::span<const Key>>& tables,
      WordOptions options);

  std::int64_t rows() const { return rows_; }
  bool is_narrow() const { return size_ < Wide{~std::uint64_t{0}}; }

  // Narrow ones for 64 bits. They refer to this object.
  template <typename Word>
  Words<Word> words() const {
    const auto read = [this](std::int64_t first, std::int64_t count, Word* to) {
      read_words(first, count, to);
    };
    return {rows_, static_cast<Word>(size_), read};
  }

 private:
  struct Piece {  // of a digit, in one table
    Column column;
    bool is_codes = false;
  };
  // A value's image, which compares as the value does, is image - least + shift or, flipped,
  // greatest - image + shift.
  struct Digit {
    std::vector<Piece> pieces;
    std::uint64_t least = ~std::uint64_t{0};
    std::uint64_t greatest = 0;
    bool has_missing = false;
    bool is_flipped = false;
    bool drops_missing = false;
    Wide shift = 0;
    Wide missing = 0;
    Wide size = 1;
    Wide stride = 1;
  };
  struct Range {
    std::uint64_t least;
    std::uint64_t greatest;
    bool has_missing;
  };

  void add(std::vector<Piece> pieces, bool is_flipped);
  void find_range(Digit& digit) const;
  std::vector<Piece> codes_of_strings(const std::vector<std::span<const Key>>& tables, std::size_t);
  std::vector<Piece> keep_codes(Groups groups, const std::vector<std::int64_t>& ranks);
  void group_digits();
  void set_strides();
  template <typename Word>
  void read_words(std::int64_t first, std::int64_t count, Word* to) const;
  template <typename Word>
  static void add_digits(
      const Digit& digit,
      std::size_t table,
      std::int64_t first,
      std::span<Word> to,
      std::uint8_t* dropped);

  runtime::Runtime& runtime_;
  WordOptions options_;
  std::vector<std::int64_t> begins_ = {0};  // of the tables' rows, and the end
  std::int64_t rows_ = 0;
  std::vector<Digit> digits_;
  Wide size_ = 1;
  bool drops_ = false;  // some rows
  std::vector<Memory<std::int64_t>> kept_;
  std::vector<Memory<std::int32_t>> kept_narrow_;
};

// The groups of rows by keys; see group_words. Throws TypeError and ValueError as check_key, and
// ValueError for keys of different lengths.
PHX_API Groups group_rows(runtime::Runtime& runtime, std::span<const Key> keys, bool drops_missing);

// Throws ValueError where there are no keys, or they differ in length.
std::int64_t rows_of(std::span<const Key> keys);

}  // namespace phalanx::frames
