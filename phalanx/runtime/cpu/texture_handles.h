// Which textures and surfaces there are, by what kernels take for them: a number that no other
// object gets again, so that the code of a kernel can ask for it before it reads anything.
#pragma once

#include <cstdint>

#include "phalanx/runtime/cpu/cpu_textures.h"

namespace phalanx::runtime::cpu {

// The handle of a description that stays where it is; never 0, nor any other number below 2^32.
std::uint64_t add_texture(const TextureDescription& description);
void remove_texture(std::uint64_t handle) noexcept;
// Null where no texture and no surface has the handle, or none any more. Waits for nobody.
const TextureDescription* texture_of(std::uint64_t handle) noexcept;

}  // namespace phalanx::runtime::cpu
