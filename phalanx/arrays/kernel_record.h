// What is known of a kernel that ran or would run, for explain().
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "phalanx/arrays/executor.h"
#include "phalanx/arrays/rates.h"
#include "phalanx/jit/kernel.h"

namespace phalanx::arrays {

// An array that a kernel reads: how its elements came there is another record, or not known.
struct KernelInput {
  std::optional<std::size_t> kernel;  // among the explained ones
  const void* memory = nullptr;       // two inputs of one are views of it; null: it is gone
  DType dtype = DType::boolean;
  Extents shape;
};

// How a kernel ran whose operands did not fit the device's memory.
struct ChunkCounts {
  std::int64_t chunks = 0;         // 0: it ran at once
  std::uint64_t copied_bytes = 0;  // between the host and the device
};

struct KernelRecord {
  std::string code;  // what it computes: to_text()
  Reason why = Reason::wanted;
  bool has_run = false;
  std::shared_ptr<jit::Kernel> kernel;  // whose code can be looked at; null before it ran
  runtime::Device* device = nullptr;
  DType dtype = DType::boolean;  // of the first output
  Extents shape;
  std::size_t outputs = 1;
  Work work;  // elements that two operands share count twice
  std::int64_t bytes_written = 0;
  double seconds = 0;  // that it took, where launches are timed
  ChunkCounts in_chunks;
  Placed placed;
  std::vector<KernelInput> inputs;
};

}  // namespace phalanx::arrays
