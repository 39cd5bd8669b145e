#include "phalanx/frontend/python/records.h"

#include <algorithm>
#include <array>
#include <bit>

#include "phalanx/frontend/python/elements.h"
#include "phalanx/frontend/python/text.h"
#include "phalanx/frontend/python/views.h"
#include "phalanx/ir/typing.h"

namespace phalanx::frontend::python {

bool is_record_pointer(const Value& value) {
  const auto type = type_of(value);
  return type && type->is_pointer() && type->element().is_record();
}

std::optional<std::size_t> field_of(const Value& record, std::string_view name) {
  const ir::Type element = type_of(record)->element();
  if (!element.is_record())
    return std::nullopt;
  const auto& fields = element.fields();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].name == name)
      return i;
  }
  return std::nullopt;
}

Value record_field(Emitter& emitter, ir::Operation* pointer, std::size_t field) {
  if (!pointer->type.element().fields().at(field).shape.empty())
    return nested_array(emitter, pointer, field);
  return emitter.load(emitter.builder().pointer_field(pointer, field));
}

void set_record_field(
    Emitter& emitter, ir::Operation* pointer, std::size_t field, const Value& value) {
  if (!pointer->type.element().fields().at(field).shape.empty())
    fill_view(emitter, emitter.materialize(nested_array(emitter, pointer, field)), value);
  else
    emitter.store(emitter.builder().pointer_field(pointer, field), value);
}

namespace {

constexpr std::size_t most_words = 8;  // of a record that is loaded and stored as one value

bool has_fields_of(const ir::Type& record, const ir::Type& other) {
  return std::ranges::equal(
      record.fields(), other.fields(), [](const ir::Field& a, const ir::Field& b) {
        return a.name == b.name && a.shape == b.shape;
      });
}

void copy_record(Emitter& emitter, ir::Operation* to, ir::Operation* from) {
  const ir::Type& record = to->type.element();
  const std::size_t width = std::clamp<std::size_t>(ir::alignment_of(record), 1, 8);
  const std::size_t words = ir::size_of(record) / width;
  if (words <= most_words) {
    emitter.builder().store(to, emitter.builder().load(from));
    return;
  }
  constexpr std::array types = {DType::uint8, DType::uint16, DType::uint32, DType::uint64};
  const DType word = types.at(static_cast<std::size_t>(std::countr_zero(width)));
  const auto count = static_cast<std::int64_t>(words);
  fill_view(emitter, view_at(emitter, to, word, count), Value(view_at(emitter, from, word, count)));
}

}  // namespace

// From a record of the same type, from one with the same fields at other offsets, or from a tuple.
void set_record(Emitter& emitter, ir::Operation* pointer, const Value& value) {
  const ir::Type& record = pointer->type.element();
  if (const auto* text = value.as<TextEntity>(); text != nullptr && is_text(record)) {
    set_text(emitter, pointer, text->text);
    return;
  }
  if (const auto elements = emitter.elements_of(value)) {
    if (elements->size() != record.fields().size())
      emitter.fail("a " + describe(record) + " cannot be set to " + describe(value));
    for (std::size_t i = 0; i < elements->size(); ++i)
      set_record_field(emitter, pointer, i, (*elements)[i]);
    return;
  }
  if (!is_record_pointer(value) || !has_fields_of(record, type_of(value)->element()))
    emitter.fail("a " + describe(record) + " cannot be set to " + describe(value));
  ir::Operation* from = emitter.materialize(value);
  if (from->type.element() == record) {
    copy_record(emitter, pointer, from);
    return;
  }
  for (std::size_t i = 0; i < record.fields().size(); ++i)
    set_record_field(emitter, pointer, i, record_field(emitter, from, i));
}

}  // namespace phalanx::frontend::python
