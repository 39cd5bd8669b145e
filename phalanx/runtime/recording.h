// What cannot be part of a graph.
#pragma once

#include <string>

#include "phalanx/base/errors.h"

namespace phalanx::runtime {

[[noreturn]] inline void refuse_to_record(const std::string& what) {
  throw ValueError(
      "a graph cannot " + what +
      ": it records launches of kernels, copies and fills of arrays that exist, and what kernels "
      "compute of phalanx's arrays; do the rest before it");
}

}  // namespace phalanx::runtime
