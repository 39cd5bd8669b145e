// The executor that launches kernels, on the default streams of the devices.
#pragma once

#include <cstdint>

#include "phalanx/arrays/executor.h"
#include "phalanx/arrays/kernel_log.h"
#include "phalanx/arrays/kernel_table.h"
#include "phalanx/arrays/siblings.h"

namespace phalanx::arrays {

class Launcher final : public Executor {
 public:
  explicit Launcher(jit::Engine& engine) : Executor(engine), kernels_(engine) {}

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
  views::DeviceArray routine(
      const Node& node, const std::vector<views::DeviceArray>& operands, Reason why) override;
  views::DeviceArray copy(const views::DeviceArray& array) override;
  std::vector<NodePtr> siblings_of(const NodePtr& node) override {
    return recent_.siblings_of(node, most_siblings);
  }

  RecentArrays& recent() { return recent_; }
  const RecentArrays& recent() const { return recent_; }
  const KernelLog& log() const { return log_; }
  // Kernels run alone, and the log gets their times. Not for stores, as each kernel runs twice.
  void set_timed(bool is_timed) { is_timed_ = is_timed; }
  std::uint64_t kernels() const { return launched_; }

 private:
  class Timer;

  KernelTable kernels_;
  RecentArrays recent_;
  KernelLog log_;
  std::uint64_t launched_ = 0;
  bool is_timed_ = false;
};

}  // namespace phalanx::arrays
