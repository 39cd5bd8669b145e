// Which arrays are in memory and who made them; moves idle ones to the host to make room, and those
// that may be anywhere to where they are wanted.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "phalanx/arrays/node.h"
#include "phalanx/base/export.h"
#include "phalanx/base/source.h"
#include "phalanx/jit/engine.h"
#include "phalanx/runtime/memory_account.h"

namespace phalanx::arrays {

// The line of the caller's program at which memory was allocated: told later than it is asked for.
class PHX_API Origin {
 public:
  void set(SourceLine line) {
    const std::lock_guard lock(mutex_);
    line_ = std::move(line);
  }
  SourceLine line() const {
    const std::lock_guard lock(mutex_);
    return line_;
  }

 private:
  mutable std::mutex mutex_;
  SourceLine line_;
};

// Memory of the host for elements of a device's array.
class HostCopy : public Source {
 public:
  explicit HostCopy(runtime::Buffer made) : buffer_(std::move(made)) {}

  std::size_t bytes() const final { return buffer_.size(); }
  const std::byte* host() const final { return static_cast<const std::byte*>(buffer_.host()); }
  std::byte* host_to_write() { return static_cast<std::byte*>(buffer_.host()); }

 protected:
  const runtime::Buffer& buffer() const { return buffer_; }

 private:
  runtime::Buffer buffer_;
};

// Memory that can move with all arrays in it.
struct MovableMemory {
  std::int64_t bytes = 0;
  double paid = 0;  // seconds that kernels have lost as it was not on the other side
};

struct SpillStatistics {
  std::uint64_t spilled_bytes = 0;  // now
  std::uint64_t spills = 0;         // arrays so far
  std::uint64_t restores = 0;
};

// An array is idle while nobody has its memory but nodes: no kernel that is being launched, no
// object of the caller's. What was exported stays in place. Kernels that run need no care, since
// copies and frees follow them in the stream.
class PHX_API Residency final : public runtime::MemoryReclaimer,
                                public std::enable_shared_from_this<Residency> {
 public:
  // Smaller memory is not noted, which would cost a quarter of what such an array costs.
  static constexpr std::size_t least_bytes = 16384;
  // Who is computed of less is not noted, which would cost a tenth of what recording it costs.
  static constexpr std::size_t least_held = std::size_t{256} << 10;
  using Locate = std::function<void(const std::shared_ptr<Origin>&)>;

  // Nodes change under the graph's mutex.
  Residency(jit::Engine& engine, std::recursive_mutex& mutex_of_graph)
      : engine_(&engine), mutex_of_graph_(&mutex_of_graph) {}

  // Who finds the lines at which arrays are made; to be set before the first array.
  void set_locate(Locate locate) { locate_ = std::move(locate); }

  // A node that is in memory now.
  void add(const NodePtr& node);
  // A node whose elements are in a source that nobody writes to; its memory's bytes are the
  // source's.
  void add_source(const NodePtr& node);
  // A node of elements on the host that the caller has written, in a copy that make_copy() gave.
  void add_copy(const NodePtr& node);
  void touch(views::SharedMemory& memory) { memory.last_use = ++clock_; }

  // How many bytes of a device's memory may be in use by pending nodes alone (held_memory.h).
  static std::uint64_t most_held(runtime::Device& device);
  // True after half of that was allocated, until begin_growth() is called.
  bool has_grown() const { return has_grown_.load(std::memory_order_relaxed); }
  void begin_growth();

  // Under the graph's lock, as what follows.
  bool has_spilled() const { return has_sources_ || counters_->spilled_bytes != 0; }
  // Brings a spilled node's elements back, for all nodes that share them.
  Memory restore(Node& node);
  // The same for all nodes of that memory.
  void restore(const Spilled& spilled);
  // Memory of the host for an array of the device; null where there is no room.
  std::shared_ptr<HostCopy> make_copy(runtime::Device& device, std::size_t bytes);

  // Least recently used arrays first. Nothing where another thread has the graph's lock: waiting
  // for it here could wait for who waits for this thread.
  std::uint64_t reclaim(runtime::Device& device, std::uint64_t bytes) override;
  std::string holders(runtime::Device& device) override;

  SpillStatistics statistics() const;

  // Nothing where the memory must stay on its device: it was exported, or is not known.
  std::optional<MovableMemory> movable(const std::shared_ptr<views::SharedMemory>& memory) const;
  // Seconds that kernels lost as the memory was not elsewhere; null: none any more.
  void add_paid(const views::SharedMemory& memory, std::optional<double> seconds);
  // Moves the memory and all arrays in it, and tells where it was. Nothing where somebody uses it;
  // the caller's one pointer does not count. Throws OutOfMemoryError.
  std::optional<runtime::Address> move(
      const std::shared_ptr<views::SharedMemory>& memory, runtime::Device& device);

 private:
  struct Counters {
    std::atomic<std::uint64_t> spilled_bytes = 0;
    std::atomic<std::uint64_t> pinned_bytes = 0;  // of those
    std::atomic<std::uint64_t> spills = 0;
    std::atomic<std::uint64_t> restores = 0;

    void count(const runtime::Buffer& copy);
    void discount(const runtime::Buffer& copy);
  };
  class Copy;

  struct Entry {
    std::weak_ptr<views::SharedMemory> memory;
    std::vector<std::weak_ptr<Node>> nodes;  // that have the memory, and some that had it
    std::size_t next_cleaning = 8;
    runtime::Device* device = nullptr;
    std::size_t bytes = 0;
    runtime::Address begin = 0;
    bool is_spilled = false;
    double paid = 0;   // of MovableMemory
    ir::Type element;  // as the shape, of the first node
    ShapePtr shape;
    std::shared_ptr<Origin> origin;
    std::shared_ptr<const Source> source;  // that stays as it is; null: none

    void add(const NodePtr& node);
  };
  struct Idle {
    std::shared_ptr<views::SharedMemory> memory;
    std::vector<NodePtr> nodes;
    std::shared_ptr<const Source> source;
  };

  Entry make_entry(const Node& node, const views::DeviceArray& array, std::size_t bytes) const;
  // Gives the entry's origin where it is a new one.
  std::shared_ptr<Origin> note(
      const NodePtr& node, const views::DeviceArray& array, std::size_t bytes);
  void clean();
  void ask_for_memory_of(runtime::Device& device);
  std::optional<Idle> idle_in(
      const Entry& entry, std::shared_ptr<views::SharedMemory> memory, long others) const;
  std::vector<Idle> idle_of(runtime::Device& device) const;
  std::uint64_t spill(const Idle& idle);
  std::vector<NodePtr> nodes_of(const views::SharedMemory& memory) const;
  void set_spilled(const views::SharedMemory& memory, bool is_spilled);

  jit::Engine* engine_;
  std::recursive_mutex* mutex_of_graph_;
  Locate locate_;
  std::atomic<std::uint64_t> clock_ = 0;
  std::shared_ptr<Counters> counters_ = std::make_shared<Counters>();
  mutable std::mutex mutex_;  // of the rest
  std::unordered_map<const views::SharedMemory*, Entry> entries_;
  std::size_t next_cleaning_ = 64;
  std::vector<runtime::Device*> devices_;  // that ask here for memory
  std::uint64_t growth_ = 0;               // bytes of new memory
  std::atomic<bool> has_grown_ = false;
  std::atomic<bool> has_sources_ = false;  // there were some
};

}  // namespace phalanx::arrays
