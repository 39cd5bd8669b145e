// The parts of the Python module, one registration function each.
#pragma once

#include <nanobind/nanobind.h>

namespace phalanx::bindings {

// A part lives in its own .cpp beside this file; module.cpp calls it once.
void bind_version(nanobind::module_& module);
void bind_infer(nanobind::module_& module);

}  // namespace phalanx::bindings
