// The executor that launches kernels, on the default streams of the devices.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "phalanx/arrays/chunk_stream.h"
#include "phalanx/arrays/executor.h"
#include "phalanx/arrays/flat_kernels.h"
#include "phalanx/arrays/kernel_log.h"
#include "phalanx/arrays/kernel_notes.h"
#include "phalanx/arrays/kernel_table.h"
#include "phalanx/arrays/residency.h"
#include "phalanx/arrays/siblings.h"
#include "phalanx/arrays/stepwise.h"

namespace phalanx::arrays {

class Launcher final : public Executor {
 public:
  // Nodes change under the graph's mutex.
  Launcher(
      jit::Engine& engine, std::recursive_mutex& mutex_of_graph, std::shared_ptr<KernelNotes> notes)
      : Executor(engine),
        kernels_(engine, std::move(notes)),
        flat_(kernels_),
        residency_(std::make_shared<Residency>(engine, mutex_of_graph)) {}

  views::DeviceArray allocate(runtime::Device& device, DType dtype, const Extents& shape) override;
  void elementwise(
      const Program& program,
      const Order& order,
      std::span<const views::DeviceArray> outputs,
      Reason why) override;
  std::optional<views::DeviceArray> flat(const FlatExpression& expression, Reason why) override;
  void reduce(const Folding& folding, const views::DeviceArray& output, Reason why) override;
  void scan(const Scanning& given, const views::DeviceArray& output, Reason why) override;
  std::vector<views::DeviceArray> compact(
      runtime::Device& device, const Program& given, Reason why) override;
  void scatter(const Scattering& given, const views::DeviceArray& target, Reason why) override;
  views::DeviceArray routine(
      const Node& node, const std::vector<views::DeviceArray>& operands, Reason why) override;
  views::DeviceArray copy(const views::DeviceArray& array) override;
  void elementwise_to_host(
      const Program& program, const Order& order, const HostTarget& target, Reason why) override;
  std::shared_ptr<HostCopy> make_copy(runtime::Device& device, std::size_t bytes) override {
    return residency_->make_copy(device, bytes);
  }
  bool can_hold(runtime::Device& device, std::uint64_t bytes) override;
  void note(const NodePtr& node) override;
  bool has_spilled() const override { return residency_->has_spilled(); }
  Memory restore(Node& spilled) override { return residency_->restore(spilled); }
  std::vector<NodePtr> siblings_of(const NodePtr& node) override {
    return recent_.siblings_of(node, most_siblings);
  }
  const Rates& rates(runtime::Device& device) override;
  std::optional<MovableMemory> movable(
      const std::shared_ptr<views::SharedMemory>& memory) override {
    return is_written(*memory) ? std::nullopt : residency_->movable(memory);
  }
  void charge(const views::SharedMemory& memory, double seconds) override {
    residency_->add_paid(memory, seconds);
  }
  void bring(const MemoryUse& use, bool with_memory, runtime::Device& device) override;
  // Moves memory that is going to be written to, if kernels that wrote there have lost as much as
  // that takes.
  void follow(const Node& node);
  // In the place of those that would be measured.
  void set_rates(runtime::Device& device, const Rates& rates) { rates_[&device] = rates; }

  const KernelTable& compiled() const { return kernels_; }
  Residency& residency() { return *residency_; }
  RecentArrays& recent() { return recent_; }
  const RecentArrays& recent() const { return recent_; }
  const KernelLog& log() const { return log_; }
  // What would wait for a compiler is computed by single operations, if their kernels are at hand
  // and that takes no longer, while the compiler works in background.
  void set_background_compile(bool is_on) { compiles_in_background_ = is_on; }
  bool background_compile() const { return compiles_in_background_; }
  // Kernels run alone, and the log gets their times. Not for stores, as each kernel runs twice.
  void set_timed(bool is_timed) { is_timed_ = is_timed; }
  std::uint64_t kernels() const { return launched_; }

 private:
  class Timer;
  using Launch = std::function<std::shared_ptr<ProgramKernel>()>;

  // What computes a program in the place of its kernel.
  struct Steps {
    const Program& program;
    runtime::Device& device;
    std::span<const views::DeviceArray> outputs = {};  // for each result
    Order order = {};                                  // of the loops over these
    // Without outputs: launches what reads the results.
    std::function<std::shared_ptr<ProgramKernel>(const Program& results)> launch_last = {};
    Reason why = Reason::wanted;
  };
  struct Launched {
    std::shared_ptr<ProgramKernel> kernel;
    std::optional<Program> program = {};  // of that kernel, if it is not the whole one
    bool is_noted = false;                // all that ran, in the log
  };
  class StepLauncher;

  // Launches once, where kernels are timed once more before, and notes it.
  void run(
      const Launch& launch,
      const Steps& steps,
      std::span<const views::DeviceArray> outputs,
      Reason why);

  // Single operations are run in launcher_steps.cpp.
  Launched launch_or_step(const Launch& launch, const Steps& steps);
  bool step_to_host(
      const Program& program, const Order& order, const HostTarget& target, Reason why);

  void hold(const Program& program, runtime::Device& device);
  void hold(const views::DeviceArray& array, runtime::Device& device);
  std::shared_ptr<ProgramKernel> launch_one(
      const Program& program, const Order& order, std::span<const views::DeviceArray> outputs);
  std::shared_ptr<ProgramKernel> reduce_one(
      const Folding& folding, std::span<const runtime::Address> outputs, runtime::Device& device);

  // Programs that read sources are run in launcher_chunks.cpp.
  Program restored(Program program);
  std::optional<ChunkStream> stream_of(
      const Program& program, runtime::Device& device, ChunkLimits limits);
  std::shared_ptr<ProgramKernel> elementwise_in_chunks(
      const Program& program, const Order& order, std::span<const views::DeviceArray> outputs);
  std::shared_ptr<ProgramKernel> to_host_in_chunks(
      const Program& program, const Order& order, const HostTarget& target);
  // By way of an array of the device, which `launch` fills.
  std::shared_ptr<ProgramKernel> to_host_at_once(
      const Program& program,
      const Order& order,
      const HostTarget& target,
      const std::function<std::shared_ptr<ProgramKernel>(const views::DeviceArray&)>& launch);
  std::optional<ChunkStream> stream_of(const Folding& folding, runtime::Device& device);
  std::shared_ptr<ProgramKernel> reduce_in_chunks(
      const Folding& folding, const views::DeviceArray& output);
  std::shared_ptr<ProgramKernel> reduce_stream(
      ChunkStream& stream, const Folding& folding, const views::DeviceArray& output);

  KernelTable kernels_;
  FlatKernels flat_;
  std::shared_ptr<Residency> residency_;
  RecentArrays recent_;
  KernelLog log_;
  std::uint64_t launched_ = 0;
  std::map<runtime::Device*, Rates> rates_;
  ChunkCounts chunks_;  // of the kernel that is being launched
  bool is_timed_ = false;
  bool compiles_in_background_ = false;
};

}  // namespace phalanx::arrays
