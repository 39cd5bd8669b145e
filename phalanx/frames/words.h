// Words: one number a row that is the same for rows of the same keys.
#pragma once

#include <cstdint>
#include <functional>

#include "phalanx/frames/memory.h"
#include "phalanx/runtime/runtime.h"

namespace phalanx::frames {

__extension__ using Wide = unsigned __int128;

// Writes the words of the rows [first, first + count), at most `block_rows` of them.
template <typename Word>
using WordSource = std::function<void(std::int64_t first, std::int64_t count, Word* words)>;

// Below `size`; rows that are in no group have the word `size`.
template <typename Word>
struct Words {
  std::int64_t rows = 0;
  Word size = 0;
  WordSource<Word> read;
};

// Groups of rows, numbered in order of their first rows.
struct Groups {
  std::int64_t rows = 0;
  std::int64_t count = 0;
  // The group of each row, -1 of none: int32 of fewer than 2^31 rows, else int64.
  Memory<std::int32_t> narrow_codes;
  Memory<std::int64_t> wide_codes;
  Memory<std::int64_t> first_rows;  // of each group

  bool is_wide() const { return wide_codes.size() != 0; }
};

// Instantiated for 64 and 128 bits.
template <typename Word>
Groups group_words(runtime::Runtime& runtime, const Words<Word>& words);

// 64 bits that differ in all places where words differ in one.
inline std::uint64_t hash_word(std::uint64_t word) {
  std::uint64_t hash = (word ^ word >> 32U) * 0x9e3779b97f4a7c15;
  hash = (hash ^ hash >> 29U) * 0xbf58476d1ce4e5b9;
  return hash ^ hash >> 32U;
}
inline std::uint64_t hash_word(Wide word) {
  const auto high = static_cast<std::uint64_t>(word >> 64U);
  return hash_word(static_cast<std::uint64_t>(word) ^ hash_word(high + 0x632be59bd9b4e019));
}
// What missing keys have where rows are spread by their hashes.
inline constexpr std::uint64_t missing_hash = 0x9fb21c651e98df25;

}  // namespace phalanx::frames
