#include "phalanx/libs/fft_plan.h"

#include <algorithm>
#include <string>

#include "phalanx/base/errors.h"
#include "phalanx/libs/device_pointer.h"
#include "phalanx/libs/nvidia_types.h"

namespace phalanx::libs {
namespace {

// The extents of a side's memory; half of the frequencies lie beside real elements.
std::vector<long long> memory_extents(const FftShape& shape, bool is_half) {
  std::vector<long long> extents(shape.extents.begin(), shape.extents.end());
  if (is_half)
    extents.back() = extents.back() / 2 + 1;
  return extents;
}

}  // namespace

FftPlan::FftPlan(const CufftFunctions& functions, runtime::Device& device, const FftShape& shape)
    : functions_(functions), device_(device.shared_from_this()) {
  if (device.cuda() == nullptr)
    throw TypeError("cuFFT transforms arrays of a GPU");
  device.cuda()->in_context([&] {
    check(functions_.create(&plan_), "cufftCreate");
    try {
      make(shape);
    } catch (const Error&) {
      functions_.destroy(plan_);
      throw;
    }
  });
}

FftPlan::~FftPlan() {
  try {
    device_->cuda()->in_context([&] { functions_.destroy(plan_); });
  } catch (const Error&) {  // the context is lost, and the plan with it
  }
}

void FftPlan::make(const FftShape& shape) {
  const bool is_in_real = !is_complex(shape.in.dtype);
  const bool is_out_real = !is_complex(shape.out.dtype);
  auto extents = memory_extents(shape, false);
  auto in_extents = memory_extents(shape, is_out_real);
  auto out_extents = memory_extents(shape, is_in_real);
  // Memory for the work is ours, so that it counts and is given back between transforms.
  check(functions_.set_auto_allocation(plan_, 0), "cufftSetAutoAllocation");
  const auto make_plan = [&] {
    return functions_.make_plan(
        plan_,
        static_cast<int>(extents.size()),
        extents.data(),
        in_extents.data(),
        shape.in.stride,
        shape.in.step,
        nvidia_type(shape.in.dtype).value(),
        out_extents.data(),
        shape.out.stride,
        shape.out.step,
        nvidia_type(shape.out.dtype).value(),
        shape.count,
        &work_bytes_,
        nvidia_type(is_in_real ? shape.out.dtype : shape.in.dtype).value());
  };
  CufftStatus status = make_plan();
  if (status == cufft::allocation_failed) {  // what our pool keeps may be all that there was
    device_->trim_pool();
    status = make_plan();
  }
  check(status, "cufftXtMakePlanMany");
}

void FftPlan::run(runtime::Address in, runtime::Address out, bool is_inverse) {
  const std::lock_guard lock(mutex_);
  const runtime::Buffer work = device_->allocate(std::max<std::size_t>(work_bytes_, 1));
  device_->cuda()->in_context([&] {
    void* const stream = pointer(device_->default_stream()->handle());
    check(functions_.set_stream(plan_, stream), "cufftSetStream");
    check(functions_.set_work_area(plan_, pointer(work.address())), "cufftSetWorkArea");
    const int direction = is_inverse ? cufft::inverse : cufft::forward;
    check(functions_.execute(plan_, pointer(in), pointer(out), direction), "cufftXtExec");
  });
}

void FftPlan::check(CufftStatus status, const char* call) const {
  if (status == cufft::success)
    return;
  const std::string text = std::string(call) + " failed with status " + std::to_string(status);
  if (status == cufft::allocation_failed)
    throw OutOfMemoryError(text, status);
  throw DeviceError(text, status);
}

}  // namespace phalanx::libs
