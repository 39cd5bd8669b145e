#include "phalanx/jit/module_image.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/codegen.h"

namespace phalanx::jit {

namespace {

const ir::Global& global_of(const ir::Module& module, const std::string& name) {
  const auto found = std::ranges::find(module.globals, name, &ir::Global::name);
  if (found != module.globals.end())
    return *found;
  std::vector<std::string> names;
  names.reserve(module.globals.size());
  for (const ir::Global& each : module.globals) names.push_back(each.name);
  throw ValueError(fmt::format(
      "the module has no global '{}'; it has {}",
      name,
      names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

}  // namespace

ModuleImage::ModuleImage(std::shared_ptr<const ir::Module> source, std::shared_ptr<Kernel> whole)
    : source_(std::move(source)), whole_(std::move(whole)) {}

bool ModuleImage::has_source() const {
  const std::lock_guard lock(mutex_);
  return source_ != nullptr;
}

void ModuleImage::set_source(std::shared_ptr<const ir::Module> source) {
  const std::lock_guard lock(mutex_);
  if (!source_)
    source_ = std::move(source);
}

std::shared_ptr<runtime::Executable> ModuleImage::kernel(
    runtime::Device& gpu, const std::string& name) {
  const std::vector<ir::Function*> kernels = source_->kernels();
  const auto entry = std::ranges::find(kernels, name, &ir::Function::name);
  PHX_ASSERT(entry != kernels.end());
  const auto first = whole_->executable(gpu, {});
  return first->module().kernel(
      static_cast<std::size_t>(std::distance(kernels.begin(), entry)), name);
}

runtime::GlobalMemory ModuleImage::global(runtime::Device& device, const std::string& name) {
  const ir::Global& global = global_of(*source_, name);
  if (device.is_host())
    return on_host(device, name);
  const auto first = whole_->executable(device, {});
  auto found = first->module().global(std::string(codegen::global_prefix) + global.name);
  if (!found)
    found = first->module().global(global.name);  // of another compiler
  if (!found)
    throw ValueError(fmt::format("the GPU's code has no variable '{}': no kernel uses it", name));
  return *found;
}

// All kernels of the module, and all that are compiled for other blocks, find the same memory.
runtime::GlobalMemory ModuleImage::on_host(runtime::Device& cpu, const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto known = on_host_.find(name);
  if (known != on_host_.end())
    return {.address = known->second.address(), .bytes = known->second.size()};
  const ir::Global& global = global_of(*source_, name);
  const std::size_t bytes = ir::size_of(global);
  runtime::Buffer memory = cpu.allocate(std::max<std::size_t>(bytes, 1));
  std::memset(memory.host(), 0, memory.size());
  if (!global.bytes.empty())
    std::memcpy(memory.host(), global.bytes.data(), bytes);
  const runtime::GlobalMemory made = {.address = memory.address(), .bytes = bytes};
  on_host_.emplace(name, std::move(memory));
  return made;
}

}  // namespace phalanx::jit
