// Bytes of texts that lie one after another: how long they are, copied and compared.
#pragma once

#include <emmintrin.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "phalanx/frames/memory.h"
#include "phalanx/runtime/runtime.h"

namespace phalanx::frames {

// Sizes of texts, from offsets[1] on, become offsets, the first of which is 0; returns the bytes of
// all.
std::int64_t add_sizes(runtime::Runtime& runtime, Memory<std::int64_t>& offsets);

// Texts of columns are short: a call takes longer than their bytes. They are taken in steps, up to
// so many bytes, where there is memory of the same column behind them for the last step.
inline constexpr std::size_t text_step = 16;
inline constexpr std::size_t most_in_steps = 64;

inline bool are_equal(
    std::string_view a, const char* a_end, std::string_view b, const char* b_end) {
  const std::size_t size = a.size();
  if (size != b.size())
    return false;
  const auto room = static_cast<std::size_t>(std::min(a_end - a.data(), b_end - b.data()));
  if (size > most_in_steps || room < size + text_step)
    return a == b;
  for (std::size_t at = 0; at < size; at += text_step) {
    const auto* const first = reinterpret_cast<const __m128i*>(a.data() + at);
    const auto* const second = reinterpret_cast<const __m128i*>(b.data() + at);
    const __m128i same = _mm_cmpeq_epi8(_mm_loadu_si128(first), _mm_loadu_si128(second));
    const std::uint32_t wanted = (1U << std::min(size - at, text_step)) - 1;
    if ((~static_cast<std::uint32_t>(_mm_movemask_epi8(same)) & wanted) != 0)
      return false;
  }
  return true;
}

// What is written beyond the text is for the next one to write over: texts are copied in the order
// in which they lie, and `to_end` is where another thread begins.
inline void copy_text(
    const char* from, const char* from_end, std::size_t size, char* to, const char* to_end) {
  const auto room = static_cast<std::size_t>(std::min(from_end - from, to_end - to));
  if (size > most_in_steps || room < size + text_step) {
    if (size != 0)
      std::memcpy(to, from, size);
    return;
  }
  for (std::size_t at = 0; at < size; at += text_step) std::memcpy(to + at, from + at, text_step);
}

}  // namespace phalanx::frames
