// Strings of columns as words: their bytes where they are short, else a hash that is checked.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "phalanx/frames/column.h"
#include "phalanx/frames/words.h"

namespace phalanx::frames {

// The strings of several tables' columns, their rows numbered one table after another.
class Strings {
 public:
  explicit Strings(std::vector<Key> pieces);

  std::int64_t rows() const { return begins_.back(); }
  bool is_missing(std::int64_t row) const;
  std::string_view operator[](std::int64_t row) const;

  // Missing ones are in no group.
  Groups group(runtime::Runtime& runtime) const;
  // Writes 64 bits of each of some strings, the same for the same bytes wherever they are; missing
  // ones have those of no string.
  void hash(std::int64_t first, std::int64_t count, std::uint64_t* to) const;
  // The ranks of those at `rows`, which are different, in the order of their bytes.
  std::vector<std::int64_t> ranks(
      runtime::Runtime& runtime, std::span<const std::int64_t> rows) const;

 private:
  struct Position {
    const Key* piece;
    std::int64_t row;
  };
  Position position_of(std::int64_t row) const;
  std::int64_t longest(runtime::Runtime& runtime) const;
  Groups group_hashes(runtime::Runtime& runtime, std::uint64_t seed) const;
  bool are_same(runtime::Runtime& runtime, const Groups& groups) const;
  // Calls `visit(i, string or null data for missing)` for `count` rows from `first` on.
  template <typename Visit>
  void for_strings(std::int64_t first, std::int64_t count, const Visit& visit) const;

  std::vector<Key> pieces_;
  std::vector<std::int64_t> begins_ = {0};
};

}  // namespace phalanx::frames
