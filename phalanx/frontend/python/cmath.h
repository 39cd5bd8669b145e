// Functions of the standard library's module cmath.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "phalanx/frontend/python/emitter.h"

namespace phalanx::frontend::python {

// Nothing when there is no such function (`name` is without "cmath."), or when it does not take the
// operands.
std::optional<Value> call_cmath(
    Emitter& emitter, std::string_view name, const std::vector<Value>& operands);

}  // namespace phalanx::frontend::python
