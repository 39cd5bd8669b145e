// Names of registers in inline assembly.
#pragma once

#include <string>

namespace phalanx::cudac {

// NVIDIA's compilers take the registers of PTX in assembly with operands as %laneid, and as
// %%laneid, which is what clang takes. Changes no line.
std::string with_escaped_registers(const std::string& text);

}  // namespace phalanx::cudac
