#include "phalanx/libs/cublas.h"

#include <complex>
#include <optional>
#include <string>

#include "phalanx/base/errors.h"
#include "phalanx/libs/device_pointer.h"

namespace phalanx::libs {
namespace {

// What cuBLAS is told of a type, and 1 and 0 of what it computes in.
struct Computation {
  int type;
  int compute_type;
  const void* one;
  const void* zero;
  decltype(CublasFunctions::gemv_float32) CublasFunctions::* gemv;  // null: there is none
};

template <typename Number>
Computation computation(
    int type,
    int compute_type,
    decltype(CublasFunctions::gemv_float32) CublasFunctions::* gemv = nullptr) {
  static constexpr Number one = 1;
  static constexpr Number zero = 0;
  return {type, compute_type, &one, &zero, gemv};
}

std::optional<Computation> computation_of(DType dtype) {
  using F = CublasFunctions;
  switch (dtype) {
    case DType::float16:
      return computation<float>(cublas::real_float16, cublas::compute_float32);
    case DType::bfloat16:
      return computation<float>(cublas::real_bfloat16, cublas::compute_float32);
    case DType::float32:
      return computation<float>(cublas::real_float32, cublas::compute_float32, &F::gemv_float32);
    case DType::float64:
      return computation<double>(cublas::real_float64, cublas::compute_float64, &F::gemv_float64);
    case DType::complex64:
      return computation<std::complex<float>>(
          cublas::complex_float32, cublas::compute_float32, &F::gemv_complex64);
    case DType::complex128:
      return computation<std::complex<double>>(
          cublas::complex_float64, cublas::compute_float64, &F::gemv_complex128);
    default:
      return std::nullopt;
  }
}

void* pointer(const Matrix& matrix) { return libs::pointer(matrix.address); }

int op_of(const Matrix& matrix) {
  return matrix.is_by_rows ? cublas::op_none : cublas::op_transposed;
}

}  // namespace

// cuBLAS's state for one device: one thread at a time.
class Cublas::Handle {
 public:
  Handle(const CublasFunctions& functions, runtime::Device& device)
      : functions_(functions), device_(device.shared_from_this()) {
    device.cuda()->in_context([&] {
      CublasStatus status = functions.create(&handle_);
      if (status == cublas::allocation_failed) {  // what our pool keeps may be all that there was
        device.trim_pool();
        status = functions.create(&handle_);
      }
      check(status, "cublasCreate");
      check(
          functions.set_math_mode(handle_, cublas::math_disallow_reduced_precision_reduction),
          "cublasSetMathMode");
    });
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    try {
      device_->cuda()->in_context([&] { functions_.destroy(handle_); });
    } catch (const Error&) {  // the context is lost, and the handle with it
    }
  }

  void multiply(const Product& product) {
    const std::lock_guard lock(mutex_);
    device_->cuda()->in_context([&] {
      void* const stream = libs::pointer(device_->default_stream()->handle());
      check(functions_.set_stream(handle_, stream), "cublasSetStream");
      const Computation with = *computation_of(product.dtype);
      const auto vector = as_matrix_vector(product);
      if (product.count > 1)
        gemm_of_stack(product, with);
      else if (vector && with.gemv != nullptr)
        gemv(*vector, with);
      else
        gemm(product, with);
    });
  }

 private:
  // Rows in memory are cuBLAS's columns: of the transposes c' = b' a' all are as it takes them.
  void gemm(const Product& product, const Computation& with) {
    const auto status = functions_.gemm(
        handle_,
        op_of(product.b),
        op_of(product.a),
        product.columns,
        product.rows,
        product.inner,
        with.one,
        pointer(product.b),
        with.type,
        product.b.leading,
        pointer(product.a),
        with.type,
        product.a.leading,
        with.zero,
        pointer(product.c),
        with.type,
        product.c.leading,
        with.compute_type,
        cublas::default_algorithm);
    check(status, "cublasGemmEx");
  }

  void gemm_of_stack(const Product& product, const Computation& with) {
    const auto status = functions_.gemm_of_stack(
        handle_,
        op_of(product.b),
        op_of(product.a),
        product.columns,
        product.rows,
        product.inner,
        with.one,
        pointer(product.b),
        with.type,
        product.b.leading,
        product.b.step,
        pointer(product.a),
        with.type,
        product.a.leading,
        product.a.step,
        with.zero,
        pointer(product.c),
        with.type,
        product.c.leading,
        product.c.step,
        product.count,
        with.compute_type,
        cublas::default_algorithm);
    check(status, "cublasGemmStridedBatchedEx");
  }

  void gemv(const MatrixVector& product, const Computation& with) {
    const auto status = (functions_.*with.gemv)(
        handle_,
        product.is_transposed ? cublas::op_transposed : cublas::op_none,
        product.rows,
        product.columns,
        with.one,
        pointer(product.matrix),
        product.matrix.leading,
        pointer(product.x),
        product.x_increment,
        with.zero,
        pointer(product.y),
        product.y_increment);
    check(status, "cublasXgemv");
  }

  void check(CublasStatus status, const char* call) const {
    if (status == cublas::success)
      return;
    const std::string text = std::string(call) + " failed: " + functions_.status_text(status);
    if (status == cublas::allocation_failed)
      throw OutOfMemoryError(text, status);
    throw DeviceError(text, status);
  }

  const CublasFunctions& functions_;
  std::shared_ptr<runtime::Device> device_;
  std::mutex mutex_;
  CublasHandle handle_ = nullptr;
};

bool Cublas::takes(DType dtype) { return computation_of(dtype).has_value(); }

Cublas::Handle& Cublas::handle_of(runtime::Device& device) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Handle>& handle = handles_[&device];
  if (!handle)
    handle = std::make_shared<Handle>(*functions_, device);
  return *handle;
}

void Cublas::multiply(runtime::Device& device, const Product& product) {
  PHX_ASSERT(takes(product.dtype));
  handle_of(device).multiply(merged(product));
}

}  // namespace phalanx::libs
