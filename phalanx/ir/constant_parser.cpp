#include "phalanx/ir/constant_parser.h"

#include <bit>
#include <charconv>

#include "phalanx/base/errors.h"
#include "phalanx/ir/constants.h"
#include "phalanx/ir/text.h"

namespace phalanx::ir {

namespace {

template <typename Number, typename... Format>
Number read(const Token& token, std::string_view digits, Format... format) {
  Number value{};
  const char* end = digits.end();
  const auto [stop, error] = std::from_chars(digits.begin(), end, value, format...);
  if (error != std::errc{} || stop != end)
    fail_at(token, "not a number of its type: " + token.text);
  return value;
}

double read_float(const Token& token, DType dtype) {
  const std::string_view text = token.text;
  if (text.starts_with("0x"))
    return std::bit_cast<double>(read<std::uint64_t>(token, text.substr(2), 16));
  // The shortest text of a float32 is read as a float32: by way of double it would be rounded
  // twice.
  if (real_part_of(dtype) == DType::float32)
    return read<float>(token, text);
  return read<double>(token, text);
}

}  // namespace

ConstantText take_constant(TokenStream& tokens) {
  const auto part = [&] {
    if (tokens.peek().kind == TokenKind::word)
      return tokens.take();
    return tokens.take(TokenKind::number, "a constant");
  };
  if (!tokens.accept("("))
    return {.parts = {part()}};
  ConstantText text;
  text.parts.push_back(part());
  tokens.expect(",");
  text.parts.push_back(part());
  tokens.expect(")");
  return text;
}

Constant as_constant(const ConstantText& text, DType dtype) {
  const Token& first = text.parts.front();
  if ((text.parts.size() == 2) != is_complex(dtype))
    fail_at(first, is_complex(dtype) ? "a complex constant has two parts" : "one part expected");
  Constant value;
  switch (kind_of(dtype)) {
    case DTypeKind::boolean:
      if (first.text != "true" && first.text != "false")
        fail_at(first, "expected true or false");
      value = first.text == "true";
      break;
    case DTypeKind::signed_integer:
      value = read<std::int64_t>(first, first.text);
      break;
    case DTypeKind::unsigned_integer:
      value = static_cast<std::int64_t>(read<std::uint64_t>(first, first.text));
      break;
    case DTypeKind::floating:
      value = read_float(first, dtype);
      break;
    case DTypeKind::complex_floating:
      value = std::complex<double>(read_float(first, dtype), read_float(text.parts.back(), dtype));
      break;
  }
  if (!is_normalized(value, dtype))
    fail_at(first, "out of range or precision of its type: " + first.text);
  return value;
}

}  // namespace phalanx::ir
