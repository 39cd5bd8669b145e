#include "phalanx/ir/token_stream.h"

#include <charconv>
#include <utility>

#include "phalanx/ir/text.h"

namespace phalanx::ir {

Token TokenStream::take() {
  Token next = lexer_.next();
  return std::exchange(token_, std::move(next));
}

namespace {

std::string described(const Token& token) {
  return token.kind == TokenKind::end ? "the end" : quoted(token.text);
}

}  // namespace

Token TokenStream::take(TokenKind kind, std::string_view wanted) {
  if (token_.kind != kind)
    fail("expected " + std::string(wanted) + ", found " + described(token_));
  return take();
}

bool TokenStream::is(std::string_view text) const {
  return (token_.kind == TokenKind::punctuation || token_.kind == TokenKind::word) &&
         token_.text == text;
}

bool TokenStream::accept(std::string_view text) {
  if (!is(text))
    return false;
  take();
  return true;
}

void TokenStream::expect(std::string_view text) {
  if (!accept(text))
    fail("expected " + quoted(text) + ", found " + described(token_));
}

std::int64_t TokenStream::integer() {
  const std::string& text = token_.text;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (token_.kind != TokenKind::number || error != std::errc{} || end != text.data() + text.size())
    fail("expected a whole number of 64 bits, found " + described(token_));
  take();
  return value;
}

std::uint64_t TokenStream::natural(std::uint64_t greatest) {
  const std::string& text = token_.text;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (token_.kind != TokenKind::number || error != std::errc{} ||
      end != text.data() + text.size() || value > greatest)
    fail(
        "expected a number from 0 to " + std::to_string(greatest) + ", found " + described(token_));
  take();
  return value;
}

}  // namespace phalanx::ir
