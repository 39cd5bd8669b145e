// Jumps of the generator XORWOW, as linear maps of its state over GF(2) (Haramoto et al., Efficient
// jump ahead for F2-linear random number generators, 2008).
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace phalanx::cudac {

// The content of the tables that curand_kernel.h declares: 64 maps of 160 columns of 5 words.
// Nothing for another name.
std::optional<std::vector<std::byte>> random_table(std::string_view name);

}  // namespace phalanx::cudac
