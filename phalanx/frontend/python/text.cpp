#include "phalanx/frontend/python/text.h"

#include <algorithm>

#include "phalanx/frontend/python/views.h"

namespace phalanx::frontend::python {

bool is_text(const ir::Type& record) {
  return record.fields().size() == 1 && record.fields()[0].name.starts_with('<');
}

namespace {

bool is_text_pointer(const Value& value) {
  const auto type = type_of(value);
  return type && type->is_pointer() && type->element().is_record() && is_text(type->element());
}

const ir::Field& characters_field(const Value& text) {
  return type_of(text)->element().fields()[0];
}

bool is_bytes(const ir::Field& characters) { return characters.type == ir::Type(DType::uint8); }

// The characters of UTF-8 text; of bytes each is one.
std::vector<std::int64_t> characters_of(const std::string& text, bool is_bytes) {
  std::vector<std::int64_t> characters;
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if (is_bytes || byte < 0x80) {
      characters.push_back(byte);
    } else if ((byte & 0xC0) == 0x80) {
      characters.back() = (characters.back() << 6) | (byte & 0x3F);
    } else {
      const unsigned following = byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : 1;
      characters.push_back(byte & (0x3F >> following));
    }
  }
  return characters;
}

std::vector<Value> items_of(Emitter& emitter, const Value& array, std::int64_t count) {
  std::vector<Value> characters;
  for (std::int64_t i = 0; i < count; ++i)
    characters.push_back(emitter.item(array, integer_literal(i)));
  return characters;
}

std::vector<Value> characters_at(Emitter& emitter, const Value& text) {
  const Value array = nested_array(emitter, emitter.materialize(text), 0);
  return items_of(emitter, array, characters_field(text).shape.at(0));
}

// Nothing for what is no text, or whose length is not known.
std::optional<std::vector<Value>> characters_of(
    Emitter& emitter, const Value& value, bool is_bytes) {
  if (is_text_pointer(value))
    return characters_at(emitter, value);
  if (const auto* literal = value.as<TextEntity>()) {
    std::vector<Value> characters;
    for (const std::int64_t character : characters_of(literal->text, is_bytes))
      characters.push_back(integer_literal(character));
    return characters;
  }
  const auto type = type_of(value);
  if (!type || !type->is_array() || type->ndim() != 1 || type->element() != ir::Type(DType::uint8))
    return std::nullopt;
  const auto count = known_integer(emitter.extent(value, 0));
  if (!count)
    return std::nullopt;
  return items_of(emitter, value, *count);
}

}  // namespace

void set_text(Emitter& emitter, ir::Operation* pointer, const std::string& text) {
  const ir::Field& field = pointer->type.element().fields()[0];
  const Value target = nested_array(emitter, pointer, 0);
  const auto characters = characters_of(text, is_bytes(field));
  for (std::int64_t i = 0; i < field.shape.at(0); ++i) {
    const auto position = static_cast<std::size_t>(i);
    const std::int64_t character = position < characters.size() ? characters[position] : 0;
    emitter.set_item(target, integer_literal(i), integer_literal(character));
  }
}

std::optional<Value> text_length(Emitter& emitter, const Value& value) {
  if (const auto* literal = value.as<TextEntity>())
    return integer_literal(static_cast<std::int64_t>(characters_of(literal->text, false).size()));
  if (!is_text_pointer(value))
    return std::nullopt;
  Value length = integer_literal(0);
  std::int64_t position = 0;
  for (const Value& character : characters_at(emitter, value)) {
    const Value is_set =
        emitter.compare(tree::Comparison::not_equal, character, integer_literal(0));
    length = emitter.select(is_set, integer_literal(++position), length);
  }
  return length;
}

std::optional<Value> text_compare(
    Emitter& emitter, bool asks_equal, const Value& left, const Value& right) {
  if (!is_text_pointer(left) && !is_text_pointer(right))
    return std::nullopt;
  const bool of_bytes = is_bytes(characters_field(is_text_pointer(left) ? left : right));
  auto a = characters_of(emitter, left, of_bytes);
  auto b = characters_of(emitter, right, of_bytes);
  if (!a || !b)
    return std::nullopt;
  const std::size_t count = std::max(a->size(), b->size());
  a->resize(count, integer_literal(0));
  b->resize(count, integer_literal(0));
  std::vector<Value> equal = {boolean_literal(true)};
  for (std::size_t i = 0; i < count; ++i)
    equal.push_back(emitter.truth(emitter.compare(tree::Comparison::equal, (*a)[i], (*b)[i])));
  const Value all = emitter.all_of(equal);
  return asks_equal ? all : emitter.logical_not(all);
}

}  // namespace phalanx::frontend::python
