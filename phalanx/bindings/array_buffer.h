// The buffer protocol of Python's arrays: how NumPy and others read their elements on the host.
#pragma once

#include <Python.h>

namespace phalanx::bindings {

// As CPython calls them. What has no format of the protocol, and each refusal, is left to Python's
// host_view(), which knows the words.
int get_array_buffer(PyObject* self, Py_buffer* buffer, int flags);
void release_array_buffer(PyObject* self, Py_buffer* buffer);

}  // namespace phalanx::bindings
