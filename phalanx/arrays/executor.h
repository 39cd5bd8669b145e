// What an evaluation does with what it has decided on: launch it, or only note it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "phalanx/arrays/nest.h"
#include "phalanx/arrays/node.h"
#include "phalanx/arrays/placement.h"
#include "phalanx/arrays/program.h"
#include "phalanx/arrays/reduce_kernel.h"
#include "phalanx/arrays/residency.h"
#include "phalanx/arrays/scan_kernel.h"
#include "phalanx/arrays/scatter_kernel.h"
#include "phalanx/jit/engine.h"

namespace phalanx::arrays {

class FlatExpression;

// Why a value is computed by a kernel of its own.
enum class Reason : std::uint8_t {
  wanted,
  reduction,
  memory,
  repeated,
  viewed,
  again,
  parameters,
  held,
  part,
  compiling,
  not_compiled
};

std::string_view to_string(Reason reason);

// Arrays that one kernel computes together with the one that was asked for.
constexpr std::size_t most_siblings = 7;

// Memory of the host, for what a device computes.
struct HostTarget {
  runtime::Device* device = nullptr;
  DType dtype = DType::boolean;
  std::byte* host = nullptr;
  std::shared_ptr<views::SharedMemory> memory;  // whose name the log takes
};

// What a kernel reads of one memory.
struct MemoryUse {
  std::vector<Memory*> arrays;  // those that it reads, which bring() changes
  runtime::Address low = 0;     // the bytes that it reads
  runtime::Address high = 0;
  runtime::Device* device = nullptr;

  std::int64_t bytes() const { return static_cast<std::int64_t>(high - low); }
};

class Executor {
 public:
  explicit Executor(jit::Engine& engine) : engine_(&engine) {}
  virtual ~Executor() = default;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  jit::Engine& engine() const { return *engine_; }

  virtual views::DeviceArray allocate(
      runtime::Device& device, DType dtype, const Extents& shape) = 0;
  // One output for each result of the program. `order` is of the loops.
  virtual void elementwise(
      const Program& program,
      const Order& order,
      std::span<const views::DeviceArray> outputs,
      Reason why) = 0;
  // The short way for an expression (flat_expression.h). Nothing where it has none, or no room.
  virtual std::optional<views::DeviceArray> flat(
      const FlatExpression& /*expression*/, Reason /*why*/) {
    return std::nullopt;
  }
  virtual void reduce(const Folding& folding, const views::DeviceArray& output, Reason why) = 0;
  virtual void scan(const Scanning& scanning, const views::DeviceArray& output, Reason why) = 0;
  // The elements of each other result where the first one is true: arrays of one dimension.
  virtual std::vector<views::DeviceArray> compact(
      runtime::Device& device, const Program& program, Reason why) = 0;
  // `target` is the view of the program's space that the places are counted from.
  virtual void scatter(
      const Scattering& scattering, const views::DeviceArray& target, Reason why) = 0;
  virtual views::DeviceArray routine(
      const Node& node, const std::vector<views::DeviceArray>& operands, Reason why) = 0;
  virtual views::DeviceArray copy(const views::DeviceArray& array) = 0;
  // Writes the program's one result to memory of the host, without gaps in that order of the
  // dimensions, and waits for it.
  virtual void elementwise_to_host(
      const Program& program, const Order& order, const HostTarget& target, Reason why) = 0;
  // Memory of the host for an array for which the device has no room; null where there is none.
  virtual std::shared_ptr<HostCopy> make_copy(runtime::Device& device, std::size_t bytes) = 0;
  // True if operands of that many bytes can be in the device's memory at once, beside results.
  virtual bool can_hold(runtime::Device& device, std::uint64_t bytes) = 0;
  // The node has come to memory, or to a copy that make_copy() gave.
  virtual void note(const NodePtr& node) = 0;
  // True if there are nodes that were spilled.
  virtual bool has_spilled() const = 0;
  virtual Memory restore(Node& spilled) = 0;
  // True if somebody else has the node than the one that it is an operand of.
  virtual bool is_shared(const NodePtr& node) const { return node.use_count() > 1; }
  // Recorded values that the node's kernel may compute too.
  virtual std::vector<NodePtr> siblings_of(const NodePtr& node) = 0;

  // Where kernels run and what they read, if that may be chosen (placement.h).
  virtual const Rates& rates(runtime::Device& device) = 0;
  virtual runtime::Device& device_of(const views::DeviceArray& array) const {
    return *array.device;
  }
  // Nothing for memory that must stay where it is.
  virtual std::optional<MovableMemory> movable(
      const std::shared_ptr<views::SharedMemory>& memory) = 0;
  // A kernel has lost so many seconds as the memory was not on the other side.
  virtual void charge(const views::SharedMemory& memory, double seconds) = 0;
  // What the kernel reads comes to that device: with its memory if that is movable and wanted, else
  // as a copy. Throws OutOfMemoryError, and leaves all as it was.
  virtual void bring(const MemoryUse& use, bool with_memory, runtime::Device& device) = 0;
  // Memory that a kernel is going to write to: it stays where it is until then.
  void set_written(const views::SharedMemory* memory) { written_ = memory; }
  // How the next kernel came to its device.
  void set_placed(const Placed& placed) { placed_ = placed; }

 protected:
  bool is_written(const views::SharedMemory& memory) const { return &memory == written_; }
  Placed take_placed() { return std::exchange(placed_, Placed()); }

 private:
  jit::Engine* engine_;
  Placed placed_;
  const views::SharedMemory* written_ = nullptr;
};

}  // namespace phalanx::arrays
