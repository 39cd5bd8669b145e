// One thread of the interpreted kernel, as a machine that stops at barriers; private to the
// interpreter.
#pragma once

#include <memory>
#include <unordered_map>

#include "interpreter.h"
#include "interpreter_values.h"

namespace phalanx::test {

using Buffer = std::vector<std::byte>;

// Where each operation's value lies among its function's values.
using Numbering = std::unordered_map<const ir::Operation*, std::size_t>;

struct BlockMemory {
  std::unordered_map<const ir::Operation*, Buffer> shared;
  Buffer dynamic;
};

struct Machine {  // what all threads share
  const ir::Module& module;
  const InterpreterLaunch& launch;
  Numbering numbers;
  std::unordered_map<const ir::Function*, std::size_t> counts;
  Outcome outcome;
  std::uint64_t steps_left = 0;
};

class Thread {
 public:
  enum class State { running, at_barrier, at_grid_barrier, at_warp_operation, finished };

  Thread(
      Machine& machine,
      BlockMemory& memory,
      std::array<std::uint32_t, 3> block,
      std::array<std::uint32_t, 3> thread);

  State state() const { return state_; }
  void run();  // up to the next barrier or warp operation, or the end
  void release() { state_ = State::running; }  // from a barrier of the grid

  // The operation that it waits at, if it is in that state, and what it brings there; or nullptr.
  const ir::Operation* waiting(State state) const { return state_ == state ? waiting_ : nullptr; }
  const Words& operand(std::size_t index) { return value(waiting_->operands[index]); }
  void resolve(Words result);

 private:
  struct Cursor {  // a region being run
    const ir::Operation* owner;
    const ir::Region* region;
    std::size_t position;
  };
  struct Frame {  // a call
    const ir::Function* function;
    const ir::Operation* call;  // nullptr for the kernel
    std::vector<Words> values;
    std::vector<Words> variables;
    std::vector<Cursor> cursors;
    std::unordered_map<const ir::Operation*, Buffer> local;
  };

  Frame& frame() { return *frames_.back(); }
  const Words& value(const ir::Operation* operation) {
    return frame().values[machine_.numbers.at(operation)];
  }
  void define(const ir::Operation& operation, Words words) {
    frame().values[machine_.numbers.at(&operation)] = std::move(words);
  }
  void enter(const ir::Function& function, const ir::Operation* call, std::vector<Words> arguments);
  void leave_region();
  void return_value(Words words);
  void jump(const ir::Operation& operation);
  void execute(const ir::Operation& operation);
  bool execute_control(const ir::Operation& operation);
  void print(const ir::Operation& operation);
  void raise(const ir::Operation& operation);
  Words compute(const ir::Operation& operation);
  Words compute_value(const ir::Operation& operation);
  Words compute_array(const ir::Operation& operation);
  Words compute_thread(const ir::Operation& operation);
  Words compute_atomic(const ir::Operation& operation);
  std::byte* element(const ir::Operation& operation);
  Buffer& allocated(Buffer& buffer, const ir::Operation& operation) const;

  Machine& machine_;
  BlockMemory& memory_;
  std::array<std::uint32_t, 3> block_;
  std::array<std::uint32_t, 3> thread_;
  std::vector<std::unique_ptr<Frame>> frames_;
  State state_ = State::running;
  const ir::Operation* waiting_ = nullptr;
};

}  // namespace phalanx::test
