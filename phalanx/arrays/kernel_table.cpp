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

ProgramKernel::Ready ProgramKernel::ready(
    runtime::Device& device, const runtime::LaunchConfig& config) {
  {
    const std::lock_guard lock(mutex_);
    if (last_.device == &device && last_.block == config.block && last_.grid == config.grid)
      return last_;
  }
  Ready made{&device, config.block, config.grid, nullptr};
  made.executable = kernel_->executable(device, config.block, config.grid);
  const std::lock_guard lock(mutex_);
  last_ = made;
  return made;
}

void ProgramKernel::launch(
    const runtime::LaunchConfig& config,
    std::span<const std::byte> arguments,
    runtime::Stream& stream) {
  if (config.grid.count() == 0)
    return;
  const Ready found = ready(stream.device(), config);
  stream.device().launch(*found.executable, config, arguments, stream);
}

std::shared_ptr<ProgramKernel> KernelTable::find(std::string_view key, const Make& make) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = kernels_.find(key); found != kernels_.end())
      return found->second;
  }
  KernelSource source = make();
  auto kernel = std::make_shared<ProgramKernel>(
      jit::make_kernel(*engine_, std::move(source.module), options()), std::move(source.code));
  const std::lock_guard lock(mutex_);
  if (kernels_.size() >= most_kernels)
    kernels_.clear();
  return kernels_.try_emplace(std::string(key), std::move(kernel)).first->second;
}

std::vector<std::shared_ptr<jit::Kernel>> KernelTable::kernels() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<jit::Kernel>> all;
  all.reserve(kernels_.size());
  for (const auto& row : kernels_) all.push_back(row.second->kernel());
  return all;
}

std::size_t KernelTable::size() const {
  const std::lock_guard lock(mutex_);
  return kernels_.size();
}

}  // namespace phalanx::arrays
