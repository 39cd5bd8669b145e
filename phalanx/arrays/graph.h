// Records what is computed of arrays, and computes it when it is looked at.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "phalanx/arrays/graph_lock.h"
#include "phalanx/arrays/kernel_record.h"
#include "phalanx/arrays/node.h"
#include "phalanx/arrays/siblings.h"
#include "phalanx/base/export.h"
#include "phalanx/jit/engine.h"

namespace phalanx::libs {
class Products;
}

namespace phalanx::arrays {

class HeldMemory;
class Launcher;
class Residency;
struct Scatter;

struct GraphStatistics {
  std::uint64_t kernels = 0;  // launched
};

class PHX_API Graph {  // one per engine; thread-safe
 public:
  // Guards how nodes are made and which arrays share elements.
  using Lock = GraphLock;
  using Aside = GraphMutex::Aside;

  // Products are those of the process's libraries where none are given.
  explicit Graph(
      jit::Engine& engine,
      Aside aside = [](const auto& wait) { wait(); },
      std::shared_ptr<libs::Products> products = nullptr);
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  jit::Engine& engine() const { return *engine_; }
  // Libraries that multiply matrices.
  libs::Products& products() { return *products_; }

  // Recording. Shapes and devices are checked at once: ShapeError names both shapes, ValueError
  // both devices.
  NodePtr memory(views::DeviceArray array) const;
  // The same of memory that may move, and that meets arrays of any device.
  NodePtr movable_memory(views::DeviceArray array) const;
  // An array of the device whose elements are in a source, in C order, until they are needed.
  NodePtr source(
      runtime::Device& device,
      const ir::Type& element,
      const Extents& shape,
      std::shared_ptr<const Source> source) const;
  // The same for elements that the device has no room for: a copy of them. Null where the host has
  // none either.
  NodePtr copied_to_host(
      runtime::Device& device,
      const ir::Type& element,
      const Extents& shape,
      const void* host) const;
  NodePtr number(const ir::Type& element, const ir::Constant& value) const;
  NodePtr positions(ShapePtr shape, const Positions& positions) const;
  // `element` is what the result means where it is a time, for which the function gives a count.
  NodePtr call(
      const Function& function,
      std::span<const NodePtr> operands,
      const std::optional<ir::Type>& element = {});
  // Throws std::overflow_error for units of time that are too far apart.
  NodePtr cast(const NodePtr& node, const ir::Type& element);
  // The same truth for all: elements of its own, which may be written to.
  NodePtr filled(bool truth, const Extents& shape);
  // The same elements, broadcast, in memory of its own; on that device where one is given.
  NodePtr copied(const NodePtr& node, const Extents& shape, runtime::Device* device = nullptr);
  NodePtr view(const NodePtr& base, Extents shape, std::vector<Axis> axes) const;
  // Indices that have been checked. The node's device is that of all arrays.
  NodePtr gather(Gather gather, Extents shape);
  NodePtr broadcast(const NodePtr& node, const Extents& shape) const;
  NodePtr reshape(const NodePtr& node, Extents shape);  // of as many elements
  // Folds the dimensions of `is_reduced`, which the result does not have. Throws ValueError for
  // an empty array and a reduction without identity, TypeError where there is no such reduction.
  NodePtr reduce(
      const NodePtr& operand, std::string_view name, DType dtype, std::vector<bool> is_reduced);
  // Folds what is up to each element along the dimension. Throws TypeError where there is no such
  // fold of one number.
  NodePtr scan(const NodePtr& operand, std::string_view name, std::size_t axis);
  // The parts' elements, converted. Null for parts of several devices, or of any (placement.h):
  // what they are copied to has one.
  NodePtr concatenation(Concatenation parts, const ir::Type& element, ShapePtr shape);
  NodePtr routine(Routine routine, DType dtype, ShapePtr shape);

  // The node's elements in memory, queued on the default stream of its device. `goal` is where they
  // are wanted, which counts where that device can be chosen, unless a graph is recorded, which has
  // one; null: where they are made.
  Memory evaluate(const NodePtr& node, runtime::Device* goal = nullptr);
  // Writes the node's elements to memory of the host in C order, and waits for it. They need no
  // room in the device's memory.
  void read(const NodePtr& node, void* host);
  // The elements of each value where the mask (bool) is true, in C order. All are broadcast to one
  // shape; the results have one dimension, and are computed now.
  std::vector<NodePtr> compact(const NodePtr& mask, const std::vector<NodePtr>& values);
  // Lets memory that may be anywhere move before it is written to, if that has paid off.
  void follow(const NodePtr& node);
  // Writes the value's elements to that memory, in which they are converted and broadcast. Reads as
  // if all of the value was computed before. `release` is called when the kernel is made and before
  // it runs: who else still needs what is there now can copy it.
  void store(NodePtr value, const Memory& target, const std::function<void()>& release);
  // Writes to elements of that memory, likewise.
  void scatter(Scatter scatter, const Memory& target, const std::function<void()>& release);
  // A copy of what is there now, queued.
  views::DeviceArray copy(const views::DeviceArray& array);
  // Gives a value in memory other memory, of the same elements: who has recorded it reads them
  // there.
  void replace_by(const NodePtr& value, views::DeviceArray array);
  void replace_by_copy(const NodePtr& value) { replace_by(value, copy(*evaluate(value))); }

  // A pending array that may be computed together with others.
  void note(const std::shared_ptr<Cell>& cell);
  // One whose value has_memory.
  void note_holder(const std::shared_ptr<Cell>& cell);

  // The kernels that gave the node its value, or would give it, in their order. Runs none. Of those
  // that ran the last KernelLog::capacity are known.
  std::vector<KernelRecord> explain(const NodePtr& node) const;
  // Evaluates the node, one kernel after the other; the records tell how long each took.
  std::vector<KernelRecord> time(const NodePtr& node);

  // Values whose kernel would have to be compiled are computed by single operations, where those
  // are at hand, while a background thread compiles it. Off unless it is set.
  void set_background_compile(bool is_on);
  bool background_compile() const;

  GraphStatistics statistics() const;
  // All that programs have been compiled to so far.
  std::vector<std::shared_ptr<jit::Kernel>> kernels() const;

  Lock locked() const { return GraphLock(*mutex_); }
  // With the notes of kernels, and who tells them.
  GraphMutex& mutex() { return *mutex_; }
  // Which arrays are in memory.
  Residency& residency() const;
  // How fast a device is: measured at the first question, unless it was set.
  Rates rates(runtime::Device& device) const;
  void set_rates(runtime::Device& device, const Rates& rates) const;

 private:
  NodePtr add_memory(views::DeviceArray array, runtime::Device* device) const;
  bool may_be_anywhere(const NodePtr& node) const;
  void limit(std::span<const NodePtr> operands);
  // Before a value is computed: what a graph that is recorded has to do with it (capture.h).
  void prepare(const NodePtr& value);
  void release_held();
  NodePtr bytes_of(const Scatter& scatter, const views::DeviceArray& target);

  jit::Engine* engine_;
  std::shared_ptr<libs::Products> products_;
  std::unique_ptr<GraphMutex> mutex_;  // of the nodes and the launcher
  std::unique_ptr<Launcher> launcher_;
  std::unique_ptr<HeldMemory> held_;
};

// The same memory as one of such elements: that of times is computed as memory of counts.
Memory with_element(jit::Engine& engine, Memory memory, const ir::Type& element);

std::string to_string(const Extents& shape);

// The device of both, of which null is any. Throws ValueError for two that differ.
runtime::Device* one_device(runtime::Device* one, runtime::Device* other);

}  // namespace phalanx::arrays
