// Strings with numbers in them that are known when the code runs, and exceptions that take them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "phalanx/frontend/python/emitter.h"

namespace phalanx::frontend::python {

// str(value) and format(value, spec).
Value text_of(Emitter& emitter, const Value& value, std::string_view spec = {});

// left + right of strings; nothing for other values.
std::optional<Value> joined_texts(const Value& left, const Value& right);

// The arguments of an exception: a tuple of them as Python writes it, and the numbers that the host
// puts in. A number is {'number': (position, kind)} there, its kind one of b, i, u, f; a string
// with numbers {'text': [part, ...]}, each a string or (position, kind, format).
class ExceptionArguments {
 public:
  explicit ExceptionArguments(Emitter& emitter) : emitter_(&emitter) {}

  void add(const Value& value) { text_ += shown(value) + ", "; }
  std::string text() const { return "(" + text_ + ")"; }
  const std::vector<ir::Operation*>& numbers() const { return numbers_; }

 private:
  std::string shown(const Value& value);
  std::string shown_part(const Value& part);
  std::string position(const Value& number);  // "position, kind"

  Emitter* emitter_;
  std::string text_;
  std::vector<ir::Operation*> numbers_;
};

// As repr() writes a string; the host reads it back.
std::string quoted(std::string_view text);

}  // namespace phalanx::frontend::python
