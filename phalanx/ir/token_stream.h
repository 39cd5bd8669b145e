// One token of look-ahead and what every part of the parser asks of it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "phalanx/ir/lexer.h"
#include "phalanx/ir/types.h"

namespace phalanx::ir {

class TokenStream {
 public:
  explicit TokenStream(std::string_view text) : lexer_(text), token_(lexer_.next()) {}

  const Token& peek() const { return token_; }
  Token take();
  Token take(TokenKind kind, std::string_view wanted);  // `wanted` names it in the error

  bool is(std::string_view punctuation_or_word) const;
  bool accept(std::string_view punctuation_or_word);
  void expect(std::string_view punctuation_or_word);

  // Whole numbers that fit; anything else is an error.
  std::int64_t integer();
  std::uint64_t natural(std::uint64_t greatest);

  [[noreturn]] void fail(const std::string& message) const { fail_at(token_, message); }

 private:
  Lexer lexer_;
  Token token_;
};

// Counts how deep the parser is nested, so that no text can exhaust the stack.
class Depth {
 public:
  Depth(unsigned& depth, unsigned limit, const TokenStream& tokens) : depth_(&depth) {
    if (++depth > limit)
      tokens.fail("nested too deep");
  }
  Depth(const Depth&) = delete;
  Depth& operator=(const Depth&) = delete;
  ~Depth() { --*depth_; }

 private:
  unsigned* depth_;
};

Type parse_type(TokenStream& tokens);

}  // namespace phalanx::ir
