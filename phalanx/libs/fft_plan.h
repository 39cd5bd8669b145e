// Fourier transforms by cuFFT, on the default stream of a GPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "phalanx/base/dtype.h"
#include "phalanx/libs/cufft_library.h"
#include "phalanx/runtime/buffer.h"
#include "phalanx/runtime/device.h"

namespace phalanx::libs {

// How the elements of one side lie, in elements: from one to the next of a row, and from the
// beginning of one transform to that of the next.
struct FftLayout {
  DType dtype = DType::complex64;
  std::int64_t stride = 1;
  std::int64_t step = 0;
};

// Several transforms over 1 to 3 dimensions, in C order. Of real elements one side is real, and the
// last dimension of the other one has half of the frequencies.
struct FftShape {
  std::vector<std::int64_t> extents;
  FftLayout in;
  FftLayout out;
  std::int64_t count = 1;
};

class FftPlan {  // thread-safe
 public:
  // The functions live longer than it does. Throws DeviceError with the library's status,
  // OutOfMemoryError.
  FftPlan(const CufftFunctions& functions, runtime::Device& device, const FftShape& shape);
  FftPlan(const FftPlan&) = delete;
  FftPlan& operator=(const FftPlan&) = delete;
  ~FftPlan();

  std::size_t work_bytes() const { return work_bytes_; }
  // Queues the transforms, which are not divided by their length. Of several dimensions to real
  // elements what is at `in` is lost.
  void run(runtime::Address in, runtime::Address out, bool is_inverse);

 private:
  void make(const FftShape& shape);
  void check(CufftStatus status, const char* call) const;

  const CufftFunctions& functions_;
  std::shared_ptr<runtime::Device> device_;
  std::mutex mutex_;
  CufftPlan plan_ = 0;
  std::size_t work_bytes_ = 0;
};

}  // namespace phalanx::libs
