// The code generator of the CPU device.
#pragma once

#include "phalanx/codegen/codegen.h"

namespace phalanx::codegen {
struct MachineSettings;
}

namespace phalanx::codegen::cpu {

extern const Backend backend;

// The host's CPU as LLVM knows it.
Target host_target();

// Levels of the x86-64 ABI.
std::vector<Target> common_targets();
bool runs(const Target& host, const Target& common);

// x86 in LLVM's terms.
const MachineSettings& machine_settings();

// The assembly text of an object.
std::string disassemble(const Binary& binary, const Target& target);

}  // namespace phalanx::codegen::cpu
