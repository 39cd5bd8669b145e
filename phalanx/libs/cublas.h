// Products of matrices by cuBLAS, on the default stream of a GPU.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "phalanx/base/dtype.h"
#include "phalanx/libs/cublas_library.h"
#include "phalanx/libs/product.h"
#include "phalanx/runtime/device.h"

namespace phalanx::libs {

class Cublas {  // thread-safe
 public:
  // The functions live longer than it does.
  explicit Cublas(const CublasFunctions& functions) : functions_(&functions) {}

  static bool takes(DType dtype);
  // Queues it. Throws DeviceError with the library's text, OutOfMemoryError.
  void multiply(runtime::Device& device, const Product& product);

 private:
  class Handle;

  Handle& handle_of(runtime::Device& device);

  const CublasFunctions* functions_;
  std::mutex mutex_;
  std::map<runtime::Device*, std::shared_ptr<Handle>> handles_;  // made at a device's first product
};

}  // namespace phalanx::libs
