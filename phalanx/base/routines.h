// Routines: functions of the runtime that the code of CPU functions calls by name.
//
// "routine.sort.float64": the name, and the elements of the first array that it is called with. A
// routine takes i64 and pointers, returns an i64, and throws nothing. The name is in machine
// code that is kept on disk; the address is looked up when the code is loaded.
#pragma once

#include <string_view>

namespace phalanx {

inline constexpr std::string_view routine_prefix = "routine.";

}  // namespace phalanx
