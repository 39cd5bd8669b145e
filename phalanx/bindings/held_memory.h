// HeldMemory, the base of Python's classes of memory that has an address: launches read what such
// an object holds without a call of Python.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>

namespace phalanx::bindings {

bool is_held_memory(PyTypeObject* type);

// A DeviceArray, or an Array whose address somebody knows. Invalid where there is none: the memory
// was freed, or Python has to be asked for it. `memory` is an object of such a type.
nanobind::object held_by(PyObject* memory);

}  // namespace phalanx::bindings
