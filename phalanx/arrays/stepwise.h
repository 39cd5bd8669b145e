// A program's operations one by one, each by a kernel of its own and into memory of its own: how a
// value is computed while the kernel of the whole program is compiled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "phalanx/arrays/nest.h"
#include "phalanx/arrays/program.h"
#include "phalanx/arrays/reduce_kernel.h"

namespace phalanx::arrays {

// Where an operation writes.
struct StepOutput {
  const views::DeviceArray& array;
  Strides strides;         // bytes, in the space of the operation's program
  bool is_result = false;  // an output of the whole program
};

// Does the operations.
class StepSink {
 public:
  StepSink() = default;
  StepSink(const StepSink&) = delete;
  StepSink& operator=(const StepSink&) = delete;
  virtual ~StepSink() = default;

  virtual views::DeviceArray allocate(DType dtype, const Extents& shape) = 0;
  virtual void elementwise(
      const Program& program, const Order& order, const StepOutput& output) = 0;
  virtual void reduce(const Folding& folding, const StepOutput& output) = 0;
};

class Stepwise {
 public:
  // `order` is that of the program's loops; empty: of its operands' memory. The outputs are one for
  // each result, and only the last operation that a result needs writes there; without outputs the
  // results come to memory. Both stay where they are.
  Stepwise(const Program& program, const Order& order, std::span<const views::DeviceArray> outputs);

  // How many kernels that takes.
  std::size_t operations() const { return sequence_.size() + copies_.size(); }
  // Of the memory that it takes besides the outputs, at most.
  std::int64_t bytes() const;

  // Gives what reads the results, in the order of the program, where there are no outputs.
  Program run(StepSink& sink) const;

 private:
  class Run;
  struct Copy {
    std::uint16_t step = 0;
    std::size_t output = 0;
  };

  bool has_operation(std::uint16_t step) const;
  std::vector<std::uint16_t> operands_of(std::uint16_t step) const;
  void note_extent(std::uint16_t step);
  void add(std::uint16_t step);
  void add_result(std::size_t number);
  Strides space_of(std::uint16_t step) const;

  const Program& program_;
  Order order_;
  std::span<const views::DeviceArray> outputs_;
  // For each step:
  std::vector<Strides> varies_;  // for each dimension 1 if the value differs along it, else 0
  std::vector<unsigned> uses_;   // by operations, copies and the caller
  std::vector<bool> is_added_;
  std::vector<std::optional<std::size_t>> output_of_;  // which one its operation writes to

  std::vector<std::uint16_t> sequence_;  // steps with an operation, each after what it reads
  std::vector<Copy> copies_;             // of values that no operation writes to an output
};

}  // namespace phalanx::arrays
