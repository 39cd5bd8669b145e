#include "phalanx/libs/cusolver.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/libs/device_pointer.h"
#include "phalanx/libs/nvidia_types.h"

namespace phalanx::libs {
namespace {

using runtime::Address;
using F = CusolverFunctions;

DType real_of(DType dtype) {
  const bool is_narrow = dtype == DType::float32 || dtype == DType::complex64;
  return is_narrow ? DType::float32 : DType::float64;
}

DType complex_of(DType dtype) {
  return real_of(dtype) == DType::float32 ? DType::complex64 : DType::complex128;
}

int type_of(DType dtype) { return nvidia_type(dtype).value(); }

// Element `index` of rows of `length` elements.
void* row(Address address, std::int64_t index, std::int64_t length, DType dtype) {
  return pointer(address + static_cast<Address>(index * length) * size_of(dtype));
}

void* matrix(const MatrixStack& a, std::int64_t index) {
  return row(a.address, index, a.rows * a.columns, a.dtype);
}

int* info_of(Infos infos, std::int64_t index) { return static_cast<int*>(pointer(infos)) + index; }

// The same, or null where there are none.
void* row_if_any(Address address, std::int64_t index, std::int64_t length, DType dtype) {
  return address == 0 ? nullptr : row(address, index, length, dtype);
}

std::int64_t leading(std::int64_t rows) { return std::max<std::int64_t>(rows, 1); }

struct OrthonormalFunctions {
  decltype(F::orgqr_float32_size) size;
  decltype(F::orgqr_float32) run;
};

OrthonormalFunctions orthonormal_functions(const F& functions, DType dtype) {
  switch (dtype) {
    case DType::float32:
      return {functions.orgqr_float32_size, functions.orgqr_float32};
    case DType::float64:
      return {functions.orgqr_float64_size, functions.orgqr_float64};
    case DType::complex64:
      return {functions.orgqr_complex64_size, functions.orgqr_complex64};
    default:
      return {functions.orgqr_complex128_size, functions.orgqr_complex128};
  }
}

}  // namespace

// cuSOLVER's state for one device: one thread at a time.
class Cusolver::Handle {
 public:
  Handle(const CusolverFunctions& functions, runtime::Device& device)
      : functions_(functions), device_(device.shared_from_this()) {
    device.cuda()->in_context([&] {
      CusolverStatus status = functions.create(&handle_);
      if (status == cusolver::allocation_failed) {  // what our pool keeps may be all there was
        device.trim_pool();
        status = functions.create(&handle_);
      }
      check(status, "cusolverDnCreate");
      const CusolverStatus made = functions.create_params(&params_);
      if (made != cusolver::success)
        functions.destroy(handle_);
      check(made, "cusolverDnCreateParams");
    });
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    try {
      device_->cuda()->in_context([&] {
        functions_.destroy_params(params_);
        functions_.destroy(handle_);
      });
    } catch (const Error&) {  // the context is lost, and the handle with it
    }
  }

  // Calls in the device's context, and on its default stream.
  void run(const std::function<void()>& calls) {
    const std::lock_guard lock(mutex_);
    device_->cuda()->in_context([&] {
      void* const stream = pointer(device_->default_stream()->handle());
      check(functions_.set_stream(handle_, stream), "cusolverDnSetStream");
      calls();
    });
  }

  // A routine of the 64-bit interface with its working memory: `sizes` asks for both, `call` does
  // one matrix.
  template <typename Sizes, typename Call>
  void with_memory(const char* name, std::int64_t count, Sizes sizes, Call call) {
    if (count == 0)
      return;
    run([&] {
      std::size_t device_bytes = 0;
      std::size_t host_bytes = 0;
      check(sizes(handle_, params_, &device_bytes, &host_bytes), name);
      const runtime::Buffer work = device_->allocate(std::max<std::size_t>(device_bytes, 1));
      std::vector<std::byte> on_host(std::max<std::size_t>(host_bytes, 1));
      for (std::int64_t i = 0; i < count; ++i) {
        const auto status = call(
            i, handle_, params_, pointer(work.address()), device_bytes, on_host.data(), host_bytes);
        if (host_bytes != 0)
          device_->default_stream()->synchronize();  // the work may use the host's memory till then
        check(status, name);
      }
    });
  }

  void orthonormal(const MatrixStack& a, std::int64_t reflectors, Address factors, Infos infos) {
    if (a.count == 0)
      return;
    const auto with = orthonormal_functions(functions_, a.dtype);
    const auto rows = static_cast<int>(a.rows);
    const auto columns = static_cast<int>(a.columns);
    const auto vectors = static_cast<int>(reflectors);
    const auto step = static_cast<int>(leading(a.rows));
    run([&] {
      int elements = 0;
      const void* const first = pointer(a.address);
      check(
          with.size(handle_, rows, columns, vectors, first, step, pointer(factors), &elements),
          "cusolverDnXorgqr");
      const auto bytes = static_cast<std::size_t>(std::max(elements, 1)) * size_of(a.dtype);
      const runtime::Buffer work = device_->allocate(bytes);
      for (std::int64_t i = 0; i < a.count; ++i) {
        const auto status = with.run(
            handle_,
            rows,
            columns,
            vectors,
            matrix(a, i),
            step,
            row(factors, i, reflectors, a.dtype),
            pointer(work.address()),
            elements,
            info_of(infos, i));
        check(status, "cusolverDnXorgqr");
      }
    });
  }

  void lu_solve(const MatrixStack& a, Address pivots, const MatrixStack& b, Infos infos) {
    run([&] {
      for (std::int64_t i = 0; i < a.count; ++i) {
        const auto status = functions_.getrs(
            handle_,
            params_,
            cusolver::op_none,
            a.rows,
            b.columns,
            type_of(a.dtype),
            matrix(a, i),
            leading(a.rows),
            static_cast<std::int64_t*>(pointer(pivots)) + i * a.rows,
            type_of(b.dtype),
            matrix(b, i),
            leading(b.rows),
            info_of(infos, i));
        check(status, "cusolverDnXgetrs");
      }
    });
  }

 private:
  static void check(CusolverStatus status, const char* call) {
    if (status == cusolver::success)
      return;
    const std::string text = std::string(call) + " failed with status " + std::to_string(status);
    if (status == cusolver::allocation_failed)
      throw OutOfMemoryError(text, status);
    throw DeviceError(text, status);
  }

  const CusolverFunctions& functions_;
  std::shared_ptr<runtime::Device> device_;
  std::mutex mutex_;
  CusolverHandle handle_ = nullptr;
  CusolverParams params_ = nullptr;
};

bool Cusolver::takes(DType dtype) {
  return dtype == DType::float32 || dtype == DType::float64 || is_complex(dtype);
}

Cusolver::Handle& Cusolver::handle_of(runtime::Device& device) {
  if (device.cuda() == nullptr)
    throw TypeError("cuSOLVER decomposes arrays of a GPU");
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Handle>& handle = handles_[&device];
  if (!handle)
    handle = std::make_shared<Handle>(*functions_, device);
  return *handle;
}

// In the lambdas below `bytes` are the sizes of two working memories, and `memory` is both with
// their sizes.
void Cusolver::cholesky(runtime::Device& device, const MatrixStack& a, Infos infos) {
  const int type = type_of(a.dtype);
  const std::int64_t step = leading(a.rows);
  handle_of(device).with_memory(
      "cusolverDnXpotrf",
      a.count,
      [&](auto handle, auto params, auto... bytes) {
        return functions_->potrf_size(
            handle,
            params,
            cusolver::lower_part,
            a.rows,
            type,
            pointer(a.address),
            step,
            type,
            bytes...);
      },
      [&](std::int64_t i, auto handle, auto params, auto... memory) {
        return functions_->potrf(
            handle,
            params,
            cusolver::lower_part,
            a.rows,
            type,
            matrix(a, i),
            step,
            type,
            memory...,
            info_of(infos, i));
      });
}

void Cusolver::lu(runtime::Device& device, const MatrixStack& a, Address pivots, Infos infos) {
  const int type = type_of(a.dtype);
  const std::int64_t step = leading(a.rows);
  const std::int64_t diagonal = std::min(a.rows, a.columns);
  handle_of(device).with_memory(
      "cusolverDnXgetrf",
      a.count,
      [&](auto handle, auto params, auto... bytes) {
        return functions_->getrf_size(
            handle, params, a.rows, a.columns, type, pointer(a.address), step, type, bytes...);
      },
      [&](std::int64_t i, auto handle, auto params, auto... memory) {
        return functions_->getrf(
            handle,
            params,
            a.rows,
            a.columns,
            type,
            matrix(a, i),
            step,
            static_cast<std::int64_t*>(pointer(pivots)) + i * diagonal,
            type,
            memory...,
            info_of(infos, i));
      });
}

void Cusolver::lu_solve(
    runtime::Device& device,
    const MatrixStack& a,
    Address pivots,
    const MatrixStack& b,
    Infos infos) {
  handle_of(device).lu_solve(a, pivots, b, infos);
}

void Cusolver::qr(runtime::Device& device, const MatrixStack& a, Address factors, Infos infos) {
  const int type = type_of(a.dtype);
  const std::int64_t step = leading(a.rows);
  const std::int64_t diagonal = std::min(a.rows, a.columns);
  handle_of(device).with_memory(
      "cusolverDnXgeqrf",
      a.count,
      [&](auto handle, auto params, auto... bytes) {
        return functions_->geqrf_size(
            handle,
            params,
            a.rows,
            a.columns,
            type,
            pointer(a.address),
            step,
            type,
            pointer(factors),
            type,
            bytes...);
      },
      [&](std::int64_t i, auto handle, auto params, auto... memory) {
        return functions_->geqrf(
            handle,
            params,
            a.rows,
            a.columns,
            type,
            matrix(a, i),
            step,
            type,
            row(factors, i, diagonal, a.dtype),
            type,
            memory...,
            info_of(infos, i));
      });
}

void Cusolver::orthonormal(
    runtime::Device& device,
    const MatrixStack& a,
    std::int64_t reflectors,
    Address factors,
    Infos infos) {
  handle_of(device).orthonormal(a, reflectors, factors, infos);
}

void Cusolver::eigh(
    runtime::Device& device,
    const MatrixStack& a,
    Address values,
    bool is_lower,
    bool has_vectors,
    Infos infos) {
  const int job = has_vectors ? cusolver::with_vectors : cusolver::without_vectors;
  const int part = is_lower ? cusolver::lower_part : cusolver::upper_part;
  const int type = type_of(a.dtype);
  const DType real = real_of(a.dtype);
  const std::int64_t step = leading(a.rows);
  handle_of(device).with_memory(
      "cusolverDnXsyevd",
      a.count,
      [&](auto handle, auto params, auto... bytes) {
        return functions_->syevd_size(
            handle,
            params,
            job,
            part,
            a.rows,
            type,
            pointer(a.address),
            step,
            type_of(real),
            pointer(values),
            type,
            bytes...);
      },
      [&](std::int64_t i, auto handle, auto params, auto... memory) {
        return functions_->syevd(
            handle,
            params,
            job,
            part,
            a.rows,
            type,
            matrix(a, i),
            step,
            type_of(real),
            row(values, i, a.rows, real),
            type,
            memory...,
            info_of(infos, i));
      });
}

void Cusolver::svd(runtime::Device& device, const MatrixStack& a, const SvdResults& results) {
  PHX_ASSERT(a.rows >= a.columns);
  const char job = results.left == 0 ? 'N' : results.is_full ? 'A' : 'S';
  const auto mode = static_cast<signed char>(job);
  const int type = type_of(a.dtype);
  const DType real = real_of(a.dtype);
  const std::int64_t left_columns = results.is_full ? a.rows : a.columns;
  const std::int64_t step = leading(a.rows);
  const std::int64_t right_step = leading(a.columns);
  handle_of(device).with_memory(
      "cusolverDnXgesvd",
      a.count,
      [&](auto handle, auto params, auto... bytes) {
        return functions_->gesvd_size(
            handle,
            params,
            mode,
            mode,
            a.rows,
            a.columns,
            type,
            pointer(a.address),
            step,
            type_of(real),
            pointer(results.values),
            type,
            pointer(results.left),
            step,
            type,
            pointer(results.right),
            right_step,
            type,
            bytes...);
      },
      [&](std::int64_t i, auto handle, auto params, auto... memory) {
        return functions_->gesvd(
            handle,
            params,
            mode,
            mode,
            a.rows,
            a.columns,
            type,
            matrix(a, i),
            step,
            type_of(real),
            row(results.values, i, a.columns, real),
            type,
            row_if_any(results.left, i, a.rows * left_columns, a.dtype),
            step,
            type,
            row_if_any(results.right, i, a.columns * a.columns, a.dtype),
            right_step,
            type,
            memory...,
            info_of(results.infos, i));
      });
}

void Cusolver::eig(runtime::Device& device, const MatrixStack& a, const EigResults& results) {
  const int job = results.vectors == 0 ? cusolver::without_vectors : cusolver::with_vectors;
  const int type = type_of(a.dtype);
  const DType of_values = complex_of(a.dtype);
  const std::int64_t step = leading(a.rows);
  handle_of(device).with_memory(
      "cusolverDnXgeev",
      a.count,
      [&](auto handle, auto params, auto... bytes) {
        return functions_->geev_size(
            handle,
            params,
            cusolver::without_vectors,
            job,
            a.rows,
            type,
            pointer(a.address),
            step,
            type_of(of_values),
            pointer(results.values),
            type,
            nullptr,
            step,
            type,
            pointer(results.vectors),
            step,
            type,
            bytes...);
      },
      [&](std::int64_t i, auto handle, auto params, auto... memory) {
        return functions_->geev(
            handle,
            params,
            cusolver::without_vectors,
            job,
            a.rows,
            type,
            matrix(a, i),
            step,
            type_of(of_values),
            row(results.values, i, a.rows, of_values),
            type,
            nullptr,
            step,
            type,
            row_if_any(results.vectors, i, a.rows * a.rows, a.dtype),
            step,
            type,
            memory...,
            info_of(results.infos, i));
      });
}

}  // namespace phalanx::libs
