// Products of matrices by the BLAS of the process.
#pragma once

#include <cstdint>

#include "phalanx/base/dtype.h"
#include "phalanx/libs/blas_functions.h"
#include "phalanx/libs/product.h"

namespace phalanx::libs {

class CpuBlas {
 public:
  explicit CpuBlas(const BlasFunctions& functions) : functions_(functions) {}
  // That of the library which has the process's LAPACK. Looks for it at the first call.
  static CpuBlas of_process();

  bool takes(DType dtype) const;
  // Extents and leading dimensions above it are more than the library's integers hold.
  std::int64_t most_extent() const;
  // On the calling thread and those of the library; done on return.
  void multiply(const Product& product) const;

 private:
  BlasFunctions functions_;
};

}  // namespace phalanx::libs
