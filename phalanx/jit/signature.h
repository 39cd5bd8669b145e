// The choice among a kernel's declared signatures.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "phalanx/infer/conversion.h"
#include "phalanx/ir/types.h"

namespace phalanx::jit {

using Signature = std::vector<ir::Type>;

// The signature that the arguments convert to with the fewest losses. Throws TypeError where none
// fits, or where two fit equally well.
std::size_t choose_signature(
    const std::string& kernel,
    std::span<const ir::Type> arguments,
    std::span<const Signature> signatures);

// What passing an argument of one type for a parameter of another costs: as inside kernels, and an
// array, a record or an address (an int) may be passed for a pointer.
infer::Conversion argument_conversion(const ir::Type& from, const ir::Type& to);

// "(array(float32, 1d, C), int64)"
std::string to_string(const Signature& signature);

}  // namespace phalanx::jit
