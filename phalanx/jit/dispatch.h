// From the types of a launch's arguments to the kernel for them, and to its code on a device.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "phalanx/base/export.h"
#include "phalanx/jit/engine.h"
#include "phalanx/jit/launch.h"
#include "phalanx/jit/plan.h"
#include "phalanx/jit/signature.h"

namespace phalanx::jit {

// The kernels of one function. Thread-safe; `make` and `build` are called without a lock.
class PHX_API Dispatch {
 public:
  // Makes the kernel for types of arguments that were not seen before. Where two threads make one
  // for the same types, the first stays.
  using Make = std::function<std::shared_ptr<Kernel>(const std::vector<ir::Type>& types)>;
  // Gives the code for a launch, as Kernel::executable does, which is the default.
  using Build = std::function<std::shared_ptr<runtime::Executable>(
      const std::shared_ptr<const Plan>& plan,
      runtime::Device& device,
      const runtime::LaunchConfig& config)>;

  // Asked for the engine when it is first needed: who defines a function makes no engine, which
  // reads the environment once.
  using EngineSource = std::function<Engine&()>;

  Dispatch(EngineSource engine, std::string name, Make make, Build build = nullptr);

  const std::string& name() const { return name_; }
  Engine& engine() const { return engine_(); }

  std::shared_ptr<Kernel> kernel_for(const std::vector<ir::Type>& types);
  // How arguments of these types are packed, for which kernel. Throws TypeError where there is no
  // signature for them.
  std::shared_ptr<const Plan> plan_for(std::span<const Argument> arguments);
  std::shared_ptr<runtime::Executable> build(
      const std::shared_ptr<const Plan>& plan,
      runtime::Device& device,
      const runtime::LaunchConfig& config) const;

  struct Entry {
    std::vector<ir::Type> types;  // as they were asked for
    std::shared_ptr<Kernel> kernel;
  };
  std::vector<Entry> kernels() const;  // in the order they were made

  void set_signatures(std::vector<Signature> signatures);  // drops all kernels
  void forget();                                           // drops all kernels
  // Another number after kernels were dropped.
  std::uint64_t generation() const { return generation_; }

  // True if callers of ConfiguredDispatch::prepare hold a lock of their own, Python's GIL: a second
  // one would cost a launch some nanoseconds. Set before the first launch.
  void set_callers_take_turns(bool take_turns) { callers_take_turns_ = take_turns; }
  bool callers_take_turns() const { return callers_take_turns_; }

  // True if small grids are warned of: not those of the library's own kernels.
  void set_advises(bool advises) { advises_ = advises; }
  // Advice for users in one sentence: once each, and where the engine's settings say so.
  std::optional<std::string> advise_on_occupancy(
      const runtime::Device& device, const runtime::LaunchConfig& config);
  std::optional<std::string> advise_on_copies();

 private:
  struct Dropped;

  // The generation: of what `types` were found by.
  std::shared_ptr<Kernel> kernel_for(const std::vector<ir::Type>& types, std::uint64_t generation);
  std::shared_ptr<Kernel> find_locked(const std::vector<ir::Type>& types) const;
  Dropped drop_locked();

  EngineSource engine_;
  std::string name_;
  Make make_;
  Build build_;
  mutable std::mutex mutex_;
  std::vector<Signature> signatures_;
  std::vector<Entry> entries_;
  std::vector<std::shared_ptr<const Plan>> plans_;
  std::atomic<std::uint64_t> generation_ = 1;
  bool callers_take_turns_ = false;
  std::atomic<bool> advises_ = true;
  std::atomic<bool> told_of_occupancy_ = false;
  std::atomic<bool> told_of_copies_ = false;
};

// A Dispatch::Build whose launches do not wait for the compiler where a substitute can run:
// Kernel::ready. Later launches get the better code once it is there. When that is decides which
// code runs: time, and the order in which floats are added up, may differ from run to run.
std::shared_ptr<runtime::Executable> build_or_substitute(
    const std::shared_ptr<const Plan>& plan,
    runtime::Device& device,
    const runtime::LaunchConfig& config);

// A launch that can start. Nothing changes it: whoever holds one can launch with it.
struct PreparedLaunch {
  LaunchSite site;
  std::shared_ptr<const Plan> plan;
  std::shared_ptr<runtime::Executable> executable;
  std::uint64_t generation = 0;  // of the dispatch, before the plan was found
  std::uint64_t changes = 0;     // Kernel::changes, before the code was asked for
};

// One launch configuration of a function, and what its last launch used. Thread-safe.
class PHX_API ConfiguredDispatch {
 public:
  // `stream`: null for the default stream of the device that is current at the launch.
  ConfiguredDispatch(
      std::shared_ptr<Dispatch> dispatch,
      const runtime::LaunchConfig& config,
      std::shared_ptr<runtime::Stream> stream);

  Dispatch& dispatch() const { return *dispatch_; }
  const std::shared_ptr<runtime::Stream>& stream() const { return stream_; }
  runtime::LaunchConfig config() const;
  void set_cooperative(bool is_cooperative) { is_cooperative_ = is_cooperative; }

  // What runs for these arguments on the calling thread's device, or in the graph that the thread
  // records; made and compiled where there is none yet.
  std::shared_ptr<const PreparedLaunch> prepare(std::span<const Argument> arguments);

 private:
  runtime::Device& device() const;
  bool is_current(const PreparedLaunch& launch) const;
  LaunchSite site() const;
  std::shared_ptr<const PreparedLaunch> last() const;
  void set_last(std::shared_ptr<const PreparedLaunch> launch);
  std::shared_ptr<const PreparedLaunch> prepared_anew(
      const PreparedLaunch& last, std::span<const Argument> arguments) const;

  std::shared_ptr<Dispatch> dispatch_;
  runtime::LaunchConfig config_;  // but for what follows
  std::atomic<bool> is_cooperative_;
  std::shared_ptr<runtime::Stream> stream_;
  mutable std::mutex mutex_;
  std::shared_ptr<const PreparedLaunch> last_;
};

}  // namespace phalanx::jit
