// The kernels that copy strided elements on a device.
#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>

#include "phalanx/runtime/stream.h"
#include "phalanx/views/copier.h"
#include "phalanx/views/copy_plan.h"

namespace phalanx::views {

// What decides the code; addresses, extents and strides are arguments.
struct CopyKernelKind {
  std::size_t unit = 1;  // bytes that a thread copies at once: 1, 2, 4 or 8
  std::size_t loops = 0;
  bool is_wide = false;  // units are counted in 64 bits, else in 32

  auto operator<=>(const CopyKernelKind&) const = default;
};

// It takes the target, the source, how many units there are, and of each loop, outermost
// first, its extent and its two byte strides.
KernelSource copy_kernel(const CopyKernelKind& kind);

class CopyKernels {  // thread-safe
 public:
  explicit CopyKernels(PrepareKernel prepare) : prepare_(std::move(prepare)) {}

  // Queued on the stream, whose device reaches both sides; they do not overlap.
  void launch(const CopyPlan& plan, runtime::Stream& stream);

 private:
  FindKernel find(const CopyKernelKind& kind);

  PrepareKernel prepare_;
  std::mutex mutex_;
  std::map<CopyKernelKind, FindKernel> found_;
};

}  // namespace phalanx::views
