// Sorting and selection by Highway's vqsort, compiled for three generations of CPUs. NaN is last.
//
// Routines of numbers from 16 to 64 bits but float16, after `argsort` of 32 and 64 bits; they
// return 0 unless they say more:
//     sort(T* values, count)                          in place
//     argsort(const T* values, count, i64* order)     stable
//     select(const T* values, count, rank, T* found)  the two values at rank and rank + 1 of the
//                                                     sorted array; returns how many NaN there are
//     partition(const T* values, count, rank, T* out)
//                                                     what belongs at rank there, less before it
//     count_below(const T* values, count, const T* splitters, splitter_count, i64* below)
//                                                     how many values are less than each splitter
//     distribute(const T* values, count, const T* splitters, splitter_count, T** next)
//                                                     to the buckets between sorted splitters: NaN
//                                                     to the last; next is moved on in each
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>

#include "phalanx/runtime/cpu/compress_store.h"
#include "phalanx/runtime/cpu/routine_table.h"

// This file includes itself once for each target, but for the last.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "phalanx/runtime/cpu/vector_sort.cpp"
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// Needs the target's namespace of highway.h.
#include <hwy/contrib/sort/traits-inl.h>
#include <hwy/contrib/sort/traits128-inl.h>
#include <hwy/contrib/sort/vqsort-inl.h>

#ifndef PHX_WIDE_TYPES
#define PHX_NARROW_TYPES(X) \
  X(std::uint8_t, "boolean") X(std::uint8_t, "uint8") X(std::int8_t, "int8")
#define PHX_SHORT_TYPES(X) X(std::uint16_t, "uint16") X(std::int16_t, "int16")
#define PHX_WIDE_TYPES(X)  \
  X(std::int32_t, "int32") \
  X(std::int64_t, "int64") \
  X(std::uint32_t, "uint32") X(std::uint64_t, "uint64") X(float, "float32") X(double, "float64")
#endif

HWY_BEFORE_NAMESPACE();
namespace phalanx::runtime::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using i64 = std::int64_t;
using u64 = std::uint64_t;
__extension__ using u128 = unsigned __int128;

template <typename T>
constexpr T infinity = std::is_floating_point_v<T> ? std::numeric_limits<T>::infinity()
                                                   : std::numeric_limits<T>::max();
template <typename T>
constexpr T least_of = std::is_floating_point_v<T> ? -infinity<T> : std::numeric_limits<T>::min();

// Two words, the high one last.
using Pair = std::array<u64, 2>;

#if VQSORT_ENABLED

template <typename T>
void sort_numbers(T* values, std::size_t count) {
  using Order = hn::detail::TraitsLane<hn::detail::OrderAscending<T>>;
  T* const no_buffer = nullptr;  // vectors of a fixed length need none
  hn::Sort(hn::SortTag<T>(), hn::detail::SharedTraits<Order>(), values, count, no_buffer);
}

void sort_pairs(Pair* pairs, std::size_t count) {
  using Order = hn::detail::Traits128<hn::detail::OrderAscending128>;
  u64* const no_buffer = nullptr;
  hn::Sort(
      hn::SortTag<u64>(), hn::detail::SharedTraits<Order>(), pairs->data(), 2 * count, no_buffer);
}

#else  // no vectors

template <typename T>
void sort_numbers(T* values, std::size_t count) {
  std::sort(values, values + count);
}

void sort_pairs(Pair* pairs, std::size_t count) {
  std::sort(pairs, pairs + count, [](const Pair& a, const Pair& b) {
    return a[1] < b[1] || (a[1] == b[1] && a[0] < b[0]);
  });
}

#endif

// 16 bits: by counting, where there are many.
template <typename T>
bool sort_by_counting(T* values, std::size_t count) {
  constexpr int least = std::numeric_limits<T>::min();
  constexpr std::size_t kinds = 1 << 16;
  const auto counts = try_allocate<std::size_t>(kinds);
  if (counts == nullptr)
    return false;
  std::fill_n(counts.get(), kinds, 0);
  for (std::size_t i = 0; i < count; ++i) ++counts[static_cast<std::size_t>(values[i] - least)];
  for (std::size_t i = 0; i < kinds; ++i)
    values = std::fill_n(values, counts[i], static_cast<T>(static_cast<int>(i) + least));
  return true;
}

// Bits of floats as whole numbers in the order of the floats, and back. Returns whether a NaN is
// among them.
template <typename Bits>
bool turn_bits(Bits* values, std::size_t count) {
  using Float = std::conditional_t<sizeof(Bits) == 8, double, float>;
  constexpr Bits all_but_sign = std::numeric_limits<Bits>::max();
  constexpr Bits last_number = std::bit_cast<Bits>(infinity<Float>);
  const hn::ScalableTag<Bits> tag;
  const std::size_t lanes = hn::Lanes(tag);
  const auto size = hn::Set(tag, all_but_sign);
  auto most = hn::Zero(tag);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto bits = hn::LoadU(tag, values + i);
    const auto is_negative = hn::ShiftRight<8 * sizeof(Bits) - 1>(bits);
    most = hn::Max(most, hn::And(bits, size));
    hn::StoreU(hn::Xor(bits, hn::And(is_negative, size)), tag, values + i);
  }
  bool has_nan = !hn::AllFalse(tag, hn::Gt(most, hn::Set(tag, last_number)));
  for (; i < count; ++i) {
    has_nan |= (values[i] & all_but_sign) > last_number;
    values[i] ^= values[i] < 0 ? all_but_sign : Bits{0};
  }
  return has_nan;
}

template <typename T>
bool are_finite(const T* values, std::size_t count) {
  const hn::ScalableTag<T> tag;
  const std::size_t lanes = hn::Lanes(tag);
  // Infinities and NaN give NaN, which stays.
  auto sum = hn::Zero(tag);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto some = hn::LoadU(tag, values + i);
    sum = hn::Add(sum, hn::Sub(some, some));
  }
  return hn::AllFalse(tag, hn::IsNaN(sum)) &&
         std::all_of(values + i, values + count, [](T value) { return value - value == 0; });
}

// To vqsort, infinity is beyond the last value: where there is one, bits are sorted, which takes
// two passes more, and longer for minima and maxima of 64 bits.
template <typename T>
void sort_floats(T* values, std::size_t count) {
  if (are_finite(values, count))
    return sort_numbers(values, count);
  auto* bits = reinterpret_cast<std::conditional_t<sizeof(T) == 8, i64, std::int32_t>*>(values);
  if (turn_bits(bits, count)) {
    turn_bits(bits, count);
    T* const end = std::partition(values, values + count, [](T value) { return value == value; });
    return sort_floats(values, static_cast<std::size_t>(end - values));
  }
  sort_numbers(bits, count);
  turn_bits(bits, count);
}

template <typename T>
i64 sort(T* values, i64 size) {
  const auto count = static_cast<std::size_t>(size);
  if constexpr (sizeof(T) == 2) {
    if (count >= 1 << 14 && sort_by_counting(values, count))
      return 0;
  }
  if constexpr (std::is_floating_point_v<T>)
    sort_floats(values, count);
  else
    sort_numbers(values, count);
  return 0;
}

// The bits of the value as a number that sorts as the value does: equal where the values are, the
// greatest for NaN.
template <typename T>
auto sortable(T value) {
  using Bits = std::conditional_t<sizeof(T) == 8, u64, std::uint32_t>;
  constexpr Bits sign = Bits{1} << (8 * sizeof(Bits) - 1);
  if constexpr (std::is_floating_point_v<T>) {
    if (value != value)
      return ~Bits{0};
    const Bits bits = std::bit_cast<Bits>(value + T{0});  // -0.0 is 0.0
    return static_cast<Bits>(bits & sign ? ~bits : bits | sign);
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<Bits>(static_cast<Bits>(value) ^ sign);
  } else {
    return static_cast<Bits>(value);
  }
}

// The positions are the low part of the keys, which makes it stable.
template <typename T>
i64 argsort(const T* values, i64 count, i64* order) {
  const auto n = static_cast<std::size_t>(count);
  if (sizeof(T) < 8 && n <= std::numeric_limits<std::uint32_t>::max()) {
    u64* keys = reinterpret_cast<u64*>(order);
    for (std::size_t i = 0; i < n; ++i) keys[i] = u64{sortable(values[i])} << 32 | i;
    sort_numbers(keys, n);
    for (std::size_t i = 0; i < n; ++i) keys[i] &= 0xffffffff;
    return 0;
  }
  const auto keys = try_allocate<Pair>(n);
  if (keys == nullptr)
    return out_of_memory;
  for (std::size_t i = 0; i < n; ++i) keys[i] = {i, sortable(values[i])};
  sort_pairs(keys.get(), n);
  for (std::size_t i = 0; i < n; ++i) order[i] = static_cast<i64>(keys[i][0]);
  return 0;
}

// Appends what the mask chooses; whole vectors are stored where they fit.
template <class Tag, class Mask, typename T = hn::TFromD<Tag>>
HWY_INLINE T* append(Tag tag, hn::Vec<Tag> values, Mask chosen, T* next, const T* end) {
  const std::size_t count = hn::CountTrue(tag, chosen);
  const auto packed = hn::Compress(values, chosen);
  if (static_cast<std::size_t>(end - next) >= hn::Lanes(tag)) {
    hn::StoreU(packed, tag, next);
  } else {
    HWY_ALIGN T some[HWY_LANES(T)];
    hn::Store(packed, tag, some);
    std::memcpy(next, some, count * sizeof(T));
  }
  return next + count;
}

// What a pass over the values finds of [low, high].
struct Within {
  std::size_t below = 0;
  std::size_t inside = 0;
  std::size_t nans = 0;
};

// The values from low to high go to `out`, which has room for a vector more than `count`.
template <typename T>
Within take_within(const T* values, std::size_t count, T low, T high, T* out) {
  const hn::ScalableTag<T> tag;
  const std::size_t lanes = hn::Lanes(tag);
  const auto least = hn::Set(tag, low);
  const auto most = hn::Set(tag, high);
  const T* const end = out + count + lanes;
  T* next = out;
  Within found;
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto some = hn::LoadU(tag, values + i);
    found.below += hn::CountTrue(tag, hn::Lt(some, least));
    const auto outside = hn::Or(hn::Lt(some, least), hn::Lt(most, some));
    if constexpr (std::is_floating_point_v<T>) {
      const auto is_nan = hn::IsNaN(some);
      found.nans += hn::CountTrue(tag, is_nan);
      next = append(tag, some, hn::Not(hn::Or(outside, is_nan)), next, end);
    } else {
      next = append(tag, some, hn::Not(outside), next, end);
    }
  }
  for (; i < count; ++i) {
    const T value = values[i];
    found.below += value < low;
    found.nans += value != value;
    if (value >= low && value <= high)
      *next++ = value;
  }
  found.inside = static_cast<std::size_t>(next - out);
  return found;
}

template <typename T>
void take_two(const T* sorted, std::size_t count, std::size_t rank, T* found) {
  for (std::size_t i = 0; i < 2; ++i) found[i] = sorted[std::min(rank + i, count - 1)];
}

template <typename T>
i64 select_by_sorting(const T* values, std::size_t count, std::size_t rank, T* found) {
  const auto copy = try_allocate<T>(count);
  if (copy == nullptr)
    return out_of_memory;
  std::copy_n(values, count, copy.get());
  sort(copy.get(), static_cast<i64>(count));
  take_two(copy.get(), count, rank, found);
  return std::count_if(copy.get(), copy.get() + count, [](T value) { return value != value; });
}

constexpr std::size_t few = 4096;
constexpr std::size_t sample_size = 2048;

// Bounds that the value at `rank` lies between, but for bad luck.
template <typename T>
std::pair<T, T> bounds_of(const T* values, std::size_t count, std::size_t rank) {
  T sample[sample_size];
  std::size_t sampled = 0;
  u64 state = 0x9e3779b97f4a7c15;
  for (std::size_t i = 0; i < sample_size; ++i) {
    state = state * 6364136223846793005 + 1442695040888963407;
    // The high word of the product is below count.
    const auto index = static_cast<std::size_t>((static_cast<u128>(state) * count) >> 64);
    if (values[index] == values[index])
      sample[sampled++] = values[index];
  }
  sort(sample, static_cast<i64>(sampled));
  // Four standard deviations, at most, of where in a sample the value is.
  constexpr std::size_t margin = 92;
  const auto middle = static_cast<std::size_t>(
      static_cast<double>(rank) / static_cast<double>(count) * sample_size);
  const bool has_low = middle >= margin && middle - margin < sampled;
  return {
      has_low ? sample[middle - margin] : least_of<T>,
      middle + margin < sampled ? sample[middle + margin] : infinity<T>};
}

// R. W. Floyd, R. L. Rivest, Expected Time Bounds for Selection, CACM 18(3), 1975: a sample tells
// what the wanted values lie between, and one pass takes what does.
template <typename T>
i64 select(const T* values, i64 size, i64 wanted, T* found) {
  const auto count = static_cast<std::size_t>(size);
  const auto rank = static_cast<std::size_t>(wanted);
  if (count <= few)
    return select_by_sorting(values, count, rank, found);
  const auto inside = try_allocate<T>(count + HWY_LANES(T));
  if (inside == nullptr)
    return out_of_memory;
  const auto [low, high] = bounds_of(values, count, rank);
  const Within within = take_within(values, count, low, high, inside.get());
  const std::size_t last = std::max(rank, std::min(rank + 1, count - within.nans - 1));
  if (rank < within.below || last >= within.below + within.inside)
    return select_by_sorting(values, count, rank, found);
  if (low == high)
    found[0] = found[1] = low;
  else if (const auto rest = static_cast<i64>(within.inside); rest > size / 2)
    sort(inside.get(), rest), take_two(inside.get(), within.inside, rank - within.below, found);
  else if (select(inside.get(), rest, static_cast<i64>(rank - within.below), found) < 0)
    return out_of_memory;
  return static_cast<i64>(within.nans);
}

// Appends what the mask chooses. It writes nothing after it, nor what is there again: other threads
// write there.
template <class Tag, class Mask, typename T = hn::TFromD<Tag>>
HWY_INLINE T* put(Tag tag, hn::Vec<Tag> values, Mask chosen, T* next) {
  return next + hn::CompressBlendedStore(values, chosen, tag, next);
}

// What is below low goes to the begin of `out`, what is above high to its end, the rest to
// `inside`, NaN too; both have room for `count`.
template <typename T>
Within part(const T* values, std::size_t count, T low, T high, T* out, T* inside) {
  const hn::ScalableTag<T> tag;
  const std::size_t lanes = hn::Lanes(tag);
  const auto least = hn::Set(tag, low);
  const auto most = hn::Set(tag, high);
  T* front = out;
  T* back = out + count;
  T* next = inside;
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto some = hn::LoadU(tag, values + i);
    const auto is_below = hn::Lt(some, least);
    const auto is_above = hn::Lt(most, some);
    front = put(tag, some, is_below, front);
    back -= hn::CountTrue(tag, is_above);
    put(tag, some, is_above, back);
    next = put(tag, some, hn::Not(hn::Or(is_below, is_above)), next);
  }
  for (; i < count; ++i) {
    const T value = values[i];
    if (value < low)
      *front++ = value;
    else if (value > high)
      *--back = value;
    else
      *next++ = value;
  }
  Within found;
  found.below = static_cast<std::size_t>(front - out);
  found.inside = static_cast<std::size_t>(next - inside);
  found.nans =
      static_cast<std::size_t>(std::count_if(inside, next, [](T value) { return value != value; }));
  return found;
}

// As `select`, of which what lies between the two bounds is a small problem of the same kind.
template <typename T>
i64 partition(const T* values, i64 size, i64 wanted, T* out) {
  const auto count = static_cast<std::size_t>(size);
  const auto rank = static_cast<std::size_t>(wanted);
  const auto sort_all = [&] {
    std::copy_n(values, count, out);
    return sort(out, size);
  };
  if (count <= few)
    return sort_all();
  const auto inside = try_allocate<T>(count);
  if (inside == nullptr)
    return out_of_memory;
  const auto [low, high] = bounds_of(values, count, rank);
  const Within within = part(values, count, low, high, out, inside.get());
  const bool is_missed = rank < within.below || rank >= within.below + within.inside;
  if (is_missed || within.nans > 0 || (low != high && within.inside > count / 2))
    return sort_all();
  T* const middle = out + within.below;
  if (low != high)
    return partition(
        inside.get(),
        static_cast<i64>(within.inside),
        wanted - static_cast<i64>(within.below),
        middle);
  std::copy_n(inside.get(), within.inside, middle);
  return 0;
}

template <typename T>
i64 count_below(const T* values, i64 size, const T* splitters, i64 splitter_count, i64* below) {
  const hn::ScalableTag<T> tag;
  const auto count = static_cast<std::size_t>(size);
  const std::size_t lanes = hn::Lanes(tag);
  constexpr std::size_t block = 1 << 10;  // of values that the cache holds for all splitters
  std::fill_n(below, splitter_count, 0);
  for (std::size_t begin = 0; begin < count; begin += block) {
    const std::size_t end = std::min(begin + block, count);
    for (i64 s = 0; s < splitter_count; ++s) {
      const auto splitter = hn::Set(tag, splitters[s]);
      std::size_t found = 0;
      std::size_t i = begin;
      for (; i + lanes <= end; i += lanes)
        found += hn::CountTrue(tag, hn::Lt(hn::LoadU(tag, values + i), splitter));
      for (; i < end; ++i) found += values[i] < splitters[s];
      below[s] += static_cast<i64>(found);
    }
  }
  return 0;
}

template <typename T>
i64 distribute(const T* values, i64 size, const T* splitters, i64 splitter_count, T** next) {
  const hn::ScalableTag<T> tag;
  const auto count = static_cast<std::size_t>(size);
  const std::size_t lanes = hn::Lanes(tag);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto some = hn::LoadU(tag, values + i);
    auto rest = hn::FirstN(tag, lanes);
    for (i64 s = 0; s < splitter_count; ++s) {
      const auto is_below = hn::Lt(some, hn::Set(tag, splitters[s]));
      const auto chosen = hn::And(rest, is_below);
      if (!hn::AllFalse(tag, chosen))
        next[s] = put(tag, some, chosen, next[s]);
      rest = hn::Not(is_below);
    }
    next[splitter_count] = put(tag, some, rest, next[splitter_count]);
  }
  for (; i < count; ++i) {
    i64 bucket = 0;
    while (bucket < splitter_count && !(values[i] < splitters[bucket])) ++bucket;
    *next[bucket]++ = values[i];
  }
  return 0;
}

#define PHX_ROW(function, T, dtype) \
  Routine { #function, dtype, address_of_routine(function<T>) }

}  // namespace

std::span<const Routine> routines() {
  static const std::array rows = {
#define PHX_TYPE(T, dtype) PHX_ROW(argsort, T, dtype),
      PHX_NARROW_TYPES(PHX_TYPE)
#undef PHX_TYPE
#define PHX_TYPE(T, dtype) PHX_ROW(argsort, T, dtype), PHX_ROW(sort, T, dtype),
          PHX_SHORT_TYPES(PHX_TYPE)
#undef PHX_TYPE
#define PHX_TYPE(T, dtype)                                                        \
  PHX_ROW(argsort, T, dtype), PHX_ROW(sort, T, dtype), PHX_ROW(select, T, dtype), \
      PHX_ROW(partition, T, dtype), PHX_ROW(count_below, T, dtype), PHX_ROW(distribute, T, dtype),
              PHX_WIDE_TYPES(PHX_TYPE)
#undef PHX_TYPE
  };
  return rows;
}

#undef PHX_ROW

}  // namespace phalanx::runtime::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

// The one function of Highway's library that its headers call: where vqsort begins to draw samples.
// Defined here, so that no library is needed; the same every time.
void hwy::Sorter::Fill24Bytes(const void* /*seed_heap*/, std::size_t seed_num, void* bytes) {
  const std::uint64_t words[3] = {seed_num, 0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9};
  std::memcpy(bytes, words, sizeof words);
}

namespace phalanx::runtime::cpu {

std::span<const Routine> sort_routines() {
  if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512vl"))
    return N_AVX3::routines();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
      __builtin_cpu_supports("fma"))
    return N_AVX2::routines();
  return N_SCALAR::routines();
}

}  // namespace phalanx::runtime::cpu

#endif  // HWY_ONCE
