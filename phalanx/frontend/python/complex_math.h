// Functions of complex numbers, made of operations on their parts.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "phalanx/frontend/python/emitter.h"

namespace phalanx::frontend::python {

// `name` without its module: "tanh", "arcsin" or "asin", "log10". The operands are complex numbers
// of one type. Nothing when there is no such function.
std::optional<Value> complex_function(
    Emitter& emitter, std::string_view name, const std::vector<Value>& operands);

// A call of cmath; nothing when it does not take the operands.
std::optional<Value> call_cmath(
    Emitter& emitter, std::string_view name, const std::vector<Value>& operands);

}  // namespace phalanx::frontend::python
