// Writes one random kernel, statement by statement; see fuzz_kernel.h for what holds of it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "fuzz_kernel.h"
#include "phalanx/ir/builder.h"

namespace phalanx::test {

// Elements of each input array; elements that each thread has in each output, and those after them
// that all threads reach by atomics.
inline constexpr std::size_t fuzz_inputs = 37;
inline constexpr std::size_t elements_per_thread = 4;
inline constexpr std::size_t atomic_elements = 8;

// What a seed decides.
class FuzzRandom {
 public:
  explicit FuzzRandom(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_);
  }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <typename List>
  auto pick(const List& list) {
    return list[below(list.size())];
  }

 private:
  std::mt19937_64 random_;
};

// The loops and blocks around a statement, and the jumps out of them.
struct FuzzJumps {
  struct Enclosing {
    bool is_loop;  // or a block
    bool may_leave;
  };
  static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

  std::size_t begin() { return std::exchange(farthest, nowhere); }
  bool end(std::size_t before, std::size_t inside);

  std::vector<Enclosing> enclosing;
  std::size_t farthest = nowhere;  // the outermost of `enclosing` that a jump went to
};

// The arrays of a kernel, by their elements' type.
struct FuzzArrays {
  using ByType = std::map<DType, ir::Builder::Value>;
  ByType inputs;
  ByType outputs;
  ByType shared;
  ByType counters;  // of one element, in shared memory
  ByType piles;     // as the outputs' elements for atomics, in shared memory
};

class Generator {
 public:
  Generator(ir::Module& module, std::uint64_t seed, const FuzzOptions& options)
      : module_(module), options_(options), random_(seed) {}

  void make(std::size_t threads);

 private:
  using Value = ir::Builder::Value;
  // The values that can be used here: each region starts with a copy.
  using Known = std::map<DType, std::vector<Value>>;

  DType scalar_type();

  void make_device_function();
  void make_kernel(std::size_t threads);
  void begin(ir::Function& function);
  void seed_values();
  Value known(DType dtype);
  Value fresh_constant(DType dtype);
  Value remember(Value value);
  Value expression(DType dtype);
  Value truth();
  Value index_into(Value extent);
  Value loaded(DType dtype);

  // ---- fuzz_statements.cpp ----
  void statements(unsigned count, unsigned depth);
  void statement(unsigned depth);
  void set_variable();
  void branch(unsigned depth);
  void loop(unsigned depth);
  void block(unsigned depth);
  void jump();
  Value converted(Value value, DType dtype);
  void output();
  void exchange();
  void call();
  // Nobody waits for a thread that has ended.
  bool may_return() const {
    return !is_kernel_ || (!options_.has_barriers && !options_.has_warp_operations);
  }

  // ---- fuzz_threads.cpp: what threads do together ----
  void find_mask();
  void warp_operation();
  void warp_loop(unsigned depth);
  Value vote(Value group);
  void block_vote(unsigned depth);
  Value shuffle(Value group);
  void atomic();
  void shared_atomic();
  void clear_piles();
  void read_piles();
  void inside(ir::Region& region, unsigned depth, unsigned count);

  ir::Module& module_;
  FuzzOptions options_;
  FuzzRandom random_;
  FuzzJumps jumps_;
  FuzzArrays arrays_;
  ir::Builder* builder_ = nullptr;
  Known known_;
  std::vector<ir::VariableId> variables_;
  Value mask_ = nullptr;  // of the warp's threads that come here, i32; null: not known
  unsigned budget_ = 0;
  bool is_kernel_ = false;
  bool is_uniform_ = true;  // all threads come here
  bool may_leave_ = false;
  std::vector<ir::Function*> callees_;
  ir::Builder::Values remember_first_;  // at the start of the function to come
  Value position_ = nullptr;            // of the thread in the outputs
  Value thread_ = nullptr;
  Value threads_in_block_ = nullptr;
};

}  // namespace phalanx::test
