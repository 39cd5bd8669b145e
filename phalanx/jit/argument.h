// The arguments of one launch, read from the caller's objects and not yet packed.
#pragma once

#include <cstddef>
#include <cstdint>

#include "phalanx/ir/type_key.h"
#include "phalanx/views/device_array.h"

namespace phalanx::jit {

// The key of an int that has more than 64 bits, typed as an int is. Its row holds it as float64: a
// declared type that is no integer takes it.
inline constexpr ir::TypeKey large_integer = ir::key::scalar(DType::int64) | ir::key::numbered;

// One row an argument; for a tuple a row for itself, then the rows of its elements. Pointers are
// borrowed for the launch. Nothing is set by itself: launches are too short for it.
struct Argument {
  struct Array {
    void* data;  // of a record too: it has no shape and no strides
    const std::int64_t* shape;
    const std::int64_t* strides;  // bytes
  };
  ir::TypeKey key;
  union {
    std::uint64_t bits[2];  // a scalar's bytes
    Array array;
  };
  runtime::Device* device;                 // whose memory an array is in; null: the host's
  const views::DeviceArray* device_array;  // if it is one of ours
};

inline void set_array(Argument& row, const views::DeviceArray& array) {
  // NOLINTNEXTLINE: an address on the device, which the host may not follow
  row.array = {reinterpret_cast<void*>(array.address), array.shape.data(), array.strides.data()};
  row.device = array.device;
  row.device_array = &array;
}

}  // namespace phalanx::jit
