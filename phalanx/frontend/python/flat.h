// Arrays element by element, whatever their layout: a.flat, numpy.ndenumerate and numpy.nditer.
#pragma once

#include <span>
#include <vector>

#include "phalanx/frontend/python/emitter.h"

namespace phalanx::frontend::python {

// How far an iterable over indices goes along each dimension.
std::span<const Value> extents_of(const Iterable& iterable);
// The product of its extents, an i64.
Value index_count(Emitter& emitter, const Iterable& iterable);
// The indices of an element by its number in C order.
Value index_at(Emitter& emitter, const Iterable& iterable, ir::Operation* position);

// Where a loop is in the iterables over indices that it goes along. It is two loops: one over runs
// of elements, in which no other index than the last changes, and one over the elements of a run,
// which needs no division and may become vector code.
class IndexCounters {
 public:
  // Those within `iterable`, at their first indices. One dimension needs no counter, and kernels
  // keep one loop.
  IndexCounters(Emitter& emitter, const Value& iterable);

  bool is_empty() const { return counters_.empty(); }

  // In the loop over runs: what is left of all elements, and then how many the run had.
  void begin_run(ir::Operation* left);
  ir::Operation* end_run() const;
  // In the loop over elements. A run without elements comes after the last.
  ir::Operation* has_run() const;
  void leave_after_run() const;
  ir::Operation* done_of_run() const { return emitter_->builder().get(done_); }
  void advance() const;
  // The indices of the element there, which has that number.
  Value index(const Iterable& iterable, ir::Operation* position) const;

 private:
  struct Counter {
    const std::vector<Value>* parts;  // of its iterable
    std::vector<ir::VariableId> indices = {};
    std::vector<ir::Operation*> extents = {};
    std::vector<ir::Operation*> first = {};  // the indices of the run's first element
  };

  void add(const Value& iterable);
  void carry(const Counter& counter, std::size_t dimension, ir::Operation* steps) const;

  Emitter* emitter_;
  std::vector<Counter> counters_;
  ir::VariableId done_ = 0;       // elements of this run
  ir::Operation* run_ = nullptr;  // how many it has
};

// The element at the index: a number, or a pointer to a record.
Value element_at_index(Emitter& emitter, const Value& array, const Value& index);

// What nditer gives for an index: the operand there, or the tuple of them, as arrays of no
// dimension.
Value operands_at(Emitter& emitter, const Iterable& iterable, const Value& index);

bool is_flat(const Value& value);
// Elements of a.flat: the index is an integer, which may count from the end.
Value flat_item(Emitter& emitter, const Value& flat, const Value& index);
void set_flat_item(Emitter& emitter, const Value& flat, const Value& index, const Value& value);

}  // namespace phalanx::frontend::python
