// Numbers of bytes for people.
#pragma once

#include <cstdint>
#include <string>

#include "phalanx/base/export.h"

namespace phalanx {

// In MiB, or in the next unit that keeps it below 1024; below a MiB in KiB or bytes.
PHX_API std::string readable_bytes(std::uint64_t bytes);

}  // namespace phalanx
