// The executor that runs nothing: which kernels an array's value would take.
#pragma once

#include <unordered_map>
#include <utility>
#include <vector>

#include "phalanx/arrays/executor.h"
#include "phalanx/arrays/kernel_log.h"
#include "phalanx/arrays/siblings.h"

namespace phalanx::arrays {

// Works on copies of the recorded nodes, which stay recorded, and on arrays without memory.
class DryRun final : public Executor {
 public:
  DryRun(jit::Engine& engine, const RecentArrays& recent, const KernelLog& log)
      : Executor(engine), recent_(recent), log_(log) {}

  // The kernels that give the node its value, in the order in which they run, after those of the
  // log that made what they read.
  std::vector<KernelRecord> explain(const NodePtr& node);

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
  void elementwise_to_host(
      const Program& program, const Order& order, const HostTarget& target, Reason why) override;
  std::shared_ptr<HostCopy> make_copy(runtime::Device& /*device*/, std::size_t /*bytes*/) override {
    return nullptr;
  }
  bool can_hold(runtime::Device& /*device*/, std::uint64_t /*bytes*/) override { return true; }
  void note(const NodePtr& /*node*/) override {}
  bool has_spilled() const override { return false; }
  Memory restore(Node& spilled) override;
  bool is_shared(const NodePtr& node) const override;
  std::vector<NodePtr> siblings_of(const NodePtr& node) override;

 private:
  NodePtr copy_of(const NodePtr& node);
  void add(
      KernelRecord record,
      std::span<const views::DeviceArray> inputs,
      std::span<const views::DeviceArray> outputs);

  const RecentArrays& recent_;
  const KernelLog& log_;
  std::unordered_map<const Node*, NodePtr> copies_;
  std::unordered_map<const Node*, NodePtr> originals_;  // by the copy
  runtime::Address next_ = runtime::Address{1} << 60;   // where nothing is
  std::unordered_map<const views::SharedMemory*, std::size_t> made_by_;
  std::vector<KernelRecord> records_;
};

}  // namespace phalanx::arrays
