#include "phalanx/frontend/python/computed_text.h"

#include <iterator>
#include <memory>
#include <utility>

#include "phalanx/base/cpu_kernel.h"

namespace phalanx::frontend::python {
namespace {

constexpr std::size_t most_numbers = std::size(ErrorRecord{}.values);

std::vector<Value> parts_of(const Value& text) {
  if (const auto* computed = text.as<ComputedText>())
    return *computed->parts;
  return {text};
}

bool is_text(const Value& value) { return value.is<TextEntity>() || value.is<ComputedText>(); }

Value text_of_parts(std::vector<Value> parts) {
  return ComputedText{std::make_shared<const std::vector<Value>>(std::move(parts))};
}

// A number that is formatted, and how.
Value formatted(const Value& number, std::string_view spec) {
  return tuple_value({number, TextEntity{std::string(spec)}});
}

// The text inside of such quotes, as repr() has it.
std::string escaped(std::string_view text, char quote) {
  constexpr std::string_view letters = "\n\r\t";
  constexpr std::string_view names = "nrt";
  constexpr std::string_view digits = "0123456789abcdef";
  std::string result;
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    if (const std::size_t known = letters.find(letter); known != std::string_view::npos)
      result += {'\\', names[known]};
    else if (code < 0x20 || code == 0x7f)
      result += {'\\', 'x', digits[code / 16], digits[code % 16]};
    else if (letter == '\\' || letter == quote)
      result += {'\\', letter};
    else
      result += letter;
  }
  return result;
}

}  // namespace

std::string quoted(std::string_view text) {
  const auto holds = [&](char letter) { return text.find(letter) != std::string_view::npos; };
  const char quote = holds('\'') && !holds('"') ? '"' : '\'';
  return quote + escaped(text, quote) + quote;
}

Value text_of(Emitter& emitter, const Value& value, std::string_view spec) {
  if (is_text(value) && spec.empty())
    return value;
  const auto* literal = value.as<Literal>();
  if (literal != nullptr && spec.empty()) {
    if (const auto* truth = std::get_if<bool>(&literal->constant))
      return TextEntity{*truth ? "True" : "False"};
    if (const auto integer = known_integer(value))
      return TextEntity{std::to_string(*integer)};
  }
  if (value.is_none() && spec.empty())
    return TextEntity{"None"};
  if (emitter.is_scalar(value) && !is_complex(type_of(value)->dtype()))
    return text_of_parts({formatted(value, spec)});
  const auto elements = emitter.elements_of(value);
  if (!elements || !spec.empty())
    emitter.fail(
        describe(value) + " cannot be made a string here",
        "Numbers and tuples of them can, without complex ones.");
  Value text = TextEntity{"("};
  for (std::size_t i = 0; i < elements->size(); ++i) {
    if (i != 0)
      text = *joined_texts(text, TextEntity{", "});
    const auto* part = (*elements)[i].as<TextEntity>();
    text = *joined_texts(
        text, part ? Value(TextEntity{quoted(part->text)}) : text_of(emitter, (*elements)[i]));
  }
  return *joined_texts(text, TextEntity{elements->size() == 1 ? ",)" : ")"});
}

std::optional<Value> joined_texts(const Value& left, const Value& right) {
  if (!is_text(left) || !is_text(right))
    return std::nullopt;
  const auto* first = left.as<TextEntity>();
  const auto* second = right.as<TextEntity>();
  if (first != nullptr && second != nullptr)
    return TextEntity{first->text + second->text};
  std::vector<Value> parts = parts_of(left);
  for (Value& part : parts_of(right)) parts.push_back(std::move(part));
  return text_of_parts(std::move(parts));
}

std::string ExceptionArguments::position(const Value& number) {
  const DType dtype = emitter_->scalar_dtype(number, "an argument of an exception");
  if (is_complex(dtype) || numbers_.size() == most_numbers)
    emitter_->fail(
        "an exception takes up to " + std::to_string(most_numbers) +
            " numbers that are computed, none of them complex",
        "Return the values, or print them.");
  const bool is_float = is_floating(dtype);
  const char kind = is_boolean(dtype) ? 'b' : is_float ? 'f' : dtype == DType::uint64 ? 'u' : 'i';
  ir::Operation* value =
      emitter_->materialize(emitter_->cast(number, is_float ? DType::float64 : DType::int64));
  if (is_float)
    value = emitter_->builder().bitcast(value, DType::int64);
  numbers_.push_back(value);
  return std::to_string(numbers_.size() - 1) + ", '" + kind + "'";
}

std::string ExceptionArguments::shown_part(const Value& part) {
  if (const auto* text = part.as<TextEntity>())
    return quoted(text->text);
  const std::vector<Value>& number = *part.as<TupleValue>()->elements;
  return "(" + position(number[0]) + ", " + quoted(number[1].as<TextEntity>()->text) + ")";
}

std::string ExceptionArguments::shown(const Value& value) {
  if (const auto* text = value.as<TextEntity>())
    return quoted(text->text);
  if (is_text(value)) {
    std::string parts;
    for (const Value& part : parts_of(value)) parts += shown_part(part) + ", ";
    return "{'text': [" + parts + "]}";
  }
  if (value.is_none())
    return "None";
  if (emitter_->is_scalar(value)) {
    const auto* literal = value.as<Literal>();
    const auto integer = known_integer(value);
    if (literal != nullptr && is_boolean(literal->dtype))
      return *integer != 0 ? "True" : "False";
    return integer ? std::to_string(*integer) : "{'number': (" + position(value) + ")}";
  }
  const auto elements = emitter_->elements_of(value);
  if (!elements)
    emitter_->fail(
        "an exception takes strings, numbers and tuples of them, found " + describe(value),
        "Return the value, or print it.");
  std::string text;
  for (const Value& element : *elements) text += shown(element) + ", ";
  return "(" + text + ")";
}

}  // namespace phalanx::frontend::python
