// The operators of Python's arrays, as CPython calls them.
#pragma once

#include <Python.h>

#include <span>

namespace phalanx::bindings {

std::span<PyType_Slot> array_slots();  // ended by an empty one

}  // namespace phalanx::bindings
