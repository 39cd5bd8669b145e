// How recorded nodes become kernels: what is computed first, what goes into one program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "phalanx/arrays/executor.h"
#include "phalanx/arrays/node.h"
#include "phalanx/arrays/placer.h"
#include "phalanx/arrays/program.h"
#include "phalanx/arrays/regions.h"
#include "phalanx/arrays/row_fusion.h"

namespace phalanx::arrays {

// Where a value may be when it has been computed: on the host, too, if the device has no room.
enum class Place : bool { memory, anywhere };

// An array that is written to, and the view of it that the places are counted from.
struct WrittenArray {
  const views::DeviceArray& whole;
  const views::DeviceArray& view;
};

// If reductions of rows may be folded on the way.
enum class Rows : bool { apart, folded };

// If a value may be computed by a kernel for each of its regions (regions.h).
enum class Cut : bool { refused, allowed };

struct RegionProgram {
  Region region;
  Program program;
};

// What the pending nodes below another one are.
struct Below {
  NodePtr node;  // that is computed
  bool has_reductions = false;
  bool has_concatenations = false;
  bool is_cut = false;  // settle() chose so, where it was allowed
};

// Computes one node, under the lock of the graph that the nodes are of.
class Evaluation {
 public:
  // `goal` is where the value is wanted, if it may be anywhere; null: where it is made.
  Evaluation(
      Executor& executor, Reason why, Place place = Place::memory, runtime::Device* goal = nullptr)
      : executor_(executor), placer_(executor, goal), why_(why), place_(place) {}

  Memory evaluate(const NodePtr& node);
  // The node becomes one of memory, or a spilled one.
  void place(const NodePtr& node);
  // Writes the elements to memory of the host, in C order.
  void read(const NodePtr& node, std::byte* host);
  // The elements of each value where the mask (bool) is true. All have one shape.
  std::vector<views::DeviceArray> compact(const NodePtr& mask, const std::vector<NodePtr>& values);
  // Writes the value to new memory of its dtype and shape.
  void write(const NodePtr& value, const views::DeviceArray& target);
  // The same to an array's memory. See Graph::store.
  void store(NodePtr value, const Memory& target, const std::function<void()>& release);
  // Writes where and what the nodes tell, which are the results of the program that `scattering`
  // lacks. See Graph::scatter.
  void scatter(
      Scattering scattering,
      std::vector<NodePtr> nodes,
      const WrittenArray& target,
      const std::function<void()>& release);

 private:
  using Done = std::unordered_map<const Node*, bool>;

  Memory evaluate_here(const NodePtr& node);
  Memory evaluate(const NodePtr& node, Reason why);
  void place(const NodePtr& node, Reason why);
  Evaluation below(Reason why, Place place) const;
  bool try_evaluate(const NodePtr& node, Reason why);
  void finish(const NodePtr& node, views::DeviceArray array);
  bool shares_elements(const Node& node) const;
  void settle(const NodePtr& node, Rows rows = Rows::folded, Cut cut = Cut::refused);
  void settle_each(const std::vector<NodePtr>& nodes);
  NodePtr copy_of(const NodePtr& node);
  NodePtr apart(NodePtr node, const views::DeviceArray& written);
  void count_uses(const Node& node);
  void settle_below(const Node& node, std::int64_t space, Done& done);
  void settle_operand(const NodePtr& operand, bool is_viewed, std::int64_t space, Done& done);
  std::optional<Reason> why_apart(const Node& operand, bool is_viewed, std::int64_t space) const;
  void compute_operands(const Node& node);
  void note_inlined();

  bool compute_flat(const NodePtr& node);
  void compute(const NodePtr& node);
  void compute_elementwise(const NodePtr& node);
  std::pair<std::vector<NodePtr>, Program> together(const NodePtr& node);
  std::vector<views::DeviceArray> allocate(
      runtime::Device& device, const std::vector<NodePtr>& nodes);
  views::DeviceArray viewed(const Node& node);
  views::DeviceArray computed(const Node& node, const Reduce& reduce);
  views::DeviceArray computed_by_rows(const Node& node, const NodePtr& operand, Program program);
  views::DeviceArray computed(const Node& node, const Scan& scan);
  void compute_reshape(const NodePtr& node, const Reshape& reshape);
  views::DeviceArray computed(const Node& node, const Routine& routine);
  views::DeviceArray in_order(views::DeviceArray array, const Order& order) const;
  // Concatenations are treated in evaluation_of_parts.cpp.
  void settle_parts(const NodePtr& node, bool is_viewed, std::int64_t space, Done& done);
  void compute_parts(const NodePtr& node);
  std::vector<RegionProgram> programs_of_regions(const NodePtr& node);
  // What is not in the device's memory is treated in evaluation_of_sources.cpp.
  std::vector<Memory> restored_below(const std::vector<NodePtr>& nodes);
  bool can_hold(const std::vector<NodePtr>& nodes);
  bool shows_source(const Node& node) const;
  NodePtr passing_view(const Node& node) const;
  SpilledPtr source_of(const Node& node) const;
  bool read_source(const Node& node, std::byte* host) const;
  bool reshape_source(const NodePtr& node, const Reshape& reshape);
  bool compute_on_host(const NodePtr& node, const Program& program, runtime::Device& device);
  void finish(const NodePtr& node, SpilledPtr spilled);
  Program program_of(const std::vector<NodePtr>& nodes);
  Program program_of(const NodePtr& node) { return program_of(std::vector{node}); }

  Executor& executor_;
  Placer placer_;
  Reason why_;
  Place place_;
  std::unordered_map<const Node*, unsigned> uses_;
  Below below_;                   // the node
  RowFusion rows_;                // what its kernel folds
  std::vector<NodePtr> inlined_;  // what the kernel will compute on its way
};

}  // namespace phalanx::arrays
