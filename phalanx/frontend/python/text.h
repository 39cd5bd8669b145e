// NumPy's text in kernels: a record of characters, of a fixed length and filled with zeros.
#pragma once

#include <optional>

#include "phalanx/frontend/python/emitter.h"

namespace phalanx::frontend::python {

// True if the record is made by text_type of the bindings.
bool is_text(const ir::Type& record);

// Assigns to the text at `pointer`: cut off or filled with zeros, as NumPy does.
void set_text(Emitter& emitter, ir::Operation* pointer, const std::string& text);

// The number of characters up to the last that is not zero. Nothing for what is no text.
std::optional<Value> text_length(Emitter& emitter, const Value& value);

// == and != of text with text, literals and constant bytes. Nothing for other operands.
std::optional<Value> text_compare(
    Emitter& emitter, bool asks_equal, const Value& left, const Value& right);

}  // namespace phalanx::frontend::python
