// Decompositions of stacks of matrices by cuSOLVER, on the default stream of a GPU.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "phalanx/base/dtype.h"
#include "phalanx/libs/cusolver_library.h"
#include "phalanx/runtime/buffer.h"
#include "phalanx/runtime/device.h"

namespace phalanx::libs {

// Matrices by columns, one behind the other, without gaps.
struct MatrixStack {
  DType dtype = DType::float64;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t count = 1;
  runtime::Address address = 0;
};

// What a routine leaves for each matrix: an int32, 0 where it succeeded. LAPACK's meaning.
using Infos = runtime::Address;

struct SvdResults {
  runtime::Address values = 0;  // real, min(rows, columns) for each matrix
  runtime::Address left = 0;    // 0, like `right`: no vectors are wanted
  runtime::Address right = 0;   // V^H
  bool is_full = false;         // square matrices of vectors
  Infos infos = 0;
};

struct EigResults {
  runtime::Address values = 0;   // complex
  runtime::Address vectors = 0;  // of the matrices' type, LAPACK's pairs of columns; 0: none wanted
  Infos infos = 0;
};

// Of float32, float64, complex64 and complex128. All queue their work, and overwrite the matrices;
// routines that want memory of the host wait for it.
// Throws DeviceError with the library's status, OutOfMemoryError.
class Cusolver {  // thread-safe
 public:
  // The functions live longer than it does.
  explicit Cusolver(const CusolverFunctions& functions) : functions_(&functions) {}

  static bool takes(DType dtype);
  bool has_eig() const { return functions_->geev != nullptr; }

  // The lower triangles; what is above them stays.
  void cholesky(runtime::Device& device, const MatrixStack& a, Infos infos);
  // Pivots are int64 from 1, min(rows, columns) for each matrix.
  void lu(runtime::Device& device, const MatrixStack& a, runtime::Address pivots, Infos infos);
  // Solves with what `lu` has made: `b` becomes the solutions.
  void lu_solve(
      runtime::Device& device,
      const MatrixStack& a,
      runtime::Address pivots,
      const MatrixStack& b,
      Infos infos);
  // Reflectors below the triangle R, and their factors: min(rows, columns) for each matrix.
  void qr(runtime::Device& device, const MatrixStack& a, runtime::Address factors, Infos infos);
  // Makes of the reflectors in the first columns the matrices with orthonormal columns.
  void orthonormal(
      runtime::Device& device,
      const MatrixStack& a,
      std::int64_t reflectors,
      runtime::Address factors,
      Infos infos);
  // Of Hermitian matrices, given by one triangle; they become the vectors if these are wanted.
  void eigh(
      runtime::Device& device,
      const MatrixStack& a,
      runtime::Address values,
      bool is_lower,
      bool has_vectors,
      Infos infos);
  // The matrices have at least as many rows as columns.
  void svd(runtime::Device& device, const MatrixStack& a, const SvdResults& results);
  // Where `has_eig`.
  void eig(runtime::Device& device, const MatrixStack& a, const EigResults& results);

 private:
  class Handle;

  Handle& handle_of(runtime::Device& device);

  const CusolverFunctions* functions_;
  std::mutex mutex_;
  std::map<runtime::Device*, std::shared_ptr<Handle>> handles_;  // made at the first use
};

}  // namespace phalanx::libs
