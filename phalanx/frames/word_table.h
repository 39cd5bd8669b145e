// A hash table of words by open addressing with linear probing: each word has a number from 0 on.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "phalanx/frames/words.h"

namespace phalanx::frames {

template <typename Word>
class WordTable {
 public:
  WordTable() { grow(least_slots); }

  std::int64_t count() const { return count_; }
  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&slots_[hash & mask_]); }

  // The word's number, and whether it came to the table by this.
  struct Found {
    std::uint32_t number;
    bool is_new;
  };
  Found insert(Word word, std::uint64_t hash) {
    std::uint64_t at = hash & mask_;
    while (slots_[at].number != none) {
      if (slots_[at].word == word)
        return {slots_[at].number, false};
      at = (at + 1) & mask_;
    }
    const std::uint32_t number = count_++;
    slots_[at] = {word, number};
    if (2 * std::uint64_t{count_} > mask_)
      grow(4 * slots_.size());
    return {number, true};
  }

  // Calls `visit(word, number)` for all, in no order.
  template <typename Visit>
  void for_each(const Visit& visit) const {
    for (const Slot& slot : slots_)
      if (slot.number != none)
        visit(slot.word, slot.number);
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  static constexpr std::size_t least_slots = 256;
  struct Slot {
    Word word = 0;
    std::uint32_t number = none;
  };

  void grow(std::size_t size) {
    const std::vector<Slot> former = std::exchange(slots_, std::vector<Slot>(size));
    mask_ = size - 1;
    for (const Slot& slot : former) {
      if (slot.number == none)
        continue;
      std::uint64_t at = hash_word(slot.word) & mask_;
      while (slots_[at].number != none) at = (at + 1) & mask_;
      slots_[at] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::uint64_t mask_ = 0;
  std::uint32_t count_ = 0;
};

}  // namespace phalanx::frames
