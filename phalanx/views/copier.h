// Copies between arrays of the host and of devices, whatever their strides.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "phalanx/base/export.h"
#include "phalanx/ir/types.h"
#include "phalanx/views/device_array.h"

namespace phalanx::ir {
struct Module;
}
namespace phalanx::runtime {
class Runtime;
}

namespace phalanx::views {

class CopyKernels;

// A host array as the bindings found it.
struct HostArray {
  void* data = nullptr;
  Extents shape;
  Extents strides;  // bytes
  std::size_t item_bytes = 0;
};

// A kernel that copies need, and who compiles it: this room knows no compiler.
struct KernelSource {
  std::string name;             // no two kernels share it
  std::vector<ir::Type> types;  // of the parameters
  std::function<std::shared_ptr<ir::Module>()> module;
};
// The kernel for a device and a block; compiled when it is not there yet. Thread-safe.
using FindKernel = std::function<std::shared_ptr<runtime::Executable>(
    runtime::Device& device, const runtime::Dim3& block)>;
using PrepareKernel = std::function<FindKernel(KernelSource)>;

// The two arrays of a copy have one shape and one item size, or ValueError is thrown. The result is
// as if all of the source was read before the target is written. Thread-safe.
class PHX_API Copier {
 public:
  Copier(runtime::Runtime& runtime, PrepareKernel prepare);
  ~Copier();
  Copier(const Copier&) = delete;
  Copier& operator=(const Copier&) = delete;

  // With `wait`, the copy is done on return; without, pinned host memory must stay as it is until
  // the stream has come so far.
  void from_host(
      const DeviceArray& target, const HostArray& source, runtime::Stream& stream, bool wait);
  void to_host(
      const DeviceArray& source, const HostArray& target, runtime::Stream& stream, bool wait);
  // In the order of `stream`, which is of the target's device, and after what the source's stream
  // has now.
  void copy(const DeviceArray& target, const DeviceArray& source, runtime::Stream& stream);
  // Throws ValueError where `item` is not the bytes of one item.
  void fill(const DeviceArray& target, std::span<const std::byte> item, runtime::Stream& stream);

 private:
  class Steps;

  void copy_within(const DeviceArray& target, const DeviceArray& source, runtime::Stream& stream);

  runtime::Runtime* runtime_;
  std::unique_ptr<CopyKernels> kernels_;
};

}  // namespace phalanx::views
