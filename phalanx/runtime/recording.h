// What cannot be part of a graph.
#pragma once

#include <string>

#include "phalanx/base/errors.h"

namespace phalanx::runtime {

[[noreturn]] inline void refuse_to_record(const std::string& what) {
  throw ValueError(
      "a graph cannot " + what +
      ": inside `with cuda.graph()` are launches, copies between arrays that exist, and fills; do "
      "the rest before it");
}

}  // namespace phalanx::runtime
