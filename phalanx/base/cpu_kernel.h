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

struct CpuLaunch;

using CpuKernel = void (*)(
    const CpuLaunch* launch,
    std::uint64_t first_block,
    std::uint64_t last_block,
    std::byte* scratch);

// A Mersenne Twister as NumPy's legacy generator has it; one a thread. The code of CPU functions
// knows the layout (frontend/python/random_state.h).
struct RandomState {
  std::uint32_t words[624] = {};
  std::uint32_t next = 624;      // of the words; 624: none is left
  std::uint32_t has_normal = 0;  // the second number of a pair of normal ones is kept
  double normal = 0;
  std::uint32_t is_seeded = 0;  // else the first refill seeds it from the system
};

// What the code of CPU functions asks of the runtime. `launch` is the caller's own.
struct CpuServices {
  // Memory of the call, aligned to 64 bytes; null when there is none left.
  std::byte* (*allocate)(const CpuLaunch* launch, std::uint64_t bytes, std::uint32_t zeroed);
  // The state of the call's memory, for `release`: frees what was allocated since, but the memory
  // that one of the `count` pointers lies in.
  std::uint64_t (*mark)(const CpuLaunch* launch);
  void (*release)(
      const CpuLaunch* launch,
      std::uint64_t mark,
      const std::byte* const* kept,
      std::uint64_t count);
  // Runs the blocks [0, pieces) of `piece` on all cores; returns when all are done. `size` is how
  // much one of them has to do, `cost` a word of the caller's, 0 at first, that is kept from call
  // to call. Where one raised, the launch's error record is filled, and others may be left out.
  void (*parallel)(
      const CpuLaunch* launch,
      CpuKernel piece,
      float* cost,
      const std::byte* parameters,
      std::uint64_t pieces,
      std::uint64_t size);
  void (*random_refill)(RandomState* state);
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
  const CpuServices* services = nullptr;  // of CPU functions; null for kernels
  void* memory = nullptr;                 // the services' own: what the call has allocated
  RandomState* random = nullptr;          // of CPU functions: the running thread's
  // Called by one thread of each block: returns when all other blocks wait too, or have ended.
  // Null where blocks run one after the other.
  void (*wait_for_grid)(void* grid) = nullptr;
  void* grid_state = nullptr;
};

}  // namespace phalanx
