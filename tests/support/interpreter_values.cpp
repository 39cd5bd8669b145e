#include "interpreter_values.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "phalanx/ir/constants.h"
#include "phalanx/ir/typing.h"

namespace phalanx::test {

using ir::Type;
using ir::TypeKind;

std::size_t words_of(const Type& type) {
  switch (type.kind()) {
    case TypeKind::none:
      return 0;
    case TypeKind::scalar:
      return is_complex(type.dtype()) ? 2 : 1;
    case TypeKind::pointer:
      return 1;
    case TypeKind::array:
      return 1 + 2 * type.ndim();
    case TypeKind::tuple:
      return first_word(type, type.fields().size());
    case TypeKind::record:
      return (type.record_bytes() + 7) / 8;
    case TypeKind::vector:
      return type.lanes() * words_of(type.dtype());
  }
  return 0;
}

std::size_t first_word(const Type& tuple, std::size_t element) {
  std::size_t words = 0;
  for (std::size_t i = 0; i < element; ++i) words += words_of(tuple.fields()[i].type);
  return words;
}

namespace {

template <typename T>
T read(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <typename T>
void write(T value, std::byte* to) {
  std::memcpy(to, &value, sizeof value);
}

double float16_value(std::uint16_t bits) {
  const int exponent = (bits >> 10U) & 31;
  const int fraction = bits & 1023;
  double value = 0;
  if (exponent == 31)
    value = fraction == 0 ? HUGE_VAL : std::nan("");
  else if (exponent == 0)
    value = std::ldexp(fraction, -24);
  else
    value = std::ldexp(1024 + fraction, exponent - 25);
  return (bits & 0x8000U) != 0 ? -value : value;
}

// `value` is rounded to float16 already.
std::uint16_t float16_bits(double value) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  const double magnitude = std::fabs(value);
  if (std::isnan(value))
    return static_cast<std::uint16_t>(sign | 0x7e00);
  if (std::isinf(value))
    return static_cast<std::uint16_t>(sign | 0x7c00);
  if (magnitude < 0x1p-14)
    return static_cast<std::uint16_t>(sign | static_cast<int>(std::ldexp(magnitude, 24)));
  const int exponent = std::ilogb(magnitude);
  const int fraction = static_cast<int>(std::ldexp(magnitude, 10 - exponent)) - 1024;
  return static_cast<std::uint16_t>(sign | ((exponent + 15) << 10) | fraction);
}

double load_float(DType dtype, const std::byte* from) {
  switch (dtype) {
    case DType::float16:
      return float16_value(read<std::uint16_t>(from));
    case DType::bfloat16:
      return std::bit_cast<float>(std::uint32_t{read<std::uint16_t>(from)} << 16U);
    case DType::float32:
      return read<float>(from);
    default:
      return read<double>(from);
  }
}

void store_float(DType dtype, double value, std::byte* to) {
  switch (dtype) {
    case DType::float16:
      write(float16_bits(value), to);
      break;
    case DType::bfloat16:
      write(
          static_cast<std::uint16_t>(
              std::bit_cast<std::uint32_t>(static_cast<float>(value)) >> 16U),
          to);
      break;
    case DType::float32:
      write(static_cast<float>(value), to);
      break;
    default:
      write(value, to);
      break;
  }
}

template <typename T>
std::uint64_t load_integer(const std::byte* from) {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(read<T>(from)));
}

std::uint64_t load_whole(DType dtype, const std::byte* from) {
  switch (dtype) {
    case DType::boolean:
      return read<std::uint8_t>(from) != 0 ? 1 : 0;
    case DType::int8:
      return load_integer<std::int8_t>(from);
    case DType::int16:
      return load_integer<std::int16_t>(from);
    case DType::int32:
      return load_integer<std::int32_t>(from);
    case DType::uint8:
      return load_integer<std::uint8_t>(from);
    case DType::uint16:
      return load_integer<std::uint16_t>(from);
    case DType::uint32:
      return load_integer<std::uint32_t>(from);
    default:
      return read<std::uint64_t>(from);
  }
}

}  // namespace

Words load(const Type& type, const std::byte* from) {
  if (type.is_pointer())
    return {read<std::uint64_t>(from)};
  if (type.is_record()) {
    Words words(words_of(type));
    std::memcpy(words.data(), from, type.record_bytes());
    return words;
  }
  const DType dtype = type.dtype();
  if (type.is_vector()) {
    Words words;
    for (unsigned i = 0; i < type.lanes(); ++i) {
      const Words lane = load(dtype, from + i * size_of(dtype));
      words.insert(words.end(), lane.begin(), lane.end());
    }
    return words;
  }
  if (is_complex(dtype)) {
    const DType part = real_part_of(dtype);
    return {as_word(load_float(part, from)), as_word(load_float(part, from + size_of(part)))};
  }
  if (is_floating(dtype))
    return {as_word(load_float(dtype, from))};
  return {load_whole(dtype, from)};
}

void store(const Type& type, const Words& value, std::byte* to) {
  if (type.is_pointer()) {
    write(value[0], to);
    return;
  }
  if (type.is_record()) {
    std::memcpy(to, value.data(), type.record_bytes());
    return;
  }
  const DType dtype = type.dtype();
  if (type.is_vector()) {
    const std::size_t words = words_of(dtype);
    for (unsigned i = 0; i < type.lanes(); ++i) {
      const auto first = value.begin() + static_cast<std::ptrdiff_t>(i * words);
      store(
          dtype, Words(first, first + static_cast<std::ptrdiff_t>(words)), to + i * size_of(dtype));
    }
  } else if (is_complex(dtype)) {
    const DType part = real_part_of(dtype);
    store_float(part, as_double(value[0]), to);
    store_float(part, as_double(value[1]), to + size_of(part));
  } else if (is_floating(dtype)) {
    store_float(dtype, as_double(value[0]), to);
  } else {
    std::memcpy(to, value.data(), size_of(dtype));  // little endian
  }
}

Words constant(const ir::Constant& value) {
  if (const auto* truth = std::get_if<bool>(&value))
    return {*truth ? 1U : 0U};
  if (const auto* integer = std::get_if<std::int64_t>(&value))
    return {static_cast<std::uint64_t>(*integer)};
  if (const auto* number = std::get_if<double>(&value))
    return {as_word(*number)};
  const auto number = std::get<std::complex<double>>(value);
  return {as_word(number.real()), as_word(number.imag())};
}

void append_strides(const Type& type, Words& view) {
  const unsigned ndim = type.ndim();
  Words strides(ndim);
  std::uint64_t stride = ir::element_stride(type.element());
  for (unsigned i = 0; i < ndim; ++i) {
    const unsigned dimension = type.layout() == ir::Layout::f ? i : ndim - 1 - i;
    strides[dimension] = stride;
    stride *= view[1 + dimension];
  }
  view.insert(view.end(), strides.begin(), strides.end());
}

Words array_view(const Type& type, std::byte* data, const std::vector<std::int64_t>& shape) {
  Words view = {as_word(data)};
  for (const std::int64_t extent : shape) view.push_back(static_cast<std::uint64_t>(extent));
  append_strides(type, view);
  return view;
}

std::string to_text(DType dtype, const Words& value) {
  switch (kind_of(dtype)) {
    case DTypeKind::boolean:
      return value[0] != 0 ? "True" : "False";
    case DTypeKind::signed_integer:
      return std::to_string(static_cast<std::int64_t>(value[0]));
    case DTypeKind::unsigned_integer:
      return std::to_string(value[0]);
    case DTypeKind::floating:
      return fmt::format("{}", as_double(value[0]));
    case DTypeKind::complex_floating:
      return fmt::format("({}, {})", as_double(value[0]), as_double(value[1]));
  }
  return {};
}

}  // namespace phalanx::test
