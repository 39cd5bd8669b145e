#include "phalanx/jit/scalar.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <type_traits>
#include <variant>

namespace phalanx::jit {

namespace {

// Wide enough for every dtype without loss.
using Wide = std::variant<std::int64_t, std::uint64_t, double, std::complex<double>>;

template <typename T>
T read(const void* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(value));
  return value;
}

// float16 and bfloat16 by their number of exponent bits; both have one sign bit of 16.
double narrow_to_double(std::uint16_t bits, int exponent_bits) {
  const int fraction_bits = 15 - exponent_bits;
  const int exponent = bits >> fraction_bits & ((1 << exponent_bits) - 1);
  const int fraction = bits & ((1 << fraction_bits) - 1);
  const int bias = (1 << (exponent_bits - 1)) - 1;
  double value = 0;
  if (exponent == (1 << exponent_bits) - 1)
    value = fraction == 0 ? std::numeric_limits<double>::infinity()
                          : std::numeric_limits<double>::quiet_NaN();
  else if (exponent == 0)
    value = std::ldexp(fraction, 1 - bias - fraction_bits);
  else
    value = std::ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
  return (bits & 0x8000U) != 0 ? -value : value;
}

// Rounds to nearest, halves to even.
std::uint16_t double_to_narrow(double value, int exponent_bits) {
  const int fraction_bits = 15 - exponent_bits;
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const unsigned infinity = ((1U << exponent_bits) - 1) << fraction_bits;
  const unsigned sign = std::signbit(value) ? 0x8000U : 0;
  if (std::isnan(value))
    return static_cast<std::uint16_t>(sign | infinity | 1U << (fraction_bits - 1));
  if (std::isinf(value))
    return static_cast<std::uint16_t>(sign | infinity);
  if (value == 0)
    return static_cast<std::uint16_t>(sign);
  int exponent = 0;
  std::frexp(value, &exponent);  // |value| = m * 2^exponent, m in [0.5, 1)
  const int unit = std::max(exponent - 1, 1 - bias) - fraction_bits;
  // Counted in units of the last place, numbers, carries into the exponent and overflow to infinity
  // are one sequence of integers.
  const auto count = static_cast<unsigned>(std::nearbyint(std::ldexp(std::fabs(value), -unit)));
  const unsigned base = static_cast<unsigned>(unit + fraction_bits + bias - 1) << fraction_bits;
  return static_cast<std::uint16_t>(sign | std::min(base + count, infinity));
}

Wide widen(DType from, const void* bytes) {
  switch (from) {
    case DType::boolean:
      return std::int64_t{read<std::uint8_t>(bytes) != 0};
    case DType::int8:
      return std::int64_t{read<std::int8_t>(bytes)};
    case DType::int16:
      return std::int64_t{read<std::int16_t>(bytes)};
    case DType::int32:
      return std::int64_t{read<std::int32_t>(bytes)};
    case DType::int64:
      return read<std::int64_t>(bytes);
    case DType::uint8:
      return std::uint64_t{read<std::uint8_t>(bytes)};
    case DType::uint16:
      return std::uint64_t{read<std::uint16_t>(bytes)};
    case DType::uint32:
      return std::uint64_t{read<std::uint32_t>(bytes)};
    case DType::uint64:
      return read<std::uint64_t>(bytes);
    case DType::float16:
      return narrow_to_double(read<std::uint16_t>(bytes), 5);
    case DType::bfloat16:
      return narrow_to_double(read<std::uint16_t>(bytes), 8);
    case DType::float32:
      return double{read<float>(bytes)};
    case DType::float64:
      return read<double>(bytes);
    case DType::complex64:
      return std::complex<double>(read<std::complex<float>>(bytes));
    case DType::complex128:
      return read<std::complex<double>>(bytes);
  }
  return std::int64_t{0};
}

// Casts of floats to integers that they do not fit are undefined in C; saturate as PTX does.
template <typename T>
T float_to_integer(double value) {
  if (std::isnan(value))
    return 0;
  if (value >= std::ldexp(1.0, std::numeric_limits<T>::digits))
    return std::numeric_limits<T>::max();
  if (value <= static_cast<double>(std::numeric_limits<T>::min()))
    return std::numeric_limits<T>::min();
  return static_cast<T>(value);
}

template <typename T>
T narrowed(const Wide& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value))
    return static_cast<T>(*number);
  if (const auto* number = std::get_if<std::uint64_t>(&value))
    return static_cast<T>(*number);
  const auto* complex = std::get_if<std::complex<double>>(&value);
  const double real = complex != nullptr ? complex->real() : std::get<double>(value);
  if constexpr (std::is_integral_v<T>)
    return float_to_integer<T>(real);
  else
    return static_cast<T>(real);
}

template <typename T>
void write(const Wide& value, void* bytes) {
  const T result = narrowed<T>(value);
  std::memcpy(bytes, &result, sizeof(result));
}

template <typename T>
void write_complex(const Wide& value, void* bytes) {
  const auto* complex = std::get_if<std::complex<double>>(&value);
  const std::complex<T> result(
      narrowed<T>(value), complex != nullptr ? static_cast<T>(complex->imag()) : T{0});
  std::memcpy(bytes, &result, sizeof(result));
}

bool is_true(const Wide& value) {
  return std::visit(
      [](const auto& number) { return number != std::decay_t<decltype(number)>(); }, value);
}

void write_narrow(const Wide& value, int exponent_bits, void* bytes) {
  const std::uint16_t result = double_to_narrow(narrowed<double>(value), exponent_bits);
  std::memcpy(bytes, &result, sizeof(result));
}

}  // namespace

void convert_scalar(DType from, const void* from_bytes, DType to, void* to_bytes) {
  if (from == to) {
    std::memcpy(to_bytes, from_bytes, size_of(to));
    return;
  }
  const Wide value = widen(from, from_bytes);
  switch (to) {
    case DType::boolean: {
      const std::uint8_t result = is_true(value) ? 1 : 0;
      std::memcpy(to_bytes, &result, 1);
      break;
    }
    case DType::int8:
      return write<std::int8_t>(value, to_bytes);
    case DType::int16:
      return write<std::int16_t>(value, to_bytes);
    case DType::int32:
      return write<std::int32_t>(value, to_bytes);
    case DType::int64:
      return write<std::int64_t>(value, to_bytes);
    case DType::uint8:
      return write<std::uint8_t>(value, to_bytes);
    case DType::uint16:
      return write<std::uint16_t>(value, to_bytes);
    case DType::uint32:
      return write<std::uint32_t>(value, to_bytes);
    case DType::uint64:
      return write<std::uint64_t>(value, to_bytes);
    case DType::float16:
      return write_narrow(value, 5, to_bytes);
    case DType::bfloat16:
      return write_narrow(value, 8, to_bytes);
    case DType::float32:
      return write<float>(value, to_bytes);
    case DType::float64:
      return write<double>(value, to_bytes);
    case DType::complex64:
      return write_complex<float>(value, to_bytes);
    case DType::complex128:
      return write_complex<double>(value, to_bytes);
  }
}

}  // namespace phalanx::jit
