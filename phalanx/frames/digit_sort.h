// Rows of a bucket sorted by their words, digit after digit: what fits a core's cache.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "phalanx/frames/words.h"

namespace phalanx::frames {

template <typename Word>
struct WordOfRow {
  Word word;
  std::int64_t row;
  bool operator<(const WordOfRow& other) const {
    return word != other.word ? word < other.word : row < other.row;
  }
};

// Sorts by word and row, and returns where the result lies: in `entries`, or in `spare`, which
// grows to as many. Rows with equal words are to come in order, as a bucket has them.
//
// Words of a bucket are near each other, so the bits in which they differ are few digits, and a
// pass over a digit has no branch that is guessed wrong.
template <typename Word>
std::span<const WordOfRow<Word>> sort_by_digits(
    std::span<WordOfRow<Word>> entries, std::vector<WordOfRow<Word>>& spare) {
  constexpr unsigned digit_bits = 11;
  constexpr std::size_t digits = std::size_t{1} << digit_bits;
  constexpr unsigned most_passes = 6;  // beyond, and for few rows, comparing is faster
  constexpr std::size_t least_rows = 1024;
  if (std::is_sorted(entries.begin(), entries.end()))
    return entries;
  const auto by_word = [](const auto& a, const auto& b) { return a.word < b.word; };
  const auto [least, greatest] = std::minmax_element(entries.begin(), entries.end(), by_word);
  const Word base = least->word;
  unsigned passes = 0;
  for (Word range = greatest->word - base; range != 0; range >>= digit_bits) ++passes;
  if (entries.size() < least_rows || passes > most_passes) {
    std::sort(entries.begin(), entries.end());
    return entries;
  }
  spare.resize(std::max(spare.size(), entries.size()));
  std::span<WordOfRow<Word>> from = entries;
  std::span<WordOfRow<Word>> to = std::span(spare).first(entries.size());
  for (unsigned pass = 0; pass < passes; ++pass) {
    const auto digit_of = [base, shift = pass * digit_bits](const WordOfRow<Word>& entry) {
      return static_cast<std::size_t>((entry.word - base) >> shift) % digits;
    };
    std::array<std::size_t, digits> places = {};
    for (const WordOfRow<Word>& entry : from) ++places[digit_of(entry)];
    std::size_t sum = 0;
    for (std::size_t& place : places) {
      const std::size_t count = place;
      place = sum;
      sum += count;
    }
    for (const WordOfRow<Word>& entry : from) to[places[digit_of(entry)]++] = entry;
    std::swap(from, to);
  }
  return from;
}

}  // namespace phalanx::frames
