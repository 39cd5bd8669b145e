// The routines that CPU functions call: base/routines.h says how.
#pragma once

#include <string_view>

namespace phalanx::runtime {

// The address of "routine.sort.float64"; null when there is no such routine.
void* find_routine(std::string_view symbol);

}  // namespace phalanx::runtime
