// Makes the archives of code that a package ships (shipped_kernels.h).
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "phalanx/base/binary.h"
#include "phalanx/base/export.h"
#include "phalanx/base/target.h"
#include "phalanx/jit/hash.h"
#include "phalanx/jit/kernel.h"

namespace phalanx::jit {

// Each PTX text as machine code of the target's architecture.
using AssembleAll =
    std::function<std::vector<std::vector<std::byte>>(const std::vector<std::string>& texts)>;

// Compiles for the target, on all cores, what launches of the kernels have asked for so far, and
// writes the archive to that folder. How many pieces of code it has. Throws what compiling does,
// and ValueError where the file cannot be written or `assemble` gives another number of codes.
PHX_API std::size_t ship_kernels(
    std::span<const std::shared_ptr<Kernel>> kernels,
    const Target& target,
    const std::string& folder,
    const AssembleAll& assemble);

}  // namespace phalanx::jit
