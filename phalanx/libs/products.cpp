#include "phalanx/libs/products.h"

#include <limits>

#include "phalanx/base/errors.h"
#include "phalanx/runtime/library_table.h"

namespace phalanx::libs {

const CpuBlas& Products::cpu() {
  const std::lock_guard lock(mutex_);
  if (!cpu_)
    cpu_ = CpuBlas::of_process();
  return *cpu_;
}

// Null where there is none, which is looked for once.
Cublas* Products::cublas() {
  const std::lock_guard lock(mutex_);
  if (!cublas_ && !is_without_cublas_) {
    try {
      cublas_ = std::make_unique<Cublas>(cublas_library());
    } catch (const runtime::LibraryError&) {
      is_without_cublas_ = true;
    }
  }
  return cublas_.get();
}

bool Products::takes(runtime::Device& device, DType dtype, std::int64_t largest_extent) {
  if (device.is_host())
    return cpu().takes(dtype) && largest_extent <= most_extent(device);
  return device.cuda() != nullptr && Cublas::takes(dtype) && cublas() != nullptr;
}

std::int64_t Products::most_extent(runtime::Device& device) {
  return device.is_host() ? cpu().most_extent() : std::numeric_limits<std::int64_t>::max();
}

void Products::multiply(runtime::Device& device, const Product& product) {
  if (device.is_host()) {
    cpu().multiply(product);
    return;
  }
  Cublas* const library = cublas();
  if (library == nullptr)
    cublas_library();  // throws what is missing
  else
    library->multiply(device, product);
}

}  // namespace phalanx::libs
