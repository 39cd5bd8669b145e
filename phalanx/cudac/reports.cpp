// What device code tells the host: printf, assert.
#include <algorithm>

#include "phalanx/base/print_format.h"
#include "phalanx/cudac/function_converter.h"
#include "phalanx/cudac/intrinsics.h"
#include "phalanx/ir/build_calls.h"

namespace phalanx::cudac {

namespace {

const clang::StringLiteral* text_of(const clang::Expr* expression) {
  return llvm::dyn_cast<clang::StringLiteral>(expression->IgnoreParenImpCasts());
}

// A conversion of printf's: %-8.3lf.
struct Conversion {
  std::string text;  // without what says the length of the argument: %-8.3f
  std::size_t end = 0;
  unsigned halves = 0;  // how many h it has: 1 is a short, 2 a char
};

// The number that a text begins with; 0 where it begins with none. A line has not so many
// characters that a greater one makes sense.
std::size_t number_at(std::string_view text) {
  constexpr std::size_t most = 4096;
  std::size_t number = 0;
  for (const char each : text) {
    if (each < '0' || each > '9' || number > most)
      break;
    number = number * 10 + static_cast<std::size_t>(each - '0');
  }
  return std::min(number, most);
}

// A width or a precision that is an argument: %*d.
std::string constant_argument(
    FunctionConverter& c, const clang::CallExpr* call, unsigned& argument) {
  clang::Expr::EvalResult known;
  if (argument >= call->getNumArgs() || !call->getArg(argument)->EvaluateAsInt(known, c.context()))
    c.refuse(
        call->getBeginLoc(),
        "a width or a precision of printf that is an argument (*) is a constant");
  ++argument;
  return std::to_string(known.Val.getInt().getExtValue());
}

Conversion conversion_at(
    FunctionConverter& c,
    const clang::CallExpr* call,
    std::string_view format,
    std::size_t start,
    unsigned& argument) {
  constexpr std::string_view lengths = "hlLzjtq";
  constexpr std::string_view flags = "-+ #0123456789.";
  Conversion result = {"%", start + 1};
  for (; result.end < format.size(); ++result.end) {
    const char next = format[result.end];
    if (flags.find(next) != std::string_view::npos)
      result.text += next;
    else if (next == '*')
      result.text += constant_argument(c, call, argument);
    else if (lengths.find(next) == std::string_view::npos)
      break;
    result.halves += next == 'h' ? 1 : 0;
  }
  if (result.end == format.size())
    c.refuse(call->getBeginLoc(), "the format of printf has a conversion that is not supported");
  result.text += format[result.end++];
  return result;
}

// The part of an integer that %hd and %hhx show.
Value shortened(ir::Builder& builder, Value value, const Conversion& conversion) {
  const bool is_signed = conversion.text.back() == 'd' || conversion.text.back() == 'i';
  if (conversion.halves == 1)
    return builder.cast(value, is_signed ? DType::int16 : DType::uint16);
  return builder.cast(value, is_signed ? DType::int8 : DType::uint8);
}

// As wide as the conversion takes it; numbers that are shown by their bits keep their own.
Value printed_value(FunctionConverter& c, Value value, Conversion& conversion) {
  ir::Builder& builder = c.builder();
  if (value->type.is_pointer())
    value = builder.bitcast(value, DType::uint64);
  if (is_integer(value->type.dtype()) && conversion.halves != 0)
    value = shortened(builder, value, conversion);
  const char kind = conversion.text.back();
  if (kind == 'p')
    conversion.text = "%#x";
  if (is_float_conversion(conversion.text))
    return builder.cast(value, DType::float64);
  const DType dtype = value->type.dtype();
  if (kind == 'd' || kind == 'i' || kind == 'c' || !is_integer(dtype))
    return builder.cast(value, DType::int64);
  const std::size_t bytes = size_of(dtype);
  const DType natural = bytes == 1   ? DType::uint8
                        : bytes == 2 ? DType::uint16
                        : bytes == 4 ? DType::uint32
                                     : DType::uint64;
  return builder.cast(builder.cast(value, natural), DType::int64);
}

void add_text(std::string& text, std::string_view part) {
  for (const char each : part) {
    text += each;
    if (each == '{' || each == '}')
      text += each;
  }
}

// The characters before the first zero, where texts of C end.
std::string text_in(const clang::StringLiteral& literal) {
  std::string text = literal.getString().str();
  return text.substr(0, text.find('\0'));
}

// The text as %-8.3s shows it.
std::string shown_text(std::string_view conversion, std::string text) {
  const std::size_t point = conversion.find('.');
  if (point != std::string_view::npos)
    text.resize(std::min(text.size(), number_at(conversion.substr(point + 1))));
  const std::size_t width = conversion.find_first_of("123456789");
  if (width == std::string_view::npos || width > point)
    return text;
  const std::size_t wanted = number_at(conversion.substr(width));
  const std::size_t missing = wanted - std::min(wanted, text.size());
  const bool is_left = conversion.substr(0, point).find('-') != std::string_view::npos;
  text.insert(is_left ? text.size() : 0, missing, ' ');
  return text;
}

// The value is the number of conversions: how much was written is not known.
Value print(FunctionConverter& c, const clang::CallExpr* call) {
  const clang::StringLiteral* format = call->getNumArgs() == 0 ? nullptr : text_of(call->getArg(0));
  if (format == nullptr)
    c.refuse(call->getBeginLoc(), "the format of printf must be text in the source");
  std::string source = text_in(*format);
  const bool ends_line = source.ends_with('\n');
  if (ends_line)
    source.pop_back();
  std::string text;
  Values values;
  unsigned next = 1;
  for (std::size_t i = 0; i < source.size();) {
    if (source[i] != '%') {
      add_text(text, std::string_view(source).substr(i++, 1));
      continue;
    }
    Conversion conversion = conversion_at(c, call, source, i, next);
    i = conversion.end;
    if (conversion.text == "%%") {
      text += '%';
      continue;
    }
    if (next >= call->getNumArgs())
      c.refuse(call->getBeginLoc(), "printf has fewer arguments than its format asks for");
    const clang::Expr* argument = call->getArg(next++);
    if (conversion.text.back() == 's') {
      const clang::StringLiteral* literal = text_of(argument);
      if (literal == nullptr)
        c.refuse(
            argument->getBeginLoc(),
            "%s of printf takes text in the source only: write a printf for each text, and choose "
            "between them with if");
      add_text(text, shown_text(conversion.text, text_in(*literal)));
      continue;
    }
    values.push_back(printed_value(c, c.scalar(argument), conversion));
    text += "{" + conversion.text + "}";
  }
  if (!ends_line)
    text += "{%}";
  ir::print(c.builder(), std::move(text), std::move(values));
  return c.builder().integer(static_cast<std::int64_t>(next) - 1, DType::int32);
}

}  // namespace

std::optional<Value> special_call(
    FunctionConverter& c, const clang::CallExpr* call, const clang::FunctionDecl& callee) {
  if (callee.getIdentifier() == nullptr)
    return std::nullopt;
  if (callee.getName() == "printf")
    return print(c, call);
  if (callee.getName() != "__assertfail")
    return std::nullopt;
  const clang::StringLiteral* condition = text_of(call->getArg(0));
  c.builder().raise(
      {"AssertionError", condition == nullptr ? "assert" : condition->getString().str()});
  return nullptr;
}

}  // namespace phalanx::cudac
