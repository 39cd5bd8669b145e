// Lines printed by CPU kernels.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "phalanx/base/cpu_kernel.h"

namespace phalanx::runtime::cpu {

// `format`: see base/print_format.h. Numbers look as Python's repr shows them, or as C's printf
// does.
std::string format_line(std::string_view format, std::span<const PrintValue> values);

// CpuLaunch::print: writes the line and its end to C's stdout, whole.
void print_line(const char* format, const PrintValue* values, std::uint32_t count);

}  // namespace phalanx::runtime::cpu
