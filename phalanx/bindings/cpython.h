// What the classes that are written against CPython itself share.
#pragma once

#include <Python.h>
#include <cxxabi.h>
#include <nanobind/nanobind.h>

#include <cstddef>

#include "phalanx/bindings/context.h"
#include "phalanx/bindings/gil.h"

namespace phalanx::bindings {

// In Python's stable interface from 3.12 on; the same numbers in 3.11.
inline constexpr unsigned long has_vectorcall = 1UL << 11;
inline constexpr std::size_t offset_flag = std::size_t{1} << (8 * sizeof(std::size_t) - 1);

// Runs `body` and turns what it throws into Python's exception.
template <typename Body>
PyObject* guarded(const Body& body) noexcept {
  try {
    return body();
  } catch (abi::__forced_unwind&) {
    sleep_for_ever();  // see gil.h
  } catch (...) {
    set_python_error();
    return nullptr;
  }
}

// For the tp_dealloc of types that were made from a PyType_Spec.
inline void free_object(PyObject* self) {
  PyTypeObject* const type = Py_TYPE(self);
  const auto release = reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free));
  release(self);
  Py_DECREF(type);
}

// The error that is set, as an object; it is not set any more.
inline nanobind::object take_error() {
  PyObject* type = nullptr;
  PyObject* value = nullptr;
  PyObject* traceback = nullptr;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  if (traceback != nullptr)
    PyException_SetTraceback(value, traceback);
  Py_XDECREF(type);
  Py_XDECREF(traceback);
  return nanobind::steal(value);
}

// The element of a list that other threads may change meanwhile; invalid where there is none.
inline nanobind::object list_item(PyObject* list, Py_ssize_t i) {
#ifdef Py_GIL_DISABLED
  PyObject* const found = PyList_GetItemRef(list, i);
#else
  PyObject* const found = PyList_GetItem(list, i);
  Py_XINCREF(found);
#endif
  if (found == nullptr)
    PyErr_Clear();
  return nanobind::steal(found);
}

// The value of a key that other threads may change meanwhile; invalid where there is none.
inline nanobind::object dict_item(PyObject* dict, PyObject* key) {
#ifdef Py_GIL_DISABLED
  PyObject* found = nullptr;
  PyDict_GetItemRef(dict, key, &found);
#else
  PyObject* const found = PyDict_GetItemWithError(dict, key);
  Py_XINCREF(found);
#endif
  if (found == nullptr && PyErr_Occurred() != nullptr)
    throw nanobind::python_error();
  return nanobind::steal(found);
}

}  // namespace phalanx::bindings
