// Arrays in a graph of launches: what the thread that records one computes of arrays is launched
// into it, to be done again by each launch of the graph, in memory that stays where it is.
//
// Arrays that are read or written meanwhile become bound (array.h), so that later assignments to
// them are seen by launches; what was recorded of arrays before is computed at once, not by the
// graph. At the end all arrays that were made meanwhile, and that somebody has, are computed too.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <unordered_set>
#include <utility>
#include <vector>

#include "phalanx/arrays/family.h"
#include "phalanx/arrays/node.h"
#include "phalanx/arrays/siblings.h"
#include "phalanx/jit/context.h"
#include "phalanx/jit/graph.h"

namespace phalanx::arrays {

class Graph;

class Capture final : public jit::GraphPart {
 public:
  // The calling thread's; null where it records no graph.
  static Capture* current(Graph& graph) {
    return jit::recording() == nullptr ? nullptr : &current_of(*jit::recording(), graph);
  }
  // True for a value that was recorded while a graph was, which goes on.
  static bool is_going_on(const Node& value);
  // Throws ValueError where a pending value is, or needs, one that another thread records into its
  // graph: it has no value before that is launched.
  static void refuse_others(const NodePtr& value);

  Capture(Graph& graph, std::uint32_t number);
  ~Capture() override { end(); }

  // An array made meanwhile.
  void note(const std::shared_ptr<Cell>& cell) { made_.push_back(cell); }
  // Memory that only launches fill.
  void note_unfilled(const views::SharedMemory& memory) { unfilled_.insert(&memory); }
  // The value of an array that the capture has bound.
  bool is_bound(const NodePtr& value) const { return bound_.contains(value); }
  void note_bound(const NodePtr& value) { bound_.insert(value); }
  // Launches write to the arrays' memory: what is recorded of them before one keeps its value.
  void writes(const std::shared_ptr<Family>& family);
  // A copy that is made now and in each launch, of what is there then: the value's, which some have
  // recorded before the graph, and some in it.
  views::DeviceArray copy_now_and_then(const views::DeviceArray& array, const NodePtr& value);
  // Computes what a value needs that was recorded before the graph.
  void compute_earlier(const NodePtr& value);

  void finish() override;
  void abandon() override;
  void before_launch() override;

 private:
  static Capture& current_of(jit::Recording& recording, Graph& graph);
  void end();
  // Takes away elements that no launch has filled, until one does: who looks at them gets an error.
  void withhold(const char* why);

  Graph* graph_;
  std::uint32_t number_;
  std::vector<std::weak_ptr<Cell>> made_;
  std::unordered_set<const views::SharedMemory*> unfilled_;
  std::vector<std::pair<std::weak_ptr<Node>, Memory>> withheld_;
  std::set<std::weak_ptr<Node>, std::owner_less<>> bound_;
  std::vector<std::shared_ptr<Family>> written_;
  std::unordered_set<const Family*> is_written_;
  std::vector<std::weak_ptr<Node>> copied_;
};

// Where the work of arrays of a device goes: to its default stream, or into the graph that the
// thread records. Throws ValueError where that is another device's.
runtime::Stream& queue_of(runtime::Device& device);
// Memory of launches: the graph that they are recorded into keeps it, where it is.
void keep_for_launches(const std::shared_ptr<views::SharedMemory>& memory);
void keep_for_launches(std::vector<runtime::Buffer> scratch);
// The same of memory that a result of launches is in.
void keep_for_result(const std::shared_ptr<views::SharedMemory>& memory);

}  // namespace phalanx::arrays
