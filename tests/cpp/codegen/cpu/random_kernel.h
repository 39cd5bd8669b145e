// Random kernels of nested branches, loops, breaks, continues and returns: every width must compute
// what one thread after another does.
#pragma once

#include <memory>
#include <random>
#include <vector>

#include "phalanx/ir/builder.h"

namespace phalanx::test {

struct RandomKernelOptions {
  bool has_barriers = false;  // at uniform positions, with traffic through shared memory between
  unsigned max_depth = 4;
};

// kernel(out: array<i32, 1>, in: array<i32, 1> of 64, n: i32). Each thread folds what it computes
// into out[its number].
class RandomKernel {
 public:
  RandomKernel(unsigned seed, const RandomKernelOptions& options);
  std::unique_ptr<ir::Module> take() { return std::move(module_); }

 private:
  using Value = ir::Builder::Value;

  unsigned pick(unsigned count) { return static_cast<unsigned>(random_() % count); }
  Value expression(unsigned depth);
  Value uniform_expression();
  Value condition();
  void statement(unsigned depth);
  void statements(unsigned depth);
  void emit_fold();
  void emit_if(unsigned depth);
  void emit_loop(unsigned depth);
  void emit_block(unsigned depth);
  void emit_jump();
  void emit_exchange();
  Value int32(std::int64_t value) { return builder_->integer(value, DType::int32); }

  std::mt19937 random_;
  RandomKernelOptions options_;
  std::unique_ptr<ir::Module> module_;
  std::unique_ptr<ir::Builder> builder_;
  std::vector<ir::VariableId> variables_;
  std::vector<bool> is_loop_;  // of the constructs around, outermost first
  unsigned divergent_depth_ = 0;
  unsigned budget_ = 60;
  Value out_ = nullptr;
  Value in_ = nullptr;
  Value count_ = nullptr;
  Value thread_ = nullptr;
  Value thread64_ = nullptr;
  Value local_ = nullptr;   // number within the block
  Value extent_ = nullptr;  // threads of a block
  Value shared_ = nullptr;
};

}  // namespace phalanx::test
