// NumPy arrays as columns and keys of frames, and results of frames as NumPy arrays.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "phalanx/base/dtype.h"
#include "phalanx/frames/aggregate.h"
#include "phalanx/frames/column.h"
#include "phalanx/frames/memory.h"

namespace phalanx::bindings {

// A NumPy array of one dimension in C order, kept alive. Throws TypeError for anything else.
class HostArray {
 public:
  // `what`: how messages name it.
  HostArray(nanobind::handle given, const char* what);

  DType dtype() const { return dtype_; }
  bool is_time() const { return is_time_; }  // datetime64 or timedelta64, whose dtype is int64
  std::int64_t size() const { return size_; }
  void* data() const { return data_; }
  // Throws TypeError where its elements are others.
  template <typename T>
  const T* elements(DType dtype) const {
    expect(dtype);
    return static_cast<const T*>(data_);
  }
  void expect(DType dtype) const;

 private:
  nanobind::object owner_;
  const char* what_;
  DType dtype_ = DType::int64;
  bool is_time_ = false;
  std::int64_t size_ = 0;
  void* data_ = nullptr;
};

// Columns and keys, and the arrays that they lie in.
class FrameArguments {
 public:
  // `mask`: None or a bool array as long as the values, True where there is one.
  frames::Column column(nanobind::handle values, nanobind::handle mask);
  // ("values", array, mask), ("codes", array, mask) or ("string", offsets, bytes, mask).
  frames::Key key(nanobind::handle given);
  std::vector<frames::Key> keys(nanobind::handle given);
  frames::Codes codes(nanobind::handle given, std::int64_t groups);
  const HostArray& array(nanobind::handle given, const char* what);

  const std::uint8_t* mask_of(nanobind::handle given, std::int64_t rows);

 private:
  std::vector<std::unique_ptr<HostArray>> arrays_;
};

// An array that owns the memory.
nanobind::object numpy_of_buffer(runtime::Buffer buffer, DType dtype, std::int64_t size);

template <typename T>
nanobind::object numpy_of(frames::Memory<T>& memory, DType dtype) {
  return numpy_of_buffer(memory.take_buffer(), dtype, memory.size());
}

// The namespace `_engine.frames`, whose functions are bound file by file.
class Frames {};
void bind_frame_groups(nanobind::class_<Frames>& frames);
void bind_frame_rows(nanobind::class_<Frames>& frames);
void bind_frame_dates(nanobind::class_<Frames>& frames);
void bind_frame_texts(nanobind::class_<Frames>& frames);
void bind_frame_windows(nanobind::class_<Frames>& frames);
void bind_frame_decimals(nanobind::class_<Frames>& frames);

}  // namespace phalanx::bindings
