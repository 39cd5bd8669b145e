// HeldMemory, the base of Python's classes of memory that has an address: launches read what such
// an object holds without a call of Python.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>

#include "phalanx/arrays/array.h"
#include "phalanx/views/device_array.h"

namespace phalanx::bindings {

bool is_held_memory(PyTypeObject* type);

// What such an object holds, and the C++ object in it: the elements of a DeviceArray, or an Array
// whose address somebody knows. Both are null where there is none: the memory was freed, or Python
// has to be asked for it.
struct Held {
  nanobind::object object;
  const views::DeviceArray* elements = nullptr;
  const arrays::Array* array = nullptr;
};

Held held_by(PyObject* memory);  // an object of such a type

}  // namespace phalanx::bindings
