// How a kernel is compiled, from Python's keywords.
#pragma once

#include "phalanx/bindings/keywords.h"
#include "phalanx/codegen/codegen.h"

namespace phalanx::bindings {

codegen::Options take_options(Keywords& keywords);

}  // namespace phalanx::bindings
