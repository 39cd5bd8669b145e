#include "phalanx/ir/lexer.h"

#include <fmt/format.h>

#include "phalanx/base/errors.h"
#include "phalanx/ir/text.h"

namespace phalanx::ir {

void fail_at(const Token& token, const std::string& message) {
  throw ValueError(
      fmt::format("IR text, line {}, column {}: {}", token.line, token.column, message));
}

void Lexer::advance() {
  if (peek() == '\n') {
    ++line_;
    column_ = 1;
  } else {
    ++column_;
  }
  ++position_;
}

void Lexer::skip_space() {
  while (!is_at_end()) {
    if (peek() == '#') {  // a comment up to the end of the line
      while (!is_at_end() && peek() != '\n') advance();
    } else if (peek() == ' ' || peek() == '\n' || peek() == '\t' || peek() == '\r') {
      advance();
    } else {
      return;
    }
  }
}

template <typename Predicate>
std::string Lexer::take_while(const Predicate& belongs) {
  std::string text;
  while (!is_at_end() && belongs(peek())) {
    text += peek();
    advance();
  }
  return text;
}

namespace {

bool is_name(char c) { return is_word(c) || c == '.' || c == '?'; }

int hex_digit(char c) {
  if (is_digit(c))
    return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

}  // namespace

std::string Lexer::take_string() {
  const Token start{.kind = TokenKind::string, .text = {}, .line = line_, .column = column_};
  std::string text;
  for (advance(); peek() != '"'; advance()) {
    if (is_at_end())
      fail_at(start, "the string does not end");
    if (peek() != '\\') {
      text += peek();
      continue;
    }
    advance();
    if (peek() == 'n') {
      text += '\n';
    } else if (peek() == 'x' && hex_digit(peek(1)) >= 0 && hex_digit(peek(2)) >= 0) {
      text += static_cast<char>(16 * hex_digit(peek(1)) + hex_digit(peek(2)));
      advance();
      advance();
    } else if (peek() == '"' || peek() == '\\') {
      text += peek();
    } else {
      fail_at(start, "unknown escape in a string");
    }
  }
  advance();
  return text;
}

std::string Lexer::take_number() {
  std::string text(1, peek());
  advance();
  while (is_word(peek()) || peek() == '.') {
    const bool is_exponent =
        peek() == 'e' && (peek(1) == '+' || peek(1) == '-') && text.find('x') == std::string::npos;
    text += peek();
    advance();
    if (is_exponent) {
      text += peek();
      advance();
    }
  }
  return text;
}

Token Lexer::take_at(Token token) {
  advance();
  if (is_digit(peek())) {
    token.kind = TokenKind::location;
    token.text = take_while([](char c) { return is_digit(c) || c == ':' || c == '-'; });
  } else if (peek() == '"') {
    token.kind = TokenKind::function;
    token.text = take_string();
  } else {
    token.kind = TokenKind::function;
    token.text = take_while(is_word);
  }
  return token;
}

Token Lexer::next() {
  skip_space();
  Token token{.kind = TokenKind::end, .text = {}, .line = line_, .column = column_};
  if (is_at_end())
    return token;
  const char c = peek();
  if (c == '"') {
    token.kind = TokenKind::string;
    token.text = take_string();
  } else if (c == '%' || c == '$') {
    advance();
    token.kind = c == '%' ? TokenKind::value : TokenKind::variable;
    token.text = take_while(is_name);
  } else if (c == '@') {
    token = take_at(token);
  } else if (is_digit(c) || (c == '-' && is_word(peek(1)))) {
    token.kind = TokenKind::number;
    token.text = take_number();
  } else if (is_word(c)) {
    token.kind = TokenKind::word;
    token.text = take_while(is_word);
  } else if (c == '-' && peek(1) == '>') {
    token = {.kind = TokenKind::punctuation, .text = "->", .line = line_, .column = column_};
    advance();
    advance();
  } else if (std::string_view("{}()[]<>,:=").find(c) != std::string_view::npos) {
    token.kind = TokenKind::punctuation;
    token.text = c;
    advance();
  } else {
    fail_at(token, fmt::format("unexpected character {}", quoted(std::string(1, c))));
  }
  return token;
}

}  // namespace phalanx::ir
