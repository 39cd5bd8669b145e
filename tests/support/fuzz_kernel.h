// Random kernels that have one right result: what passes and back ends are fuzzed with.
//
// Every thread reads the inputs anywhere, writes only elements of its own in the outputs, and meets
// the others at barriers in uniform control flow. All loops end, all indices are in range (some
// count from the end, through wrap_index), and no result depends on the order of threads, on
// undefined values, or on what the devices leave open (docs/guide/cpu-and-gpu.md). Warp
// operations name just the threads that come to them; atomics are such that their order does not
// show, on elements after those of the threads.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "phalanx/ir/ir.h"
#include "tests/support/interpreter.h"

namespace phalanx::test {

struct FuzzOptions {
  unsigned statements = 30;  // about how many in the kernel
  unsigned deepest = 4;      // nesting of control
  bool has_floats = true;
  bool has_barriers = true;      // and shared memory
  bool has_block_votes = false;  // with barriers
  bool has_calls = true;
  bool has_warp_operations = true;  // needs warps of 32 threads
  bool has_atomics = true;
};

// A kernel and the arguments to run it with.
class FuzzKernel {
 public:
  FuzzKernel(std::uint64_t seed, const FuzzOptions& options);

  const ir::Module& module() const { return *module_; }
  std::array<std::uint32_t, 3> grid() const { return grid_; }
  std::array<std::uint32_t, 3> block() const { return block_; }

  // The parameter block, with outputs of its own that start as zeros.
  struct Arguments {
    std::vector<std::byte> parameters;
    std::vector<std::int64_t> integers;  // the kernel's outputs
    std::vector<double> floats;
    std::vector<float> singles;

    bool operator==(const Arguments& other) const;  // outputs only; any NaN is like another

    // The first output that differs, as "floats[3]: 1 and 2".
    std::string difference(const Arguments& other) const;
  };
  std::unique_ptr<Arguments> arguments() const;

  // For devices with memory of their own: the arrays in the order of the parameters, two inputs
  // and three outputs, and the parameter block for where they lie.
  static constexpr std::size_t arrays = 5;
  static constexpr std::size_t first_output = 2;
  std::array<std::span<std::byte>, arrays> memory(Arguments& arguments) const;
  std::vector<std::byte> parameters(const std::array<std::uint64_t, arrays>& addresses) const;

  InterpreterLaunch launch(const Arguments& arguments) const;

 private:
  std::unique_ptr<ir::Module> module_;
  std::array<std::uint32_t, 3> grid_{};
  std::array<std::uint32_t, 3> block_{};
  std::size_t output_elements() const;  // in each output

  // Changed by nobody; not const, so that all memory is of one type.
  mutable std::vector<std::int64_t> input_integers_;
  mutable std::vector<double> input_floats_;
  std::int64_t scalar_ = 0;
};

}  // namespace phalanx::test
