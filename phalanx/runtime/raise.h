// From the record that a raising thread leaves to the exception the user sees.
#pragma once

#include <span>
#include <string>

#include "phalanx/base/cpu_kernel.h"

namespace phalanx::runtime {

[[noreturn]] void throw_kernel_error(
    const std::string& kernel, std::span<const std::string> raise_sites, const ErrorRecord& record);

}  // namespace phalanx::runtime
