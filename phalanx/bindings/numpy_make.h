// Makes NumPy arrays over memory that the engine holds.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>

#include <cstdint>
#include <span>

#include "phalanx/base/dtype.h"

namespace phalanx::bindings {

struct ArrayMemory {
  void* data = nullptr;
  std::span<const std::int64_t> shape;
  std::span<const std::int64_t> strides;  // bytes
  bool is_writeable = true;
};

// `owner` keeps the memory and becomes the array's base. NumPy is imported if nobody has yet.
// Throws TypeError for an element type that NumPy does not have.
nanobind::object make_numpy_array(
    DType dtype, const ArrayMemory& memory, const nanobind::object& owner);

}  // namespace phalanx::bindings
