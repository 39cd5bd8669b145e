#include "phalanx/infer/signature.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "phalanx/base/errors.h"
#include "phalanx/infer/names.h"

namespace phalanx::infer {
namespace {

constexpr unsigned max_ndim = 32;
constexpr unsigned max_tuple = 1000;  // Numba's own limit for UniTuple

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name_char(char c) { return is_name_start(c) || is_digit(c); }

// A recursive-descent parser; `at_` is the position of the next character.
class Parser {
 public:
  Parser(std::string_view what, std::string_view text) : what_(what), text_(text) {}

  ParsedSignature signature();
  ir::Type whole_type();

 private:
  [[noreturn]] void fail(const std::string& message, std::size_t begin, std::size_t length = 1);
  [[noreturn]] void fail_here(std::string_view expected);

  void skip_space();
  char peek();
  bool take(char c);
  void expect(char c);
  std::string_view name();
  unsigned number(unsigned limit);

  ir::Type type();
  ir::Type primary();
  ir::Type constructor(std::string_view name, std::size_t begin);
  ir::Type array_constructor();
  ir::Type array_of(const ir::Type& element);
  std::vector<ir::Type> list(char close);

  std::string_view what_;
  std::string_view text_;
  std::size_t at_ = 0;
  unsigned depth_ = 0;
};

void Parser::fail(const std::string& message, std::size_t begin, std::size_t length) {
  // Only the line with the spot, so that the caret is below it.
  const std::size_t before = text_.substr(0, begin).rfind('\n');
  const std::size_t first = before == std::string_view::npos ? 0 : before + 1;
  const std::size_t last = std::min(text_.find('\n', begin), text_.size());
  throw TypeError(fmt::format(
      "{}: {}\n  {}\n  {}{}",
      what_,
      message,
      text_.substr(first, last - first),
      std::string(begin - first, ' '),
      std::string(std::max<std::size_t>(length, 1), '^')));
}

void Parser::fail_here(std::string_view expected) {
  skip_space();
  if (at_ == text_.size())
    fail(fmt::format("expected {}, but the text ends", expected), at_);
  fail(fmt::format("expected {}", expected), at_);
}

void Parser::skip_space() {
  while (at_ < text_.size() && is_space(text_[at_])) ++at_;
}

char Parser::peek() {
  skip_space();
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool Parser::take(char c) {
  if (peek() != c || at_ == text_.size())
    return false;
  ++at_;
  return true;
}

void Parser::expect(char c) {
  if (!take(c))
    fail_here(fmt::format("'{}'", c));
}

std::string_view Parser::name() {
  if (!is_name_start(peek()))
    fail_here("the name of a type");
  const std::size_t begin = at_;
  while (at_ < text_.size() && is_name_char(text_[at_])) ++at_;
  return text_.substr(begin, at_ - begin);
}

unsigned Parser::number(unsigned limit) {
  if (!is_digit(peek()))
    fail_here("a whole number");
  const std::size_t begin = at_;
  unsigned value = 0;
  const char* end = text_.data() + text_.size();
  const auto [stop, error] = std::from_chars(text_.data() + begin, end, value);
  at_ = static_cast<std::size_t>(stop - text_.data());
  if (error != std::errc() || value > limit)
    fail(fmt::format("at most {} is possible", limit), begin, at_ - begin);
  return value;
}

ir::Type Parser::type() {
  constexpr unsigned max_depth = 100;  // deeper nesting is a mistake, and would use up the stack
  if (++depth_ > max_depth)
    fail_here("less nesting");
  ir::Type result = primary();
  while (peek() == '[') result = array_of(result);
  --depth_;
  return result;
}

ir::Type Parser::primary() {
  if (take('('))
    return ir::Type::tuple(list(')'));
  skip_space();
  const std::size_t begin = at_;
  const std::string_view word = name();
  if (const auto dtype = dtype_from_numba(word))
    return *dtype;
  if (word == "void" || word == "none")
    return ir::Type::none();
  return constructor(word, begin);
}

ir::Type Parser::constructor(std::string_view word, std::size_t begin) {
  constexpr std::array<std::string_view, 4> known = {"Tuple", "UniTuple", "CPointer", "Array"};
  if (std::ranges::find(known, word) == known.end())
    fail(fmt::format("there is no type '{}'", word), begin, word.size());
  expect('(');
  ir::Type result;
  if (word == "Tuple") {
    if (!take('[') && !take('('))
      fail_here("'(' or '[' before the types of the tuple");
    result = ir::Type::tuple(list(text_[at_ - 1] == '[' ? ']' : ')'));
  } else if (word == "UniTuple") {
    const ir::Type element = type();
    expect(',');
    result = ir::Type::tuple(std::vector<ir::Type>(number(max_tuple), element));
  } else if (word == "CPointer") {
    result = ir::Type::pointer(type(), ir::Space::generic);
  } else {
    return array_constructor();
  }
  expect(')');
  return result;
}

// The rest of Array(element, ndim, 'C' [, [readonly=]True|False]).
ir::Type Parser::array_constructor() {
  const ir::Type element = type();
  expect(',');
  const unsigned ndim = number(max_ndim);
  expect(',');
  const char quote = peek();
  if (quote != '\'' && quote != '"')
    fail_here("a layout in quotes: 'C', 'F' or 'A'");
  ++at_;
  const char letter = at_ < text_.size() ? text_[at_] : '\0';
  if (letter != 'C' && letter != 'F' && letter != 'A')
    fail_here("a layout: C, F or A");
  ++at_;
  expect(quote);
  bool readonly = false;
  if (take(',')) {
    std::string_view word = name();
    if (word == "readonly") {
      expect('=');
      word = name();
    }
    if (word != "True" && word != "False")
      fail("expected True or False", at_ - word.size(), word.size());
    readonly = word == "True";
  }
  expect(')');
  const ir::Layout layout = letter == 'C'   ? ir::Layout::c
                            : letter == 'F' ? ir::Layout::f
                                            : ir::Layout::any;
  return ir::Type::array(element, ndim, layout, ir::Space::global, !readonly);
}

// The rest of element[:, ::1]: `::1` first means F, last means C; for one dimension it means C.
ir::Type Parser::array_of(const ir::Type& element) {
  const std::size_t begin = at_;
  expect('[');
  std::vector<bool> contiguous;
  do {
    if (!contiguous.empty() && peek() == ']')
      break;
    if (!take(':'))
      fail_here("':' or '::1' for each dimension");
    bool step = false;
    if (take(':') && is_digit(peek()))
      step = number(1U << 30U) == 1;
    contiguous.push_back(step);
  } while (take(','));
  if (peek() != ']')
    fail_here("':', '::1', ',' or ']'");
  ++at_;
  if (contiguous.size() > max_ndim)
    fail(fmt::format("an array has at most {} dimensions", max_ndim), begin, at_ - begin);
  if (element.is_array() || element.is_none() || element.is_pointer())
    fail(fmt::format("there are no arrays of {}", numba_name(element)), begin, at_ - begin);
  const auto ndim = static_cast<unsigned>(contiguous.size());
  ir::Layout layout = ir::Layout::any;
  if (contiguous.front())
    layout = ndim == 1 ? ir::Layout::c : ir::Layout::f;
  else if (contiguous.back())
    layout = ir::Layout::c;
  return ir::Type::array(element, ndim, layout, ir::Space::global);
}

// Types up to the closing bracket, which is taken too; a comma may follow the last.
std::vector<ir::Type> Parser::list(char close) {
  std::vector<ir::Type> types;
  while (!take(close)) {
    types.push_back(type());
    if (!take(',')) {
      if (!take(close))
        fail_here(fmt::format("',' or '{}'", close));
      break;
    }
  }
  return types;
}

ParsedSignature Parser::signature() {
  ParsedSignature parsed;
  if (take('(')) {
    parsed.arguments = list(')');
  } else {
    const std::size_t begin = at_;
    ir::Type first = type();
    if (take('(')) {
      parsed.result = std::move(first);
      parsed.arguments = list(')');
    } else if (peek() == ',') {
      parsed.arguments.push_back(std::move(first));
      while (take(',') && peek() != '\0') parsed.arguments.push_back(type());
    } else if (peek() == '\0') {
      fail(
          fmt::format("a type alone is no signature; write void({0}) or ({0},)", numba_name(first)),
          begin,
          at_ - begin);
    }
  }
  if (peek() != '\0')
    fail_here("the end of the signature");
  const auto is_none = [](const ir::Type& type) { return type.is_none(); };
  if (std::ranges::any_of(parsed.arguments, is_none))
    fail("an argument cannot be void", 0, text_.size());
  return parsed;
}

ir::Type Parser::whole_type() {
  ir::Type result = type();
  if (peek() != '\0')
    fail_here("the end of the type");
  return result;
}

}  // namespace

ParsedSignature parse_signature(std::string_view text) {
  return Parser("signature", text).signature();
}

ir::Type parse_numba_type(std::string_view text) { return Parser("type", text).whole_type(); }

}  // namespace phalanx::infer
