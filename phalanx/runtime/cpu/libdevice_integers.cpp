// libdevice on integers, on bits, and its classification of floats.
#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "phalanx/runtime/cpu/libdevice_table.h"

namespace phalanx::runtime::cpu {

namespace {

using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
__extension__ using i128 = __int128;
__extension__ using u128 = unsigned __int128;

constexpr u32 low_24 = 0xffffff;

u32 u(i32 value) { return static_cast<u32>(value); }
u64 u(i64 value) { return static_cast<u64>(value); }
i32 low_24_signed(i32 value) { return static_cast<i32>(u(value) << 8) >> 8; }

// Each of the lowest 16 bits' four selectors takes one of the eight bytes of (y, x).
i32 byte_perm(i32 x, i32 y, i32 selectors) {
  const u64 bytes = static_cast<u64>(u(y)) << 32 | u(x);
  u32 result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned from = u(selectors) >> (4 * i) & 7;
    result |= static_cast<u32>(bytes >> (8 * from) & 0xff) << (8 * i);
  }
  return static_cast<i32>(result);
}

float half_to_float(i16 bits) { return static_cast<float>(std::bit_cast<_Float16>(bits)); }
i16 float_to_half(float value) { return std::bit_cast<i16>(static_cast<_Float16>(value)); }

#define ROW(name, ...) \
  LibdeviceFunction { #name, address_of(__VA_ARGS__) }

const auto& table() {
  static const std::array rows = {
      ROW(byte_perm, [](i32 x, i32 y, i32 s) { return byte_perm(x, y, s); }),
      ROW(ffs, [](i32 x) -> i32 { return x == 0 ? 0 : std::countr_zero(u(x)) + 1; }),
      ROW(ffsll, [](i64 x) -> i32 { return x == 0 ? 0 : std::countr_zero(u(x)) + 1; }),
      ROW(hadd, [](i32 a, i32 b) { return static_cast<i32>((i64{a} + b) >> 1); }),
      ROW(rhadd, [](i32 a, i32 b) { return static_cast<i32>((i64{a} + b + 1) >> 1); }),
      ROW(uhadd, [](i32 a, i32 b) { return static_cast<i32>((u64{u(a)} + u(b)) >> 1); }),
      ROW(urhadd, [](i32 a, i32 b) { return static_cast<i32>((u64{u(a)} + u(b) + 1) >> 1); }),
      ROW(mul24,
          [](i32 a, i32 b) { return static_cast<i32>(u(low_24_signed(a)) * u(low_24_signed(b))); }),
      ROW(umul24, [](i32 a, i32 b) { return static_cast<i32>((u(a) & low_24) * (u(b) & low_24)); }),
      ROW(mulhi, [](i32 a, i32 b) { return static_cast<i32>(i64{a} * b >> 32); }),
      ROW(umulhi, [](i32 a, i32 b) { return static_cast<i32>(u64{u(a)} * u(b) >> 32); }),
      ROW(mul64hi, [](i64 a, i64 b) { return static_cast<i64>(i128{a} * b >> 64); }),
      ROW(umul64hi, [](i64 a, i64 b) { return static_cast<i64>(u128{u(a)} * u(b) >> 64); }),
      ROW(sad,
          [](i32 x, i32 y, i32 z) {
            return static_cast<i32>((x > y ? u(x) - u(y) : u(y) - u(x)) + u(z));
          }),
      ROW(usad,
          [](i32 x, i32 y, i32 z) {
            return static_cast<i32>((u(x) > u(y) ? u(x) - u(y) : u(y) - u(x)) + u(z));
          }),
      ROW(umax, [](i32 a, i32 b) { return u(a) > u(b) ? a : b; }),
      ROW(umin, [](i32 a, i32 b) { return u(a) < u(b) ? a : b; }),
      ROW(ullmax, [](i64 a, i64 b) { return u(a) > u(b) ? a : b; }),
      ROW(ullmin, [](i64 a, i64 b) { return u(a) < u(b) ? a : b; }),
      ROW(int_as_float, [](i32 x) { return std::bit_cast<float>(x); }),
      ROW(uint_as_float, [](i32 x) { return std::bit_cast<float>(x); }),
      ROW(float_as_int, [](float x) { return std::bit_cast<i32>(x); }),
      ROW(float_as_uint, [](float x) { return std::bit_cast<i32>(x); }),
      ROW(longlong_as_double, [](i64 x) { return std::bit_cast<double>(x); }),
      ROW(double_as_longlong, [](double x) { return std::bit_cast<i64>(x); }),
      ROW(double2hiint, [](double x) { return static_cast<i32>(std::bit_cast<u64>(x) >> 32); }),
      ROW(double2loint, [](double x) { return static_cast<i32>(std::bit_cast<u64>(x)); }),
      ROW(hiloint2double,
          [](i32 high, i32 low) {
            return std::bit_cast<double>(static_cast<u64>(u(high)) << 32 | u(low));
          }),
      ROW(half2float, [](i16 bits) { return half_to_float(bits); }),
      ROW(float2half_rn, [](float value) { return float_to_half(value); }),
      // %globaltimer, which is none of libdevice's.
      ROW(globaltimer,
          []() -> i64 {
            const auto now = std::chrono::steady_clock::now().time_since_epoch();
            return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
          }),
      ROW(finitef, [](float x) -> i32 { return std::isfinite(x) ? 1 : 0; }),
      ROW(isfinited, [](double x) -> i32 { return std::isfinite(x) ? 1 : 0; }),
      ROW(isinff, [](float x) -> i32 { return std::isinf(x) ? 1 : 0; }),
      ROW(isinfd, [](double x) -> i32 { return std::isinf(x) ? 1 : 0; }),
      ROW(isnanf, [](float x) -> i32 { return std::isnan(x) ? 1 : 0; }),
      ROW(isnand, [](double x) -> i32 { return std::isnan(x) ? 1 : 0; }),
      ROW(signbitf, [](float x) -> i32 { return std::signbit(x) ? 1 : 0; }),
      ROW(signbitd, [](double x) -> i32 { return std::signbit(x) ? 1 : 0; }),
  };
  return rows;
}

#undef ROW

}  // namespace

std::span<const LibdeviceFunction> libdevice_integers() { return table(); }

}  // namespace phalanx::runtime::cpu
