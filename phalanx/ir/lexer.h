// Cuts the IR's text into tokens, for the parser.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace phalanx::ir {

enum class TokenKind : std::uint8_t {
  end,
  word,         // add, f32, kernel
  number,       // 12, -1.5e+10, -inf, 0x7ff8000000000000
  string,       // "text", unescaped
  value,        // %name, without the sign
  variable,     // $name
  function,     // @name or @"name"
  location,     // @12:3-9, as written; a field's offset, @12
  punctuation,  // one of {}()[]<>,:= or the arrow ->
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string text;
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Token next();  // throws ValueError on a character that begins no token

 private:
  bool is_at_end() const { return position_ >= text_.size(); }
  char peek(std::size_t ahead = 0) const {
    return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
  }
  void advance();
  void skip_space();
  template <typename Predicate>
  std::string take_while(const Predicate& belongs);
  std::string take_string();
  std::string take_number();
  Token take_at(Token token);

  std::string_view text_;
  std::size_t position_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t column_ = 1;
};

// Throws the ValueError "IR text, line L, column C: message".
[[noreturn]] void fail_at(const Token& token, const std::string& message);

}  // namespace phalanx::ir
