#include "phalanx/jit/module.h"

#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "phalanx/base/errors.h"
#include "phalanx/ir/abi.h"
#include "phalanx/ir/clone.h"
#include "phalanx/ir/verifier.h"
#include "phalanx/runtime/live_memory.h"

namespace phalanx::jit {

namespace {

KernelDescription description_of(const ModuleDescription& module, const ir::Function& kernel) {
  KernelDescription description{
      .name = kernel.name,
      .key = module.key,
      .options = module.options,
      .use_cache = module.use_cache};
  for (const auto& parameter : kernel.parameters) {
    if (ir::is_bounds(parameter->type))
      description.has_bounds = true;
    else
      description.types.push_back(parameter->type);
  }
  return description;
}

// The kernel alone, which a device that has no images compiles.
std::shared_ptr<ir::Module> slice_of(
    const ir::Module& source, const ir::Function& kernel, const std::string& refusal) {
  if (!refusal.empty())
    throw CompileError(CompileError::Kind::lowering, "kernel " + kernel.name + ": " + refusal);
  return std::make_shared<ir::Module>(ir::slice(source, kernel));
}

// In check mode kernels are told where the memory ends that their pointers lead to.
std::shared_ptr<const ir::Module> with_bounds(const std::shared_ptr<const ir::Module>& module) {
  runtime::note_buffers();
  auto copy = std::make_shared<ir::Module>(ir::clone(*module));
  for (ir::Function* kernel : copy->kernels()) ir::add_bounds(*kernel);
  return copy;
}

std::shared_ptr<ir::Module> copy_of(const ir::Module& module) {
  return std::make_shared<ir::Module>(ir::clone(module));
}

}  // namespace

Module::Module(
    Engine& engine,
    const ModuleDescription& description,
    const std::shared_ptr<const ir::Module>& given,
    const Linker& linker) {
  ir::verify(*given);
  const bool is_bounded = description.options.checks.has(Check::bounds);
  const std::shared_ptr<const ir::Module> source = is_bounded ? with_bounds(given) : given;
  const std::vector<ir::Function*> kernels = source->kernels();
  if (kernels.empty())
    throw ValueError("a module to compile has one kernel at least, this one has none");
  KernelDescription first = description_of(description, *kernels.front());
  first.gpu_code = description.gpu_code;
  auto whole = std::make_shared<Kernel>(
      engine, std::move(first), [source] { return copy_of(*source); }, linker);
  image_ = std::make_shared<ModuleImage>(source, std::move(whole));
  for (const ir::Function* kernel : kernels) {
    KernelDescription own = description_of(description, *kernel);
    const auto name = std::as_bytes(std::span(own.name));
    own.key.insert(own.key.end(), name.begin(), name.end());
    own.image = image_;
    own.gpu_code = description.gpu_code;  // whose text can be asked for; launches have the image's
    kernels_[kernel->name] = std::make_shared<Kernel>(
        engine,
        std::move(own),
        [source, kernel, refusal = description.refusal] {
          return slice_of(*source, *kernel, refusal);
        },
        linker);
  }
}

std::vector<std::string> Module::kernel_names() const {
  std::vector<std::string> names;
  for (const ir::Function* kernel : image_->source().kernels()) names.push_back(kernel->name);
  return names;
}

const std::shared_ptr<Kernel>& Module::kernel(const std::string& name) const {
  const auto found = kernels_.find(name);
  if (found == kernels_.end())
    throw ValueError(fmt::format(
        "the module has no kernel '{}'; it has {}", name, fmt::join(kernel_names(), ", ")));
  return found->second;
}

runtime::GlobalMemory Module::global(runtime::Device& device, const std::string& name) {
  return image_->global(device, name);
}

}  // namespace phalanx::jit
