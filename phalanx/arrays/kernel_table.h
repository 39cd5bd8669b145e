// The kernels of programs by what decides their code, compiled when they are first launched.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "phalanx/jit/engine.h"
#include "phalanx/jit/kernel.h"
#include "phalanx/runtime/launch.h"

namespace phalanx::arrays {

// A kernel and what its last launch used.
class ProgramKernel {
 public:
  ProgramKernel(std::shared_ptr<jit::Kernel> kernel, std::string code)
      : kernel_(std::move(kernel)), code_(std::move(code)) {}

  // What it computes, for people.
  const std::string& code() const { return code_; }
  const std::shared_ptr<jit::Kernel>& kernel() const { return kernel_; }

  // Queues a launch. Grids without blocks are none.
  void launch(
      const runtime::LaunchConfig& config,
      std::span<const std::byte> arguments,
      runtime::Stream& stream);

 private:
  struct Ready {
    runtime::Device* device = nullptr;
    runtime::Dim3 block;
    runtime::Dim3 grid;
    std::shared_ptr<runtime::Executable> executable;
  };
  Ready ready(runtime::Device& device, const runtime::LaunchConfig& config);

  std::shared_ptr<jit::Kernel> kernel_;
  std::string code_;
  std::mutex mutex_;
  Ready last_;
};

// A kernel's IR, and what it computes for people.
struct KernelSource {
  std::shared_ptr<ir::Module> module;
  std::string code;
};

class KernelTable {
 public:
  using Make = std::function<KernelSource()>;

  explicit KernelTable(jit::Engine& engine) : engine_(&engine) {}

  // The kernel of that key, which `make` gives the source of when there is none yet. Thread-safe.
  std::shared_ptr<ProgramKernel> find(std::string_view key, const Make& make);

  std::size_t size() const;
  std::vector<std::shared_ptr<jit::Kernel>> kernels() const;

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  jit::Engine* engine_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<ProgramKernel>, Hash, std::equal_to<>> kernels_;
};

}  // namespace phalanx::arrays
