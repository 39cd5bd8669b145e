// NumPy's ufuncs through its C interface, without its headers.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace phalanx::bindings {

// An inner loop: goes over dims[0] items. `args` has a pointer for each operand. `dims` has the
// sizes of the core dimensions after the first. `steps` has a byte stride for each operand, then
// those of the operands' core dimensions.
using NumpyLoop =
    void (*)(char** args, const std::intptr_t* dims, const std::intptr_t* steps, void* data);

// What NumPy keeps pointers into: must live as long as the ufunc.
struct NumpyUfuncParts {
  NumpyLoop* loops;
  void* const* data;  // of each loop
  const char* types;  // NumPy's type numbers: those of each loop's operands
  int count;          // of loops
  int inputs;
  int outputs;
  int identity = -1;  // 0, 1; -1: none; -2: none, and the order does not matter
  std::string name;
  std::string doc;
  std::string signature;  // of core dimensions; empty: none
};

// `owner` holds the parts, and lives as long as the ufunc. Throws Python's exceptions.
nanobind::object make_numpy_ufunc(const NumpyUfuncParts& parts, const nanobind::object& owner);

// The call of a ufunc made by `make_numpy_ufunc`, as `PyObject_Vectorcall` does it (which Python's
// stable interface has from 3.12 on).
PyObject* call_numpy_ufunc(
    PyObject* ufunc, PyObject* const* args, std::size_t flagged_count, PyObject* names);

}  // namespace phalanx::bindings
