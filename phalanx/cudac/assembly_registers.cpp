#include "phalanx/cudac/assembly_registers.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

namespace phalanx::cudac {

namespace {

bool is_letter(char each) { return std::isalpha(static_cast<unsigned char>(each)) != 0; }
bool is_of_word(char each) {
  return std::isalnum(static_cast<unsigned char>(each)) != 0 || each == '_';
}

// Walks over C's text: comments, literals and words are one step each.
class Walk {
 public:
  explicit Walk(std::string_view text) : text_(text) {}

  bool is_end() const { return at_ >= text_.size(); }
  std::size_t position() const { return at_; }
  void skip_space() {
    while (!is_end() && (std::isspace(static_cast<unsigned char>(text_[at_])) != 0 || at_comment()))
      next();
  }
  char peek() const { return is_end() ? '\0' : text_[at_]; }

  // The text of the step.
  std::string_view next() {
    const std::size_t first = at_;
    const char begin = text_[at_++];
    if (begin == '/' && peek() == '/') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (begin == '/' && peek() == '*') {
      const std::size_t end = text_.find("*/", at_ + 1);
      at_ = end == std::string_view::npos ? text_.size() : end + 2;
    } else if (begin == '"' || begin == '\'') {
      while (!is_end() && text_[at_] != begin && text_[at_] != '\n')
        at_ += text_[at_] == '\\' ? 2 : 1;
      at_ = std::min(at_ + 1, text_.size());
    } else if (is_of_word(begin)) {
      while (!is_end() && is_of_word(text_[at_])) ++at_;
    }
    return text_.substr(first, at_ - first);
  }

 private:
  bool at_comment() const {
    const std::string_view rest = text_.substr(at_, 2);
    return rest == "//" || rest == "/*";
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// Where a % is to be written twice in a literal.
void find_registers(std::string_view literal, std::size_t start, std::vector<std::size_t>& found) {
  for (std::size_t i = 0; i + 2 < literal.size(); ++i) {
    if (literal[i] != '%')
      continue;
    const char after = literal[i + 2];
    if (is_letter(literal[i + 1]) && (is_of_word(after) || after == '.') &&
        std::isdigit(static_cast<unsigned char>(after)) == 0)
      found.push_back(start + i);
    if (literal[i + 1] == '%')
      ++i;
  }
}

// The walk is after `asm`. In a statement without operands the text is as it is.
void find_in_statement(Walk& walk, std::vector<std::size_t>& found) {
  walk.skip_space();
  while (is_letter(walk.peek()) || walk.peek() == '_') {  // volatile
    walk.next();
    walk.skip_space();
  }
  if (walk.peek() != '(')
    return;
  walk.next();
  walk.skip_space();
  std::vector<std::size_t> in_braces;
  while (walk.peek() == '"') {
    const std::size_t start = walk.position();
    find_registers(walk.next(), start, in_braces);
    walk.skip_space();
  }
  if (walk.peek() == ':')
    found.insert(found.end(), in_braces.begin(), in_braces.end());
}

}  // namespace

std::string with_escaped_registers(const std::string& text) {
  if (text.find("asm") == std::string::npos)
    return text;
  std::vector<std::size_t> found;
  Walk walk(text);
  while (!walk.is_end()) {
    const std::string_view word = walk.next();
    if (word == "asm" || word == "__asm__" || word == "__asm")
      find_in_statement(walk, found);
  }
  std::string result;
  std::size_t from = 0;
  for (const std::size_t each : found) {
    result += text.substr(from, each - from) + '%';
    from = each;
  }
  return result + text.substr(from);
}

}  // namespace phalanx::cudac
