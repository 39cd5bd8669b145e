// An array: a value that can be assigned to, and that may share its elements with other arrays.
//
// Arrays that share elements are a family. As long as nobody writes to one of them, each simply is
// the value that it was made as; before the first write all of them become views of one memory.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "phalanx/arrays/graph.h"
#include "phalanx/arrays/node.h"
#include "phalanx/arrays/siblings.h"
#include "phalanx/base/export.h"
#include "phalanx/jit/context.h"

namespace phalanx::arrays {

class PHX_API Array {  // a handle: copies are the same array
 public:
  Array(Graph& graph, NodePtr value);
  // Memory that others have, too, the node's: every write goes there at once.
  static Array of_shared_memory(Graph& graph, NodePtr memory);

  Graph& graph() const { return *graph_; }
  const ir::Type& element_type() const { return cell_->element; }
  DType dtype() const { return element_type().dtype(); }  // of times int64
  const Extents& shape() const { return *cell_->shape; }
  std::int64_t size() const { return element_count(shape()); }
  bool is_read_only() const { return cell_->is_read_only; }
  void set_read_only(bool is_read_only) const { cell_->is_read_only = is_read_only; }
  // True for what NumPy gives as a scalar: operators that write to their left operand make another
  // array of it.
  bool is_number() const { return cell_->is_number; }
  bool is_same(const Array& other) const { return cell_ == other.cell_; }

  // A result of an operation: a number where it has no dimensions.
  static Array of_result(Graph& graph, NodePtr value);
  // The same value as a number where it has no dimensions, or as an array in any case.
  Array as_number() const { return of_result(*graph_, value()); }
  Array as_array() const { return {*graph_, value()}; }
  // One element as a number, which keeps its value when the array is assigned to.
  Array element(std::vector<Axis> axes) const;

  // The array that the cell is.
  static Array of_cell(Graph& graph, std::shared_ptr<Cell> cell);

  // What the array is now; later writes do not change it.
  NodePtr value() const { return jit::recording() == nullptr ? cell_->value() : captured_value(); }

  // Arrays that share elements with this one.
  Array view(Extents shape, std::vector<Axis> axes) const;
  Array broadcast(const Extents& shape) const;  // read-only
  Array part(bool is_imaginary) const;          // of complex numbers
  // Shares elements where its memory allows it, else has a copy, as NumPy does it.
  Array reshape(Extents shape) const;
  // One dimension: shares elements that follow each other in memory, else has a copy.
  Array ravel() const;

  // An array of memory that is, or overlaps, what share() gave: other strides, another dtype.
  Array alias(views::DeviceArray memory) const;

  // All elements become those of the value, converted and broadcast. Throws ShapeError, and
  // ValueError for a read-only array.
  void assign(NodePtr value);
  // The same of elements at places, which have been checked. Throws ValueError for a read-only
  // array, and for arrays of several devices.
  void assign_at(Scatter scatter);

  // The elements in memory; see Graph::evaluate.
  Memory evaluate(runtime::Device* goal = nullptr) const;
  // The same; from now on writes to the array change that memory, which stays where it is.
  Memory share() const;
  // The same, for somebody to write to now: what was recorded before keeps its value, and writes to
  // the array go there later only if they did before. Throws ValueError for a read-only array.
  Memory open() const;
  // Both at once.
  Memory lend() const;

 private:
  // Writes to memory; calls `release` before, so that what was recorded keeps its value.
  using Write = std::function<void(const Memory& memory, const std::function<void()>& release)>;
  enum class After : bool { as_before, bound };  // what the family is then

  explicit Array(Graph& graph) : graph_(&graph) {}

  NodePtr captured_value() const;
  Family& family() const;
  void bind() const;     // under the graph's lock
  Memory bound() const;  // under the graph's lock
  void write(const Write& write, After after = After::as_before) const;
  Array child(NodePtr value) const;
  NodePtr movable_to(NodePtr value, const Memory& target) const;

  Graph* graph_;
  std::shared_ptr<Cell> cell_;
};

}  // namespace phalanx::arrays
