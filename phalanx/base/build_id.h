// Which engine this is: its version, and the hash that keys everything cached on disk.
#pragma once

#include <string_view>

#include "phalanx/base/export.h"

namespace phalanx {

PHX_API std::string_view version();

// 16 hex digits over the sources that decide what code is generated, and LLVM's version.
PHX_API std::string_view build_id();

}  // namespace phalanx
