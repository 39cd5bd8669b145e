#include "phalanx/jit/engine.h"

#include <span>
#include <utility>

#include "phalanx/jit/background.h"
#include "phalanx/jit/kernel.h"

namespace phalanx::jit {

namespace {

// A kernel of the engine's own. It is in the disk cache by its name and its types.
views::FindKernel prepare(Engine& engine, views::KernelSource source) {
  KernelDescription description{.name = source.name, .types = std::move(source.types)};
  const auto name = std::as_bytes(std::span(source.name));
  description.key.assign(name.begin(), name.end());
  auto kernel = std::make_shared<Kernel>(engine, std::move(description), std::move(source.module));
  engine.add_own(kernel);
  return [kernel](runtime::Device& device, const runtime::Dim3& block) {
    return kernel->executable(device, block);
  };
}

}  // namespace

Engine::Engine(CacheOptions cache, Compiler compiler, runtime::RuntimeOptions options)
    : compiler_(std::move(compiler)),
      runtime_(std::move(options)),
      shipped_(cache.shipped, compiler_.common_targets_for),
      cache_(
          std::move(cache),
          [this](const std::string& text) {
            warn({.warning = {.kind = Warning::Kind::cache, .text = text}});
          }),
      copier_(runtime_, [this](views::KernelSource source) {
        return prepare(*this, std::move(source));
      }) {}

Engine::~Engine() { end_background_work(this); }

const Target& Engine::target_of(runtime::Device& device) {
  const std::pair which(device.kind(), device.limits().compute_capability);
  const std::lock_guard lock(mutex_);
  auto known = targets_.find(which);
  if (known == targets_.end())
    known = targets_.emplace(which, compiler_.target_of(which.first, which.second)).first;
  return known->second;
}

void Engine::add_own(std::shared_ptr<Kernel> kernel) {
  const std::lock_guard lock(mutex_);
  own_kernels_.push_back(std::move(kernel));
}

std::vector<std::shared_ptr<Kernel>> Engine::own_kernels() {
  const std::lock_guard lock(mutex_);
  return own_kernels_;
}

void Engine::disable_devices(std::string reason) {
  const std::lock_guard lock(mutex_);
  disabled_ = &reasons_.emplace_back(std::move(reason));
}

void Engine::warn(LocatedWarning warning) {
  const std::lock_guard lock(mutex_);
  warnings_.push_back(std::move(warning));
  has_warnings_ = true;
}

std::vector<LocatedWarning> Engine::take_warnings() {
  const std::lock_guard lock(mutex_);
  has_warnings_ = false;
  return std::exchange(warnings_, {});
}

}  // namespace phalanx::jit
