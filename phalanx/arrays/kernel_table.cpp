#include "phalanx/arrays/kernel_table.h"

#include <utility>

#include "phalanx/jit/from_cpp.h"

namespace phalanx::arrays {
namespace {

// More kernels than any program has; one that makes new ones for ever starts again.
constexpr std::size_t most_kernels = 16384;

// NumPy rounds after each operation: no fused multiply-add.
codegen::Options options() { return {.contract = false}; }

}  // namespace

std::shared_ptr<jit::Kernel> KernelTable::find(const std::string& key, const Make& make) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = kernels_.find(key); found != kernels_.end())
      return found->second;
  }
  auto kernel = jit::make_kernel(*engine_, make(), options());
  const std::lock_guard lock(mutex_);
  if (kernels_.size() >= most_kernels)
    kernels_.clear();
  return kernels_.try_emplace(key, std::move(kernel)).first->second;
}

void KernelTable::launch(
    jit::Kernel& kernel,
    const runtime::LaunchConfig& config,
    std::span<const std::byte> arguments,
    runtime::Stream& stream) {
  if (config.grid.count() == 0)
    return;
  runtime::Device& device = stream.device();
  const auto executable = kernel.executable(device, config.block, config.grid);
  device.launch(*executable, config, arguments, stream);
}

std::size_t KernelTable::size() const {
  const std::lock_guard lock(mutex_);
  return kernels_.size();
}

}  // namespace phalanx::arrays
