// What a texture gives at a point, in software.
#pragma once

#include <array>
#include <cstdint>

#include "phalanx/runtime/cpu/cpu_textures.h"

namespace phalanx::runtime::cpu {

// The bits of four channels: floats, or integers of 32 bits as the elements extend to.
using Texel = std::array<std::uint32_t, 4>;

// The coordinates beyond the texture's dimensions are 0.
Texel sample(const TextureDescription& texture, const std::array<float, 3>& point);
// By counting elements of one row; there is nothing outside of it.
Texel element_at(const TextureDescription& texture, std::int64_t index);

}  // namespace phalanx::runtime::cpu
