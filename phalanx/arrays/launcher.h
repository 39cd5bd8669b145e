// The executor that launches kernels, on the default streams of the devices.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

#include "phalanx/arrays/executor.h"
#include "phalanx/arrays/kernel_log.h"
#include "phalanx/arrays/kernel_table.h"
#include "phalanx/arrays/residency.h"
#include "phalanx/arrays/siblings.h"

namespace phalanx::arrays {

class Launcher final : public Executor {
 public:
  // Nodes change under the graph's mutex.
  Launcher(jit::Engine& engine, std::recursive_mutex& mutex_of_graph)
      : Executor(engine),
        kernels_(engine),
        residency_(std::make_shared<Residency>(engine, mutex_of_graph)) {}

  views::DeviceArray allocate(runtime::Device& device, DType dtype, const Extents& shape) override;
  void elementwise(
      const Program& program,
      const Order& order,
      std::span<const views::DeviceArray> outputs,
      Reason why) override;
  void reduce(const Folding& folding, const views::DeviceArray& output, Reason why) override;
  void scan(const Scanning& scanning, const views::DeviceArray& output, Reason why) override;
  std::vector<views::DeviceArray> compact(
      runtime::Device& device, const Program& program, Reason why) override;
  void scatter(const Scattering& scattering, const views::DeviceArray& target, Reason why) override;
  views::DeviceArray routine(
      const Node& node, const std::vector<views::DeviceArray>& operands, Reason why) override;
  views::DeviceArray copy(const views::DeviceArray& array) override;
  void note(const NodePtr& node) override { residency_->add(node); }
  bool has_spilled() const override { return residency_->has_spilled(); }
  Memory restore(Node& spilled) override { return residency_->restore(spilled); }
  std::vector<NodePtr> siblings_of(const NodePtr& node) override {
    return recent_.siblings_of(node, most_siblings);
  }

  Residency& residency() { return *residency_; }
  RecentArrays& recent() { return recent_; }
  const RecentArrays& recent() const { return recent_; }
  const KernelLog& log() const { return log_; }
  // Kernels run alone, and the log gets their times. Not for stores, as each kernel runs twice.
  void set_timed(bool is_timed) { is_timed_ = is_timed; }
  std::uint64_t kernels() const { return launched_; }

 private:
  class Timer;
  using Launch = std::function<std::shared_ptr<ProgramKernel>()>;

  // Launches once, where kernels are timed once more before, and notes it.
  void run(
      const Launch& launch,
      const Program& program,
      std::span<const views::DeviceArray> outputs,
      Reason why);

  void hold(const Program& program, runtime::Device& device);

  KernelTable kernels_;
  std::shared_ptr<Residency> residency_;
  RecentArrays recent_;
  KernelLog log_;
  std::uint64_t launched_ = 0;
  bool is_timed_ = false;
};

}  // namespace phalanx::arrays
