// Products of matrices by the library of the device that they are on, if it has one.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "phalanx/base/dtype.h"
#include "phalanx/libs/cpu_blas.h"
#include "phalanx/libs/cublas.h"
#include "phalanx/libs/product.h"
#include "phalanx/runtime/device.h"

namespace phalanx::libs {

class Products {  // thread-safe; opens a library when it is first asked for
 public:
  Products() = default;
  // With this BLAS for the CPU device.
  explicit Products(const CpuBlas& cpu) : cpu_(cpu) {}

  // False where the device has no library, or that has no such product: there is no error.
  bool takes(runtime::Device& device, DType dtype, std::int64_t largest_extent);
  // That a library's integers hold, of extents and leading dimensions.
  std::int64_t most_extent(runtime::Device& device);
  // In the order of the device's default stream. Where `takes` is true; throws what the library
  // says, and LibraryError where there is none.
  void multiply(runtime::Device& device, const Product& product);

 private:
  const CpuBlas& cpu();
  Cublas* cublas();

  std::mutex mutex_;  // guards opening
  std::optional<CpuBlas> cpu_;
  std::unique_ptr<Cublas> cublas_;
  bool is_without_cublas_ = false;
};

}  // namespace phalanx::libs
