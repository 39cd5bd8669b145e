// The operators of Python's arrays, as CPython calls them.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>

#include <span>

#include "phalanx/bindings/context.h"

namespace phalanx::bindings {

// What CPython calls lets no exception through: the body's result, or null with the error set.
template <typename Body>
PyObject* guarded(const Body& body) noexcept {
  try {
    return body();
  } catch (nanobind::python_error& error) {
    error.restore();
  } catch (...) {
    set_python_error();
  }
  return nullptr;
}

std::span<PyType_Slot> array_slots();  // ended by an empty one

}  // namespace phalanx::bindings
