// The contract between generated CPU code and the launcher that calls it.
//
// A kernel runs blocks [first, last) of the grid, numbered x fastest, on the calling thread. The
// scratch buffer belongs to that thread for the call, is aligned to 64 bytes, holds
// `Binary::scratch_bytes(block threads, dynamic shared bytes)` bytes and is not initialised:
//     static shared | dynamic shared | per warp, each part rounded up to 64 bytes
// The layout of these structs is known to codegen/cpu: change both together.
#pragma once

#include <cstddef>
#include <cstdint>

namespace phalanx {

// The first exception that a thread raised; `site` counts from 1 in Binary::raise_sites.
struct ErrorRecord {
  std::uint32_t site = 0;  // set by compare-and-swap from 0, so that the first one stays
  std::uint32_t block[3] = {};
  std::uint32_t thread[3] = {};
};

struct PrintValue {
  std::uint32_t dtype = 0;  // DType
  std::uint32_t reserved = 0;
  std::uint64_t bits[2] = {};  // the value's bytes, little endian
};

struct CpuLaunch {
  const std::byte* parameters = nullptr;  // laid out as ir/abi.h says
  std::uint32_t grid[3] = {1, 1, 1};
  std::uint32_t block[3] = {1, 1, 1};
  std::uint32_t dynamic_shared_bytes = 0;
  std::uint32_t reserved = 0;
  ErrorRecord* error = nullptr;  // null when nobody listens
  // Called once for each thread that prints; `format` has one {} a value. Thread-safe.
  void (*print)(const char* format, const PrintValue* values, std::uint32_t count) = nullptr;
};

using CpuKernel = void (*)(
    const CpuLaunch* launch,
    std::uint64_t first_block,
    std::uint64_t last_block,
    std::byte* scratch);

}  // namespace phalanx
