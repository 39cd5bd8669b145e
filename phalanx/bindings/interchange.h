// Arrays of other libraries: the buffer protocol, __cuda_array_interface__ and DLPack.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "phalanx/views/device_array.h"

namespace phalanx::bindings {

// A buffer held as long as this lives.
class BufferView {
 public:
  // Throws what the exporter raises, such as BufferError for a read-only one.
  BufferView(PyObject* object, int flags);
  ~BufferView();
  BufferView(const BufferView&) = delete;
  BufferView& operator=(const BufferView&) = delete;

  void* data() const { return view_.buf; }
  std::size_t bytes() const { return static_cast<std::size_t>(view_.len); }
  std::size_t item_bytes() const { return static_cast<std::size_t>(view_.itemsize); }
  bool is_read_only() const { return view_.readonly != 0; }
  std::span<const std::int64_t> shape() const { return shape_; }
  std::span<const std::int64_t> strides() const { return strides_; }
  std::optional<DType> dtype() const;  // nothing for what kernels have no scalar type for

 private:
  Py_buffer view_{};
  std::int64_t count_ = 0;  // the shape, where the exporter gives none
  Extents made_strides_;
  std::span<const std::int64_t> shape_;
  std::span<const std::int64_t> strides_;
};

// "<f4", or the fields of a record as in __array_interface__["descr"].
std::string typestr_of(const ir::Type& element);
nanobind::list descr_of(const ir::Type& element);

// None for an object that has none.
nanobind::object cuda_interface_of(nanobind::handle object);
// `stream` becomes the one that the interface names, on which work for the array may be queued; 0
// if there is none.
views::DeviceArray array_from_cuda_interface(
    nanobind::handle object,
    const nanobind::object& given_interface,
    runtime::Device& device,
    std::uintptr_t& stream);

// Throws TypeError for an object that does not share its memory.
views::DeviceArray array_from_dlpack(nanobind::handle object);

void bind_dlpack(nanobind::module_& module, nanobind::class_<views::DeviceArray>& type);
void bind_interchange(nanobind::module_& module, nanobind::class_<views::DeviceArray>& type);

}  // namespace phalanx::bindings
