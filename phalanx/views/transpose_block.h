// Transposes a small square block of numbers in vector registers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace phalanx::views {

// The items of one vector: a block has as many rows and columns.
template <typename Item>
inline constexpr std::size_t block_side = 16 / sizeof(Item);

namespace detail {

template <typename Item>
struct Vector {
  using Type __attribute__((vector_size(16))) = Item;
};

// The items of the halves that begin at `First`, of `a` and `b` in turn.
template <typename Item, std::size_t First, std::size_t... I>
typename Vector<Item>::Type interleave(
    typename Vector<Item>::Type a, typename Vector<Item>::Type b, std::index_sequence<I...>) {
  return __builtin_shufflevector(a, b, (First + I / 2 + I % 2 * sizeof...(I))...);
}

}  // namespace detail

// Row r of the source, `from_pitch` bytes after the one before, becomes column r of the target.
// Each stage interleaves the first half of the rows with the second: after log2(side) of them they
// are the columns.
template <typename Item>
void transpose_block(
    std::byte* to, std::int64_t to_pitch, const std::byte* from, std::int64_t from_pitch) {
  constexpr std::size_t side = block_side<Item>;
  constexpr auto items = std::make_index_sequence<side>();
  using Row = typename detail::Vector<Item>::Type;
  Row rows[side];
  Row next[side];
#pragma GCC unroll 16
  for (std::size_t i = 0; i < side; ++i)
    std::memcpy(&rows[i], from + static_cast<std::int64_t>(i) * from_pitch, sizeof(Row));
#pragma GCC unroll 4
  for (std::size_t stage = 1; stage < side; stage *= 2) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < side / 2; ++i) {
      next[2 * i] = detail::interleave<Item, 0>(rows[i], rows[i + side / 2], items);
      next[2 * i + 1] = detail::interleave<Item, side / 2>(rows[i], rows[i + side / 2], items);
    }
#pragma GCC unroll 16
    for (std::size_t i = 0; i < side; ++i) rows[i] = next[i];
  }
#pragma GCC unroll 16
  for (std::size_t i = 0; i < side; ++i)
    std::memcpy(to + static_cast<std::int64_t>(i) * to_pitch, &rows[i], sizeof(Row));
}

}  // namespace phalanx::views
