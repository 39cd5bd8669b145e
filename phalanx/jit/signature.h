// The choice among a kernel's declared signatures.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "phalanx/ir/types.h"

namespace phalanx::jit {

using Signature = std::vector<ir::Type>;

// The signature that the arguments convert to with the fewest losses, the first of equals; nothing
// when they fit none.
std::optional<std::size_t> choose_signature(
    std::span<const ir::Type> arguments, std::span<const Signature> signatures);

// "(array<f32, 1, C, global>, i64)"
std::string to_string(const Signature& signature);

// The TypeError's text: what came, and what would fit.
std::string no_signature_fits(
    const std::string& kernel,
    std::span<const ir::Type> arguments,
    std::span<const Signature> signatures);

}  // namespace phalanx::jit
