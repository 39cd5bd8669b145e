// The bytes of an object of Python's that lends them.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>

#include <cstddef>

namespace phalanx::bindings {

// Lent, in C order, as long as it lives. `flags`: PyBUF_WRITABLE, if they are to be written to.
class LentBytes {
 public:
  explicit LentBytes(nanobind::handle object, int flags = PyBUF_SIMPLE) {
    if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_C_CONTIGUOUS | flags) != 0)
      throw nanobind::python_error();
  }
  LentBytes(const LentBytes&) = delete;
  LentBytes& operator=(const LentBytes&) = delete;
  ~LentBytes() { PyBuffer_Release(&view_); }

  std::size_t size() const { return static_cast<std::size_t>(view_.len); }
  std::byte* data() const { return static_cast<std::byte*>(view_.buf); }

 private:
  Py_buffer view_ = {};
};

}  // namespace phalanx::bindings
