// Gives each kernel of an evaluation its device, and brings what the kernel reads there: to the
// device of what cannot be elsewhere, or to the one that placement.h chooses.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "phalanx/arrays/executor.h"
#include "phalanx/arrays/node.h"
#include "phalanx/arrays/placement.h"
#include "phalanx/arrays/program.h"

namespace phalanx::arrays {

class Placer {
 public:
  // `goal` is where the value is wanted, if it may be anywhere; null: where it is made.
  Placer(Executor& executor, runtime::Device* goal) : executor_(executor), goal_(goal) {}

  // What may be on any device and has no memory below it is computed where `node` is, which reads
  // it and whose placer is `reader`; without a reader on the current device.
  void set_reader(const Placer& reader, const NodePtr& node) {
    reader_ = &reader;
    read_by_ = node;
  }

  // True if the value is wanted on a GPU.
  bool is_for_gpu() const { return goal_ != nullptr && !goal_->is_host(); }
  // True for a value that goes on to be anywhere when it is in memory.
  bool stays_movable(const NodePtr& node) const;
  // Where the node probably will be computed, before that can be known.
  runtime::Device& likely_device(const NodePtr& node) const;

  // The device of the program of those nodes, where all that it reads is then.
  runtime::Device& place(
      const std::vector<NodePtr>& nodes, Program& program, std::int64_t bytes_written);
  // The same for a routine of arrays.
  void place(const Node& routine, std::vector<Memory>& arrays);
  // Brings what a program reads to the device, whatever that costs.
  void bring_to(const std::vector<NodePtr>& nodes, Program& program, runtime::Device& device);

  // True if a value that is to be written to the target takes less time on the other side, from
  // where it then comes.
  bool is_better_elsewhere(
      const NodePtr& value, Program& program, const views::DeviceArray& target);
  // Notes what a kernel loses by writing where the array is.
  void charge_target(const Program& program, const views::DeviceArray& target);

 private:
  using Uses = std::vector<MemoryUse>;
  using RunsOn = std::function<bool(runtime::Device& device)>;

  runtime::Device* fixed_device(const std::vector<NodePtr>& nodes, bool& has_movable) const;
  runtime::Device& choose_device(
      const Work& work, std::int64_t bytes_written, const Uses& uses, const RunsOn& runs_on);
  bool is_tiny_on_host(const Work& work, std::int64_t bytes_written, const Uses& uses) const;
  Choice choose_side(
      const Work& work,
      std::int64_t bytes_written,
      const Uses& uses,
      const BySide<runtime::Device*>& sides);
  void charge(const Uses& uses, const Choice& choice);
  void bring(const Uses& uses, runtime::Device& device);
  runtime::Device& bring_or_stay(const std::function<Uses()>& uses, runtime::Device& device);

  runtime::Device& default_device() const;

  Executor& executor_;
  runtime::Device* goal_;
  const Placer* reader_ = nullptr;
  NodePtr read_by_;
};

}  // namespace phalanx::arrays
