// A slow interpreter of the IR: what the back ends and the passes are compared with.
//
// Runs one thread after the other, each up to its next barrier. Every operation is computed by
// itself, without contraction; memory is the host's, so that pointers in parameters are used as
// they are. Local and shared arrays start filled with a pattern.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "phalanx/ir/ir.h"

namespace phalanx::test {

struct InterpreterLaunch {
  const std::byte* parameters = nullptr;  // laid out as ir/abi.h says
  std::array<std::uint32_t, 3> grid = {1, 1, 1};
  std::array<std::uint32_t, 3> block = {1, 1, 1};
  std::size_t dynamic_shared_bytes = 0;
  std::uint64_t most_steps = 50'000'000;  // operations of all threads together
};

struct Raised {
  std::string message;
  std::array<std::uint32_t, 3> block;
  std::array<std::uint32_t, 3> thread;
};

struct Outcome {
  std::optional<Raised> raised;      // the first
  std::vector<std::string> printed;  // a line a print
  bool is_complete = true;           // false if the steps ran out
};

// Runs the module's kernel.
Outcome interpret(const ir::Module& module, const InterpreterLaunch& launch);

}  // namespace phalanx::test
