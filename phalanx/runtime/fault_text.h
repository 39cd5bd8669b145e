// What check mode found, in words.
#pragma once

#include <string>

#include "phalanx/base/errors.h"

namespace phalanx::runtime {

// Several lines: the location and what happened there, the source line, the threads, and what to
// do.
std::string describe(const std::string& kernel, const KernelFault& fault);

}  // namespace phalanx::runtime
