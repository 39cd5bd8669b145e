// Device functions that remain functions: those that call themselves.
#pragma once

#include "phalanx/codegen/cpu/emitter.h"

namespace phalanx::codegen::cpu {

// Emits the bodies of all that were declared, and of those that these declare.
void define_device_functions(Compilation& compilation);

// Attributes of every function that holds generated code.
void set_attributes(llvm::Function& function, const Compilation& compilation);

}  // namespace phalanx::codegen::cpu
