#include "phalanx/runtime/cpu/print.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iterator>

#include "phalanx/base/dtype.h"
#include "phalanx/base/print_format.h"

namespace phalanx::runtime::cpu {

namespace {

using Text = fmt::memory_buffer;

float from_float16(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const int fraction = bits & 1023;
  const float sign = (bits & 0x8000) != 0 ? -1.0F : 1.0F;
  if (exponent == 31)
    return sign * (fraction == 0 ? INFINITY : NAN);
  if (exponent == 0)
    return sign * std::ldexp(static_cast<float>(fraction), -24);
  return sign * std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
}

float from_bfloat16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

void put_text(Text& text, std::string_view part) {
  text.append(part.data(), part.data() + part.size());
}

// The shortest digits that read back as the same number, "1.0" for whole ones.
template <typename T>
void put_float(Text& text, T value, bool keeps_point = true) {
  if (std::isnan(value)) {
    put_text(text, "nan");
    return;
  }
  const std::size_t start = text.size();
  fmt::format_to(std::back_inserter(text), "{}", value);
  const std::string_view digits(text.data() + start, text.size() - start);
  if (keeps_point && digits.find_first_of(".ein") == std::string_view::npos)
    put_text(text, ".0");
}

template <typename T>
void put_complex(Text& text, const PrintValue& value) {
  T parts[2];
  std::memcpy(parts, value.bits, sizeof(parts));
  const bool shows_real = parts[0] != 0 || std::signbit(parts[0]);
  if (shows_real) {
    text.push_back('(');
    put_float(text, parts[0], false);
    if (std::isnan(parts[1]) || !std::signbit(parts[1]))
      text.push_back('+');
  }
  put_float(text, parts[1], false);
  put_text(text, shows_real ? "j)" : "j");
}

template <typename T>
T as(const PrintValue& value) {
  T result;
  std::memcpy(&result, value.bits, sizeof(result));
  return result;
}

template <typename T>
void put_integer(Text& text, const PrintValue& value) {
  fmt::format_to(std::back_inserter(text), "{}", as<T>(value));
}

void put(Text& text, const PrintValue& value) {
  switch (static_cast<DType>(value.dtype)) {
    case DType::boolean:
      put_text(text, (value.bits[0] & 1) != 0 ? "True" : "False");
      return;
    case DType::int8:
      return put_integer<std::int8_t>(text, value);
    case DType::int16:
      return put_integer<std::int16_t>(text, value);
    case DType::int32:
      return put_integer<std::int32_t>(text, value);
    case DType::int64:
      return put_integer<std::int64_t>(text, value);
    case DType::uint8:
      return put_integer<std::uint8_t>(text, value);
    case DType::uint16:
      return put_integer<std::uint16_t>(text, value);
    case DType::uint32:
      return put_integer<std::uint32_t>(text, value);
    case DType::uint64:
      return put_integer<std::uint64_t>(text, value);
    case DType::float16:
      return put_float(text, from_float16(as<std::uint16_t>(value)));
    case DType::bfloat16:
      return put_float(text, from_bfloat16(as<std::uint16_t>(value)));
    case DType::float32:
      return put_float(text, as<float>(value));
    case DType::float64:
      return put_float(text, as<double>(value));
    case DType::complex64:
      return put_complex<float>(text, value);
    case DType::complex128:
      return put_complex<double>(text, value);
  }
}

// By a conversion of C's. The front end made the value as wide as that takes it.
void put_converted(Text& text, const std::string& conversion, const PrintValue& value) {
  const std::string wide = widened_conversion(conversion);
  const auto print = [&](char* target, std::size_t size) {
    if (is_float_conversion(conversion))
      return std::snprintf(target, size, wide.c_str(), as<double>(value));
    if (conversion.back() == 'c')
      return std::snprintf(target, size, wide.c_str(), static_cast<int>(as<std::int64_t>(value)));
    return std::snprintf(target, size, wide.c_str(), as<long long>(value));
  };
  const int length = print(nullptr, 0);
  if (length <= 0)
    return;
  std::string made(static_cast<std::size_t>(length) + 1, '\0');
  print(made.data(), made.size());
  put_text(text, std::string_view(made).substr(0, made.size() - 1));
}

// Gives back whether the line ends there.
bool put_line(Text& text, std::string_view given, std::span<const PrintValue> values) {
  const PrintFormat format = parse_print_format(given);
  std::size_t next = 0;
  for (const PrintPart& part : format.parts) {
    if (part.kind == PrintPart::Kind::text)
      put_text(text, part.text);
    else if (next == values.size())
      put_text(text, "{}");
    else if (part.kind == PrintPart::Kind::value)
      put(text, values[next++]);
    else
      put_converted(text, part.text, values[next++]);
  }
  return format.ends_line;
}

}  // namespace

std::string format_line(std::string_view format, std::span<const PrintValue> values) {
  Text text;
  put_line(text, format, values);
  return fmt::to_string(text);
}

void print_line(const char* format, const PrintValue* values, std::uint32_t count) {
  Text text;
  if (put_line(text, format, {values, count}))
    text.push_back('\n');
  // C's streams lock themselves: one call, one whole line.
  std::fwrite(text.data(), 1, text.size(), stdout);
}

}  // namespace phalanx::runtime::cpu
