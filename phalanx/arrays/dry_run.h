// The executor that runs nothing: which kernels an array's value would take.
#pragma once

#include <unordered_map>
#include <utility>
#include <vector>

#include "phalanx/arrays/executor.h"
#include "phalanx/arrays/launcher.h"

namespace phalanx::arrays {

// Works on copies of the recorded nodes, which stay recorded, and on arrays without memory.
class DryRun final : public Executor {
 public:
  // Tells what that launcher would do.
  explicit DryRun(Launcher& launcher)
      : Executor(launcher.engine()),
        launcher_(launcher),
        recent_(launcher.recent()),
        log_(launcher.log()) {}

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
  bool can_hold(runtime::Device& device, std::uint64_t bytes) override {
    return launcher_.can_hold(device, bytes);
  }
  void note(const NodePtr& /*node*/) override {}
  bool has_spilled() const override { return false; }
  Memory restore(Node& spilled) override;
  bool is_shared(const NodePtr& node) const override;
  std::vector<NodePtr> siblings_of(const NodePtr& node) override;
  const Rates& rates(runtime::Device& device) override { return launcher_.rates(device); }
  runtime::Device& device_of(const views::DeviceArray& array) const override;
  std::optional<MovableMemory> movable(const std::shared_ptr<views::SharedMemory>& memory) override;
  void charge(const views::SharedMemory& /*memory*/, double /*seconds*/) override {}
  void bring(const MemoryUse& use, bool with_memory, runtime::Device& device) override;

 private:
  NodePtr copy_of(const NodePtr& node);
  void add(
      KernelRecord record,
      std::span<const views::DeviceArray> inputs,
      std::span<const views::DeviceArray> outputs);

  Launcher& launcher_;
  const RecentArrays& recent_;
  const KernelLog& log_;
  std::unordered_map<const Node*, NodePtr> copies_;
  std::unordered_map<const Node*, NodePtr> originals_;  // by the copy
  runtime::Address next_ = runtime::Address{1} << 60;   // where nothing is
  std::unordered_map<const views::SharedMemory*, std::size_t> made_by_;
  std::unordered_map<const views::SharedMemory*, std::int64_t> sizes_;  // of what it made
  std::unordered_map<const views::SharedMemory*, runtime::Device*> moved_;
  std::vector<KernelRecord> records_;
};

}  // namespace phalanx::arrays
