// A search by the first and the last byte at once, compiled for three generations of CPUs.
// W. Mula, SIMD-friendly algorithms for substring searching, 2016.
#include "phalanx/frames/text/find.h"

#include <bit>
#include <cstdint>
#include <cstring>

// This file includes itself once for each target, but for the last.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "phalanx/frames/text/find.cpp"
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace phalanx::frames::text::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::ScalableTag<std::uint8_t>;

const char* find(const char* at, const char* end, const char* wanted, std::size_t size) {
  const Tag tag;
  const std::size_t lanes = hn::Lanes(tag);
  const auto first = hn::Set(tag, static_cast<std::uint8_t>(wanted[0]));
  const auto last = hn::Set(tag, static_cast<std::uint8_t>(wanted[size - 1]));
  for (; static_cast<std::size_t>(end - at) >= size - 1 + lanes; at += lanes) {
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(at);
    const auto both = hn::And(
        hn::Eq(hn::LoadU(tag, bytes), first), hn::Eq(hn::LoadU(tag, bytes + size - 1), last));
    if (hn::AllFalse(tag, both))
      continue;
    alignas(8) std::uint8_t stored[8] = {};
    hn::StoreMaskBits(tag, both, stored);
    std::uint64_t bits = 0;
    __builtin_memcpy(&bits, stored, sizeof bits);
    for (; bits != 0; bits &= bits - 1) {
      const char* const found = at + std::countr_zero(bits);
      if (std::memcmp(found, wanted, size) == 0)
        return found;
    }
  }
  const void* const found = ::memmem(at, static_cast<std::size_t>(end - at), wanted, size);
  return found == nullptr ? end : static_cast<const char*>(found);
}

}  // namespace phalanx::frames::text::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace phalanx::frames::text {

const char* find_bytes(const char* at, const char* end, std::string_view wanted) {
  static const auto chosen = [] {
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512vl"))
      return N_AVX3::find;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
        __builtin_cpu_supports("fma"))
      return N_AVX2::find;
    return HWY_STATIC_DISPATCH(find);
  }();
  return chosen(at, end, wanted.data(), wanted.size());
}

const char* find_last_bytes(const char* at, const char* end, std::string_view wanted) {
  for (const char* from = end - wanted.size(); from >= at; --from) {
    const void* const found = ::memrchr(at, wanted[0], static_cast<std::size_t>(from - at) + 1);
    if (found == nullptr)
      return nullptr;
    from = static_cast<const char*>(found);
    if (std::memcmp(from, wanted.data(), wanted.size()) == 0)
      return from;
  }
  return nullptr;
}

}  // namespace phalanx::frames::text
#endif
