// Numbers out of text.
#pragma once

#include <emmintrin.h>

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "phalanx/frames/csv_reader.h"

namespace phalanx::frames::csv {

struct NumberFormat {
  int decimal = '.';
  int thousands = Dialect::none;

  bool is_common() const { return decimal == '.' && thousands == Dialect::none; }
};

enum class Whole : std::uint8_t {
  good,
  too_large,  // a whole number, that the type does not hold
  invalid
};

// Blanks around are passed over.
Whole read_int64(std::string_view text, const NumberFormat& format, std::int64_t& value);
// Of negative numbers -1 is `is_negative`, whatever they are.
Whole read_uint64(
    std::string_view text, const NumberFormat& format, std::uint64_t& value, bool& is_negative);
// Rounded correctly; those too large are infinite. Takes "inf" and "infinity" in any case too.
bool read_float64(std::string_view text, const NumberFormat& format, double& value);
bool is_number(std::string_view text);  // of the common format

namespace detail {

alignas(64) inline constexpr std::uint8_t window[48] = {
    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
    0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0};

inline __m128i load(const void* from) { return _mm_loadu_si128(static_cast<const __m128i*>(from)); }

// All bits of the last `count` bytes; of the first.
inline __m128i last_bytes(unsigned count) { return load(window + count); }
inline __m128i first_bytes(unsigned count) { return load(window + 32 - count); }

// The number of 16 digits.
inline std::uint64_t number_of(__m128i digits) {
  const __m128i tens =
      _mm_mullo_epi16(_mm_and_si128(digits, _mm_set1_epi16(0xFF)), _mm_set1_epi16(10));
  const __m128i pairs = _mm_add_epi16(tens, _mm_srli_epi16(digits, 8));
  const __m128i fours = _mm_madd_epi16(pairs, _mm_set1_epi32(1 << 16 | 100));
  const __m128i packed = _mm_packs_epi32(fours, fours);
  const __m128i eights = _mm_madd_epi16(packed, _mm_set1_epi32(1 << 16 | 10000));
  const auto both = static_cast<std::uint64_t>(_mm_cvtsi128_si64(eights));
  return (both & 0xFFFFFFFF) * 100000000 + (both >> 32);
}

inline bool all_digits(__m128i digits) {
  const __m128i above = _mm_subs_epu8(digits, _mm_set1_epi8(9));
  return _mm_movemask_epi8(_mm_cmpeq_epi8(above, _mm_setzero_si128())) == 0xFFFF;
}

inline constexpr double powers_of_ten[] = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

}  // namespace detail

// A whole number of 1 to 16 digits and a minus, whose text ends at `end`; false: it is something
// else. 16 bytes before the end can be read.
inline bool read_short_integer(const char* end, std::uint32_t size, std::int64_t& value) {
  const bool is_negative = *(end - size) == '-';
  const std::uint32_t digits = size - static_cast<std::uint32_t>(is_negative);
  if (digits - 1 > 15)
    return false;
  const __m128i text = _mm_sub_epi8(detail::load(end - 16), _mm_set1_epi8('0'));
  const __m128i number = _mm_and_si128(text, detail::last_bytes(digits));
  if (!detail::all_digits(number))
    return false;
  const auto found = static_cast<std::int64_t>(detail::number_of(number));
  value = is_negative ? -found : found;
  return true;
}

// A decimal of up to 15 digits, a point and a minus, where the point may be missing. Exact: the
// digits are a float64, and so is the power of ten. W. D. Clinger, How to Read Floating Point
// Numbers Accurately, PLDI 1990.
inline bool read_short_decimal(const char* end, std::uint32_t size, double& value) {
  const bool is_negative = *(end - size) == '-';
  const std::uint32_t characters = size - static_cast<std::uint32_t>(is_negative);
  if (characters - 1 > 15)
    return false;
  const __m128i text = detail::load(end - 16);
  const __m128i there = detail::last_bytes(characters);
  const __m128i points = _mm_and_si128(_mm_cmpeq_epi8(text, _mm_set1_epi8('.')), there);
  const auto bits = static_cast<unsigned>(_mm_movemask_epi8(points));
  __m128i digits = _mm_and_si128(_mm_sub_epi8(text, _mm_set1_epi8('0')), there);
  unsigned decimals = 0;
  if (bits != 0) {
    const auto point = static_cast<unsigned>(std::countr_zero(bits));
    decimals = 15 - point;
    if (characters == 1)
      return false;
    // What is before the point moves over it; a second point is no digit.
    const __m128i before = detail::first_bytes(point + 1);
    digits = _mm_or_si128(
        _mm_and_si128(before, _mm_slli_si128(digits, 1)), _mm_andnot_si128(before, digits));
  }
  if (!detail::all_digits(digits))
    return false;
  const std::uint64_t number = detail::number_of(digits);
  if (number > std::uint64_t{1} << 53)
    return false;
  const double found =
      static_cast<double>(static_cast<std::int64_t>(number)) / detail::powers_of_ten[decimals];
  value = std::bit_cast<double>(
      std::bit_cast<std::uint64_t>(found) | static_cast<std::uint64_t>(is_negative) << 63);
  return true;
}

}  // namespace phalanx::frames::csv
