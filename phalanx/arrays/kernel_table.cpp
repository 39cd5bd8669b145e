#include "phalanx/arrays/kernel_table.h"

#include <utility>

#include "phalanx/jit/from_cpp.h"
#include "phalanx/runtime/device_label.h"

namespace phalanx::arrays {
namespace {

// More kernels than any program has; one that makes new ones for ever starts again.
constexpr std::size_t most_kernels = 16384;

// NumPy rounds after each operation: no fused multiply-add.
codegen::Options options() { return {.contract = false}; }

}  // namespace

std::shared_ptr<runtime::Executable> ProgramKernel::ready(
    runtime::Device& device, const runtime::LaunchConfig& config, Find find) {
  {
    const std::lock_guard lock(mutex_);
    if (last_.device == &device && last_.block == config.block && last_.grid == config.grid)
      return last_.executable;
  }
  auto found = (*kernel_.*find)(device, config.block, config.grid);
  if (found) {
    const std::lock_guard lock(mutex_);
    last_ = {&device, config.block, config.grid, found};
    note_stages(device);
  }
  return found;
}

// Code that a background thread has made is noted when it is first launched.
void ProgramKernel::note_stages(const runtime::Device& device) {
  KernelNote note;
  bool is_new = false;
  for (std::size_t i = 0; i < noted_.size(); ++i) {
    const double seconds = kernel_->statistics().seconds(static_cast<jit::Stage>(i));
    note.seconds.at(i) = seconds - std::exchange(noted_.at(i), seconds);
    is_new = is_new || note.seconds.at(i) > 0;
  }
  if (!is_new)
    return;
  note.code = code_;
  note.device = runtime::label_of(device);
  notes_->add(std::move(note));
}

std::shared_ptr<runtime::Executable> ProgramKernel::at_hand(
    runtime::Device& device, const runtime::LaunchConfig& config) {
  return ready(device, config, &jit::Kernel::at_hand);
}

void ProgramKernel::launch(
    const runtime::LaunchConfig& config,
    std::span<const std::byte> arguments,
    runtime::Stream& stream) {
  const auto found = ready(stream.device(), config, &jit::Kernel::executable);
  stream.device().launch(*found, config, arguments, stream);
}

bool KernelTable::runs() const { return trial_ == nullptr || trial_->runs(); }

void KernelTable::launch(
    const std::shared_ptr<ProgramKernel>& kernel,
    const runtime::LaunchConfig& config,
    std::span<const std::byte> arguments,
    runtime::Stream& stream) {
  if (config.grid.count() == 0)
    return;
  if (trial_ == nullptr) {
    kernel->launch(config, arguments, stream);
    return;
  }
  runtime::Device& device = stream.device();
  const auto found = kernel->at_hand(device, config);
  if (!found)
    trial_->missing_.push_back({kernel, &device, config});
  else if (trial_->runs())
    device.launch(*found, config, arguments, stream);
}

std::shared_ptr<ProgramKernel> KernelTable::find(std::string_view key, const Make& make) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = kernels_.find(key); found != kernels_.end())
      return found->second;
  }
  KernelSource source = make();
  auto kernel = std::make_shared<ProgramKernel>(
      jit::make_kernel(*engine_, std::move(source.module), options()),
      std::move(source.code),
      notes_);
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
