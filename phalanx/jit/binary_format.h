// A Binary as bytes for the disk cache, with a header that tells damage and foreign entries.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "phalanx/base/binary.h"
#include "phalanx/jit/hash.h"

namespace phalanx::jit {

std::vector<std::byte> encode(const Binary& binary, const Digest& key);

// Nothing when the bytes are not exactly what `encode` made for that key.
std::optional<Binary> decode(std::span<const std::byte> bytes, const Digest& key);

}  // namespace phalanx::jit
