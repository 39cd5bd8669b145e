// Records in memory: their fields, and what is assigned to a whole one.
#pragma once

#include <optional>
#include <string_view>

#include "phalanx/frontend/python/emitter.h"

namespace phalanx::frontend::python {

bool is_record_pointer(const Value& value);

// The field of that name of a record, or of the records of an array.
std::optional<std::size_t> field_of(const Value& record, std::string_view name);

// The field of the record at `pointer`: its value, or where a record or an array in it lies.
Value record_field(Emitter& emitter, ir::Operation* pointer, std::size_t field);
void set_record_field(
    Emitter& emitter, ir::Operation* pointer, std::size_t field, const Value& value);

// The whole record at `pointer`.
void set_record(Emitter& emitter, ir::Operation* pointer, const Value& value);

}  // namespace phalanx::frontend::python
