// A recorded value: how it will be computed, or the memory that it lies in.
//
// Nodes never change their meaning, so that what was recorded of an array keeps the array's value
// of that time, whatever is assigned to the array later. A node that has been computed becomes one
// of memory and lets its operands go.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "phalanx/arrays/function.h"
#include "phalanx/arrays/source.h"
#include "phalanx/base/dtype.h"
#include "phalanx/base/export.h"
#include "phalanx/ir/ir.h"
#include "phalanx/jit/context.h"
#include "phalanx/views/device_array.h"

namespace phalanx::arrays {

struct Node;
using NodePtr = std::shared_ptr<Node>;
using ShapePtr = std::shared_ptr<const Extents>;  // nodes of one shape share it

// A number of the caller's: a parameter of the kernels, never part of their code.
struct Number {
  ir::Constant value;
};

// The index along one dimension: start + step * index.
struct Positions {
  unsigned dimension = 0;
  std::int64_t start = 0;
  std::int64_t step = 1;
};

// A function of the operands' elements, which are broadcast to the node's shape.
struct Call {
  const Function* function = nullptr;
  std::array<NodePtr, 3> operands = {};

  // The function's operands in the order in which kernels meet them, each with all below it: their
  // arrays and numbers are in that order. FlatExpression and ProgramBuilder both go by it, as the
  // one gives its arguments to the other's kernels.
  std::span<const NodePtr> in_order() const { return std::span(operands).first(function->arity); }
};

// Where one dimension of a view's base is: at start + step * the view's index along `dimension`, or
// at `start` where that is none.
struct Axis {
  static constexpr std::int32_t none = -1;

  std::int32_t dimension = none;
  std::int64_t start = 0;
  std::int64_t step = 0;

  bool operator==(const Axis&) const = default;
};

// Elements of another node: slices, transposes, broadcasts, diagonals.
struct View {
  NodePtr base;
  std::vector<Axis> axes;  // one for each dimension of the base
};

// Elements of another node at places that are computed: NumPy's indexing by arrays. Each of
// `indices` adds its value to the place along one dimension of the base.
struct GatherIndex {
  std::size_t dimension = 0;
  NodePtr value;  // int64, within the base; broadcast to the node's shape
};
struct Gather {
  NodePtr base;            // in memory when the node is computed
  std::vector<Axis> axes;  // one for each dimension of the base
  std::vector<GatherIndex> indices;
};

// The elements of another node under another shape, in C order.
struct Reshape {
  NodePtr base;
};

// A fold over some dimensions, which the node's shape does not have.
struct Reduce {
  NodePtr operand;
  std::string name;              // as numpy::Reduction::find has it
  DType dtype = DType::int64;    // that it is computed in
  std::vector<bool> is_reduced;  // for each dimension of the operand
};

// Each element becomes the fold of those up to it along a dimension.
struct Scan {
  NodePtr operand;
  std::string name;  // as numpy::Reduction::find has it
  std::size_t axis = 0;
};

// Elements of several nodes, each in a box of the node's shape. They cover it; where boxes overlap
// the last one counts.
struct Part {
  NodePtr value;  // of the node's element type
  Extents start;
};
struct Concatenation {
  std::vector<Part> parts;
};

// What is no fused kernel: a library's function, a sort, a copy into other strides. It takes the
// operands' memory and gives the node's.
struct Routine {
  std::vector<NodePtr> operands;
  std::string name;             // for explain()
  std::int64_t operations = 0;  // of one or a few instructions, likewise
  std::function<views::DeviceArray(const std::vector<views::DeviceArray>& operands)> run;
  std::function<bool(runtime::Device& device)> runs_on = {};  // empty: on all
};

using Memory = std::shared_ptr<const views::DeviceArray>;

// Elements that are not in the device's memory: moved to the host's to make room, or not brought
// from where they are (residency.h). Arrays that share memory go and come together, and share the
// source.
struct Spilled {
  views::DeviceArray array;  // as it was, but for its address
  std::int64_t offset = 0;   // bytes from the memory's beginning
  std::shared_ptr<const Source> source;
};
using SpilledPtr = std::shared_ptr<const Spilled>;

struct PHX_API Node {
  Node(ir::Type of, ShapePtr extents, runtime::Device* where)
      : element(std::move(of)),
        dtype(element.dtype()),
        shape(std::move(extents)),
        device(where),
        recording(jit::recording_number()) {}
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  // What an element means: a number, or a time, of which kernels know the count of units alone.
  const ir::Type element;
  const DType dtype;  // that kernels compute with
  const ShapePtr shape;
  // Where its memory is or will be; null: anywhere, until it is computed. It stays null for what
  // may go on to move (placement.h): layout() tells where that is now. Threads that record read
  // this and the next three while another one computes the node.
  std::atomic<runtime::Device*> device;
  // Of the longest chain of pending nodes, with this one; 0: not pending.
  std::atomic<std::uint32_t> height = 0;
  // How many pending nodes there are, those met twice counted twice.
  std::atomic<std::uint32_t> weight = 0;
  // True if it has Residency::least_held bytes of memory, or would be computed of such memory.
  std::atomic<bool> has_memory = false;
  // Of a graph of launches, while which it was recorded (capture.h); 0: none.
  const std::uint32_t recording;
  // Guarded by the graph's lock, but while the node is made.
  std::variant<
      Number,
      Positions,
      Call,
      View,
      Gather,
      Reshape,
      Reduce,
      Scan,
      Concatenation,
      Routine,
      Memory,
      SpilledPtr>
      made_by;
  std::uint32_t inlined = 0;  // how often kernels have computed it on their way to something else

  // True if a kernel must run before its elements are in memory. A view of memory is not pending,
  // nor is what was spilled.
  bool is_pending() const { return height != 0; }
  std::int64_t size() const { return element_count(*shape); }
  std::int64_t bytes() const { return size() * static_cast<std::int64_t>(size_of(dtype)); }
  // Strides and dtype of the elements where they are in memory, or were spilled from; else null.
  const views::DeviceArray* layout() const {
    if (const auto* memory = std::get_if<Memory>(&made_by))
      return memory->get();
    const auto* spilled = std::get_if<SpilledPtr>(&made_by);
    return spilled != nullptr ? &(*spilled)->array : nullptr;
  }
};

}  // namespace phalanx::arrays
