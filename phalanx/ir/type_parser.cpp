// The types of the IR's text: the `parse_type` of parser.h and token_stream.h.
#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "phalanx/ir/parser.h"
#include "phalanx/ir/token_stream.h"

namespace phalanx::ir {

namespace {

constexpr unsigned deepest_type = 64;
constexpr unsigned most_dimensions = 32;
constexpr unsigned most_lanes = 64;
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 40;

class TypeParser {
 public:
  explicit TypeParser(TokenStream& tokens) : tokens_(tokens) {}
  Type type();

 private:
  Type pointer();
  Type array();
  Type record();
  Type time(TimeKind kind);
  Type vector();
  Type tuple(std::string name);
  std::vector<Field> fields(std::string_view closing, bool has_offsets);
  Field field(bool has_offsets);
  Type named(const Token& word);
  DType dtype();
  template <typename Enum>
  Enum one_of(std::initializer_list<Enum> all, std::string_view wanted);
  Space space();

  TokenStream& tokens_;
  unsigned depth_ = 0;
};

const DTypeInfo* find_dtype(std::string_view text) {
  const auto* found =
      std::ranges::find_if(dtype_table, [&](const DTypeInfo& row) { return row.text == text; });
  return found == dtype_table.end() ? nullptr : found;
}

DType as_dtype(const DTypeInfo* row) { return static_cast<DType>(row - dtype_table.data()); }

DType TypeParser::dtype() {
  const DTypeInfo* found = find_dtype(tokens_.peek().text);
  if (tokens_.peek().kind != TokenKind::word || found == nullptr)
    tokens_.fail("expected a scalar type");
  tokens_.take();
  return as_dtype(found);
}

template <typename Enum>
Enum TypeParser::one_of(std::initializer_list<Enum> all, std::string_view wanted) {
  const Token token = tokens_.take(TokenKind::word, wanted);
  for (const Enum one : all) {
    if (to_string(one) == token.text)
      return one;
  }
  fail_at(token, "expected " + std::string(wanted));
}

Space TypeParser::space() {
  return one_of(
      {Space::generic, Space::global, Space::shared, Space::local, Space::constant},
      "an address space");
}

Type TypeParser::pointer() {
  tokens_.expect("<");
  Type element = type();
  tokens_.expect(",");
  const Space where = space();
  tokens_.expect(">");
  return Type::pointer(std::move(element), where);
}

Type TypeParser::array() {
  tokens_.expect("<");
  const bool is_mutable = !tokens_.accept("const");
  Type element = type();
  tokens_.expect(",");
  const auto ndim = static_cast<unsigned>(tokens_.natural(most_dimensions));
  tokens_.expect(",");
  const Layout layout = one_of({Layout::c, Layout::f, Layout::any}, "a layout");
  tokens_.expect(",");
  const Space where = space();
  tokens_.expect(">");
  return Type::array(std::move(element), ndim, layout, where, is_mutable);
}

Type TypeParser::vector() {
  tokens_.expect("<");
  const DType element = dtype();
  tokens_.expect(",");
  const auto lanes = static_cast<unsigned>(tokens_.natural(most_lanes));
  tokens_.expect(">");
  return Type::vector(element, lanes);
}

Type TypeParser::time(TimeKind kind) {
  tokens_.expect("<");
  const std::string unit = tokens_.take(TokenKind::string, "a unit").text;
  tokens_.expect(">");
  return Type::time(kind, unit);
}

Type TypeParser::record() {
  tokens_.expect("<");
  const std::uint64_t bytes = tokens_.natural(most_bytes);
  tokens_.expect(",");
  const std::uint64_t alignment = tokens_.natural(most_bytes);
  if (alignment == 0)
    tokens_.fail("an alignment is at least 1");
  tokens_.accept(",");
  return Type::record(fields(">", true), bytes, alignment);
}

Type TypeParser::tuple(std::string name) {
  tokens_.expect("(");
  return Type::named_tuple(std::move(name), fields(")", false));
}

std::vector<Field> TypeParser::fields(std::string_view closing, bool has_offsets) {
  std::vector<Field> all;
  while (!tokens_.accept(closing)) {
    all.push_back(field(has_offsets));
    if (!tokens_.is(closing))
      tokens_.expect(",");
  }
  return all;
}

// `f32`, `x: f32`, `x: f32 @8`, `Point(...)`, `"odd name": f32`
Field TypeParser::field(bool has_offsets) {
  const Depth depth(depth_, deepest_type, tokens_);
  Field result;
  if (tokens_.peek().kind == TokenKind::word || tokens_.peek().kind == TokenKind::string) {
    const Token first = tokens_.take();
    if (tokens_.accept(":")) {
      result.name = first.text;
      result.type = type();
    } else if (tokens_.is("(")) {
      result.type = tuple(first.text);
    } else {
      result.type = named(first);
    }
  } else {
    result.type = type();
  }
  if (has_offsets && tokens_.accept("[")) {
    while (!tokens_.accept("]")) {
      result.shape.push_back(static_cast<std::int64_t>(tokens_.natural(most_bytes)));
      if (!tokens_.is("]"))
        tokens_.expect(",");
    }
  }
  if (has_offsets) {
    const Token offset = tokens_.take(TokenKind::location, "@offset");
    const auto [end, error] =
        std::from_chars(offset.text.data(), offset.text.data() + offset.text.size(), result.offset);
    if (error != std::errc{} || end != offset.text.data() + offset.text.size())
      fail_at(offset, "expected @offset");
  }
  return result;
}

Type TypeParser::type() {
  const Depth depth(depth_, deepest_type, tokens_);
  if (tokens_.is("("))
    return tuple({});
  if (tokens_.peek().kind == TokenKind::string)
    return tuple(tokens_.take().text);
  return named(tokens_.take(TokenKind::word, "a type"));
}

// The rest of a type whose first word was taken.
Type TypeParser::named(const Token& word) {
  if (tokens_.is("("))
    return tuple(word.text);
  if (word.text == "none")
    return Type::none();
  if (word.text == "ptr")
    return pointer();
  if (word.text == "array")
    return array();
  if (word.text == "record")
    return record();
  if (word.text == "vec")
    return vector();
  if (word.text == "datetime")
    return time(TimeKind::datetime);
  if (word.text == "timedelta")
    return time(TimeKind::timedelta);
  if (const DTypeInfo* found = find_dtype(word.text))
    return as_dtype(found);
  fail_at(word, "unknown type " + word.text);
}

}  // namespace

Type parse_type(TokenStream& tokens) { return TypeParser(tokens).type(); }

Type parse_type(std::string_view text) {
  TokenStream tokens(text);
  Type type = parse_type(tokens);
  if (tokens.peek().kind != TokenKind::end)
    tokens.fail("text after the type");
  return type;
}

}  // namespace phalanx::ir
