// Tells Python that the code of a kernel was loaded on a GPU, and that it is about to go.
#pragma once

#include <memory>

#include "phalanx/bindings/kernel.h"
#include "phalanx/runtime/executable.h"

namespace phalanx::bindings {

// Calls `producer.loaded(module)`. What that gives, unless None, is called without arguments when
// the result is destroyed. Takes the GIL.
std::shared_ptr<void> tell_loaded(const Producer& producer, runtime::Executable& module);

}  // namespace phalanx::bindings
