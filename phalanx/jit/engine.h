// What all kernels of a process share: devices, compiler, code loader, disk cache, type table,
// copies of arrays.
#pragma once

#include <atomic>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "phalanx/base/export.h"
#include "phalanx/base/source.h"
#include "phalanx/base/target.h"
#include "phalanx/base/warning.h"
#include "phalanx/ir/type_key.h"
#include "phalanx/jit/cache.h"
#include "phalanx/jit/compiler.h"
#include "phalanx/jit/cpu_loader.h"
#include "phalanx/jit/shipped_kernels.h"
#include "phalanx/jit/statistics.h"
#include "phalanx/runtime/runtime.h"
#include "phalanx/views/copier.h"

namespace phalanx::jit {

class Kernel;

// A warning of a kernel, and where that is.
struct LocatedWarning {
  Warning warning;
  SourceLine kernel = {};
};

class PHX_API Engine {  // one per process, made by the bindings; tests make their own
 public:
  explicit Engine(
      CacheOptions cache = CacheOptions::from_environment(),
      Compiler compiler = Compiler::standard(),
      runtime::RuntimeOptions options = runtime::RuntimeOptions::from_environment());
  // Waits for a compilation in background.
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  runtime::Runtime& runtime() { return runtime_; }
  DiskCache& cache() { return cache_; }
  ShippedKernels& shipped() { return shipped_; }
  CpuLoader& loader() { return loader_; }
  const Compiler& compiler() const { return compiler_; }
  Statistics& statistics() { return statistics_; }
  ir::TypeTable& types() { return types_; }
  views::Copier& copier() { return copier_; }

  const Target& target_of(runtime::Device& device);

  // Kernels of the engine's own, which copy arrays.
  void add_own(std::shared_ptr<Kernel> kernel);
  std::vector<std::shared_ptr<Kernel>> own_kernels();

  // From now on asking for the current device throws DeviceError with the reason.
  void disable_devices(std::string reason);
  const std::string* disabled_reason() const { return disabled_; }  // null while they may be used

  // Warnings wait here until a thread that may run Python picks them up.
  void warn(LocatedWarning warning);
  std::vector<LocatedWarning> take_warnings();
  bool has_warnings() const { return has_warnings_.load(std::memory_order_relaxed); }

 private:
  Compiler compiler_;
  runtime::Runtime runtime_;
  CpuLoader loader_;
  Statistics statistics_;
  ir::TypeTable types_;
  std::mutex mutex_;
  std::list<std::string> reasons_;  // of `disabled_`: a thread may read an earlier one
  std::atomic<const std::string*> disabled_ = nullptr;
  std::map<std::pair<DeviceKind, std::uint32_t>, Target> targets_;  // by compute capability
  std::vector<std::shared_ptr<Kernel>> own_kernels_;
  std::vector<LocatedWarning> warnings_;
  std::atomic<bool> has_warnings_ = false;
  ShippedKernels shipped_;
  DiskCache cache_;       // after the warnings: it may warn while it is made
  views::Copier copier_;  // last: it holds kernels, which use all of the others
};

}  // namespace phalanx::jit
