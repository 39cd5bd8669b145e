// The scan, compiled for three generations of CPUs. G. Langdale, D. Lemire, Parsing Gigabytes of
// JSON per Second, VLDB Journal 28, 2019: a bit for each byte, and quotes by prefix sums of bits.
#include "phalanx/frames/csv/scan.h"

#include <bit>

// This file includes itself once for each target, but for the last.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "phalanx/frames/csv/scan.cpp"
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace phalanx::frames::csv::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using u8 = std::uint8_t;
using u64 = std::uint64_t;
using Tag = hn::ScalableTag<u8>;
using Vector = hn::Vec<Tag>;

constexpr std::size_t block = 64;  // bytes whose bits are in a word

// A bit for each byte that fulfils `test`, of 64.
template <typename Test>
HWY_INLINE u64 bits_where(const Tag tag, const u8* text, const Test& test) {
  const std::size_t lanes = hn::Lanes(tag);
  alignas(8) u8 bytes[block / 8] = {};
  if constexpr (hn::MaxLanes(Tag()) == 1) {
    for (std::size_t i = 0; i < block; ++i)
      bytes[i / 8] |= static_cast<u8>(hn::AllTrue(tag, test(hn::LoadU(tag, text + i))) << i % 8);
  } else {
    for (std::size_t i = 0; i < block; i += lanes)
      hn::StoreMaskBits(tag, test(hn::LoadU(tag, text + i)), bytes + i / 8);
  }
  u64 word = 0;
  __builtin_memcpy(&word, bytes, sizeof word);
  return word;
}

// Bit i is the parity of the bits up to i.
HWY_INLINE u64 parities(u64 bits) {
  for (unsigned shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

class Scanner {
 public:
  Scanner(const Dialect& dialect, std::uint32_t* ends)
      : separator_(all(dialect.separator)),
        line_feed_(all('\n')),
        return_(all('\r')),
        quote_(all(or_return(dialect.quote))),
        escape_(all(or_return(dialect.escape))),
        comment_(all(or_return(dialect.comment))),
        ends_(ends),
        has_quote_(dialect.quote != Dialect::none),
        may_double_(dialect.doubles_quotes) {}

  HWY_INLINE Scan run(const char* text, std::size_t size) {
    const auto* bytes = reinterpret_cast<const u8*>(text);
    Vector high = hn::Zero(Tag());
    for (std::size_t at = 0; at < size; at += block) {
      const u64 there = size - at >= block ? ~u64{0} : (u64{1} << (size - at)) - 1;
      there_ = there;
      if (!take_block(bytes + at, static_cast<std::uint32_t>(at), there)) {
        scan_.is_irregular = true;
        return scan_;
      }
      for (std::size_t i = 0; i < block; i += hn::Lanes(Tag()))
        high = hn::Or(high, hn::LoadU(Tag(), bytes + at + i));
    }
    scan_.ends_in_quotes = (inside_ & 1) != 0;
    const Vector top = hn::Set(Tag(), 0x80);
    scan_.has_non_ascii = !hn::AllFalse(Tag(), hn::Eq(hn::And(high, top), top));
    return scan_;
  }

 private:
  static Vector all(int character) { return hn::Set(Tag(), static_cast<u8>(character)); }
  // What there is not is looked for as what is looked for anyway.
  static int or_return(int character) { return character == Dialect::none ? '\r' : character; }

  // False where the text is irregular.
  HWY_INLINE bool take_block(const u8* text, std::uint32_t at, u64 there) {
    const auto equals = [&](const Vector& sought) {
      return bits_where(Tag(), text, [&](Vector v) { return hn::Eq(v, sought); }) & there;
    };
    u64 line_feeds = equals(line_feed_);
    u64 ends = equals(separator_) | line_feeds;
    const u64 others = bits_where(
                           Tag(),
                           text,
                           [&](Vector v) {
                             const auto marks = hn::Or(hn::Eq(v, quote_), hn::Eq(v, return_));
                             const auto rare = hn::Or(hn::Eq(v, escape_), hn::Eq(v, comment_));
                             return hn::Or(hn::Or(marks, rare), hn::Eq(v, hn::Zero(Tag())));
                           }) &
                       there;
    if ((others | inside_ | after_return_ | after_closing_) != 0) {
      const u64 quotes = has_quote_ ? equals(quote_) : 0;
      const u64 returns = equals(return_);
      if ((others & ~(quotes | returns)) != 0 || !take_marks(quotes, returns, ends, line_feeds))
        return false;
    }
    after_end_ = ends >> 63;
    scan_.line_ends += static_cast<std::size_t>(std::popcount(line_feeds));
    write(ends, at);
    return true;
  }

  // Takes what is in quotes off the ends. False where quotes and returns are not as most files have
  // them.
  HWY_INLINE bool take_marks(u64 quotes, u64 returns, u64& ends, u64& line_feeds) {
    const u64 quoted = parities(quotes) ^ inside_;
    ends &= ~quoted;
    line_feeds &= ~quoted;
    returns &= ~quoted;
    const u64 opening = quotes & quoted;
    const u64 closing = quotes & ~quoted;
    const u64 after_closing = closing << 1 | after_closing_;
    const u64 after_end = ends << 1 | after_end_;
    if ((opening & ~(after_end | (may_double_ ? after_closing : 0))) != 0 ||
        (after_closing & there_ & ~(ends | returns | opening)) != 0)
      return false;
    if (((returns << 1 | after_return_) & there_ & ~line_feeds) != 0)
      return false;
    inside_ = static_cast<u64>(static_cast<std::int64_t>(quoted) >> 63);
    after_closing_ = closing >> 63;
    after_return_ = returns >> 63;
    scan_.has_quotes |= quotes != 0;
    scan_.has_returns |= returns != 0;
    return true;
  }

  HWY_INLINE void write(u64 ends, std::uint32_t at) {
    std::uint32_t* to = ends_ + scan_.count;
    const int count = std::popcount(ends);
    scan_.count += static_cast<std::size_t>(count);
    for (int done = 0; done < count; done += 8) {
      for (int i = 0; i < 8; ++i) {
        *to++ = at + static_cast<std::uint32_t>(std::countr_zero(ends));
        ends &= ends - 1;
      }
    }
  }

  Vector separator_, line_feed_, return_, quote_, escape_, comment_;
  std::uint32_t* ends_;
  bool has_quote_;
  bool may_double_;
  Scan scan_;
  u64 there_ = 0;  // the bits of the block that are of the text
  // Of the block before: all bits where its end is in quotes, and bit 0 of what its last byte is.
  u64 inside_ = 0;
  u64 after_return_ = 0;
  u64 after_closing_ = 0;
  u64 after_end_ = 1;
};

}  // namespace

Scan scan(const Dialect& dialect, const char* text, std::size_t size, std::uint32_t* ends) {
  return Scanner(dialect, ends).run(text, size);
}

}  // namespace phalanx::frames::csv::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace phalanx::frames::csv {

Scan scan_fields(const Dialect& dialect, const char* text, std::size_t size, std::uint32_t* ends) {
  static const auto chosen = [] {
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512vl"))
      return N_AVX3::scan;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
        __builtin_cpu_supports("fma"))
      return N_AVX2::scan;
    return HWY_STATIC_DISPATCH(scan);
  }();
  return chosen(dialect, text, size, ends);
}

}  // namespace phalanx::frames::csv

#endif  // HWY_ONCE
