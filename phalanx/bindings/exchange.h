// DLPack's C interface: arrays of other libraries read without making Python objects.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>

#include "phalanx/ir/types.h"
#include "phalanx/runtime/device.h"

namespace phalanx::bindings {

// DLPackExchangeAPI of DLPack 1.3. A type that has it holds a capsule of its address as the
// attribute __dlpack_c_exchange_api__. Functions return 0, or set Python's error.
struct ExchangeApi {
  struct {
    std::uint32_t major;
    std::uint32_t minor;
    ExchangeApi* previous;
  } header;
  void* allocate;
  void* managed_from_object;
  void* managed_to_object;
  // A view as long as the object lives and does not change; may be null.
  int (*tensor_of)(void* object, nanobind::dlpack::dltensor* tensor);
  int (*current_stream)(std::int32_t device_type, std::int32_t device_number, void** stream);
};

// Null for types without the interface.
const ExchangeApi* exchange_api_of(PyTypeObject* type);

std::uint8_t dlpack_code(DType dtype);
ir::Type element_of(const nanobind::dlpack::dtype& dtype);  // throws TypeError for unknown ones
runtime::Device& device_of(const nanobind::dlpack::device& device);

// Byte strides of a tensor, also where it gives none because it is contiguous.
void fill_byte_strides(const nanobind::dlpack::dltensor& tensor, std::int64_t* strides);
ir::Layout layout_of(
    const std::int64_t* shape,
    const std::int64_t* strides,
    std::size_t ndim,
    std::size_t item_bytes);

}  // namespace phalanx::bindings
