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

#include "phalanx/arrays/kernel_notes.h"
#include "phalanx/jit/engine.h"
#include "phalanx/jit/kernel.h"
#include "phalanx/runtime/launch.h"

namespace phalanx::arrays {

// A kernel and what its last launch used.
class ProgramKernel {
 public:
  ProgramKernel(
      std::shared_ptr<jit::Kernel> kernel, std::string code, std::shared_ptr<KernelNotes> notes)
      : kernel_(std::move(kernel)), code_(std::move(code)), notes_(std::move(notes)) {}

  // What it computes, for people.
  const std::string& code() const { return code_; }
  const std::shared_ptr<jit::Kernel>& kernel() const { return kernel_; }

  // Queues a launch of code that is compiled if need be.
  void launch(
      const runtime::LaunchConfig& config,
      std::span<const std::byte> arguments,
      runtime::Stream& stream);
  // Null where the code would have to be compiled.
  std::shared_ptr<runtime::Executable> at_hand(
      runtime::Device& device, const runtime::LaunchConfig& config);

 private:
  struct Ready {
    runtime::Device* device = nullptr;
    runtime::Dim3 block;
    runtime::Dim3 grid;
    std::shared_ptr<runtime::Executable> executable;
  };
  using Find = std::shared_ptr<runtime::Executable> (jit::Kernel::*)(
      runtime::Device& device, const runtime::Dim3& block, const runtime::Dim3& grid);
  std::shared_ptr<runtime::Executable> ready(
      runtime::Device& device, const runtime::LaunchConfig& config, Find find);

  void note_stages(const runtime::Device& device);

  std::shared_ptr<jit::Kernel> kernel_;
  std::string code_;
  std::shared_ptr<KernelNotes> notes_;
  std::mutex mutex_;  // of the rest
  Ready last_;
  jit::StageSeconds noted_ = {};  // what its stages had taken at the last note
};

// A kernel's IR, and what it computes for people.
struct KernelSource {
  std::shared_ptr<ir::Module> module;
  std::string code;
};

class Trial;

class KernelTable {
 public:
  using Make = std::function<KernelSource()>;

  KernelTable(jit::Engine& engine, std::shared_ptr<KernelNotes> notes)
      : engine_(&engine), notes_(std::move(notes)) {}

  KernelNotes& notes() { return *notes_; }
  // The kernel of that key, which `make` gives the source of when there is none yet. Thread-safe.
  std::shared_ptr<ProgramKernel> find(std::string_view key, const Make& make);
  // Queues a launch, if there is no trial that keeps it from that. Grids without blocks are none.
  void launch(
      const std::shared_ptr<ProgramKernel>& kernel,
      const runtime::LaunchConfig& config,
      std::span<const std::byte> arguments,
      runtime::Stream& stream);
  // False while a trial keeps launches from running.
  bool runs() const;

  std::size_t size() const;
  std::vector<std::shared_ptr<jit::Kernel>> kernels() const;

 private:
  friend Trial;
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  jit::Engine* engine_;
  std::shared_ptr<KernelNotes> notes_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<ProgramKernel>, Hash, std::equal_to<>> kernels_;
  Trial* trial_ = nullptr;
};

// While one lives nothing is compiled: launches run until the first that lacks code, and none after
// it; what they lack is noted. Under the lock of whoever launches.
class Trial {
 public:
  enum class Kind : bool { run, look };  // look: no launch runs
  struct Missing {
    std::shared_ptr<ProgramKernel> kernel;
    runtime::Device* device = nullptr;
    runtime::LaunchConfig config;
  };

  Trial(KernelTable& table, Kind kind) : table_(table), kind_(kind) { table_.trial_ = this; }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;
  ~Trial() { table_.trial_ = nullptr; }

  bool has_all() const { return missing_.empty(); }
  bool runs() const { return has_all() && kind_ == Kind::run; }
  std::vector<Missing> take_missing() { return std::move(missing_); }

 private:
  friend KernelTable;

  KernelTable& table_;
  Kind kind_;
  std::vector<Missing> missing_;
};

}  // namespace phalanx::arrays
