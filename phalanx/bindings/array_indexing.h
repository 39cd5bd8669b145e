// `array[key]` and `array[key] = value`, as CPython calls them.
#pragma once

#include <Python.h>

namespace phalanx::bindings {

// Keys of ints, slices, None and an ellipsis are read here; the others by Python's
// phalanx._arrays.indexing.
PyObject* array_item(PyObject* self, PyObject* key);
int assign_array_item(PyObject* self, PyObject* key, PyObject* value);

}  // namespace phalanx::bindings
