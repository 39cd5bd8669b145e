// The contract between generated CPU code and the launcher that calls it.
//
// A kernel runs blocks [first, last) of the grid, numbered x fastest, on the calling thread. The
// scratch buffer belongs to that thread for the call, is aligned to `scratch_alignment`, holds
// `scratch_bytes(entry, block threads, dynamic shared bytes)` bytes and is not initialised:
//     static shared | dynamic shared | shadow | per warp, each part rounded up to the alignment
// The shadow memory is there where check mode tracks accesses: a ShadowState, then a word for each
// granule of shared memory that tells which thread wrote it last, then one that tells which read
// it. codegen/cpu takes the offsets and constants from here, so that they are written once.
#pragma once

#include <cstddef>
#include <cstdint>

namespace phalanx {

// What one location in the kernel reported first; `site` counts from 1 in Binary::fault_sites. What
// only reports fill is not cleared: short calls have a log of their own.
struct ErrorRecord {
  std::uint32_t site = 0;   // set by compare-and-swap from 0, so that the first thread's stays
  std::uint32_t order;      // reports that were there before
  std::uint32_t count = 0;  // reports of the site, this one included
  std::uint32_t block[3];
  std::uint32_t thread[3];
  std::uint32_t reserved;
  std::int64_t values[8];  // what the message needs: indices and extents, ...
};

// Exceptions and faults of a launch, one record a site until there is no room. Both devices' code
// fills it as codegen/llvm/emit_report.cpp does.
struct ErrorLog {
  std::uint32_t count = 0;  // of all reports
  std::uint32_t reserved = 0;
  ErrorRecord records[8];
};

// What check mode keeps of an access to a granule of memory, from the lowest bit on:
//     thread 10 | several threads 1 | atomic 1 | several blocks 1 | site 8 | interval 11 or 15 |
//     epoch 28
// Several threads of the block, several blocks: others too. Site: a number in
// Binary::fault_sites, 0 where there are too many. Intervals between barriers are counted, so that
// a word of an older interval is a smaller number. Words of shared memory have 32 bits: no epoch.
namespace shadow {
inline constexpr std::uint32_t thread_mask = 0x3ff;
inline constexpr std::uint32_t several_threads = 1U << 10;
inline constexpr std::uint32_t atomic = 1U << 11;
inline constexpr std::uint32_t several_blocks = 1U << 12;
inline constexpr unsigned site_shift = 13;
inline constexpr std::uint32_t most_sites = 255;
inline constexpr unsigned interval_shift = 21;
inline constexpr unsigned global_interval_bits = 15;
inline constexpr unsigned epoch_shift = interval_shift + global_interval_bits;
inline constexpr std::uint64_t most_epochs = std::uint64_t{1} << (64 - epoch_shift);
inline constexpr std::size_t header_bytes = 64;  // of the ShadowState, before the words
inline constexpr std::size_t margin_words = 64;  // vectors of words may reach beyond the last
}  // namespace shadow

// Parts of the scratch begin at multiples of this.
inline constexpr std::size_t scratch_alignment = 64;
inline constexpr std::uint64_t scratch_mask = ~std::uint64_t{scratch_alignment - 1};
constexpr std::size_t rounded_in_scratch(std::size_t bytes) {
  return (bytes + scratch_alignment - 1) & scratch_mask;
}

// Belongs to the block that a thread runs. First comes the part of a word that all accesses in one
// interval have in common.
struct ShadowState {
  std::uint64_t global = 0;  // 0: too many barriers, nothing is recorded any more
  std::uint32_t shared = 0;
  std::uint32_t shared_start = 0;  // of the block's first interval; 0: not known
  std::uint32_t barriers = 0;      // that the block has passed
  std::uint32_t barrier_site = 0;  // of the first that came to the next one; 0: none yet
};
static_assert(sizeof(ShadowState) <= shadow::header_bytes);

// The words of an array that the kernel writes; `bytes` is 0 where no thread does.
struct ShadowedArray {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::uint64_t* writes = nullptr;
  std::uint64_t* reads = nullptr;
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

// A Mersenne Twister as NumPy's legacy generator has it; two a thread, one after the other. The
// code of CPU functions knows the layout (frontend/python/random_intrinsics.cpp).
struct RandomState {
  std::uint32_t words[624] = {};
  std::uint32_t next = 624;      // of the words; 624: none is left
  std::uint32_t has_normal = 0;  // the second number of a pair of normal ones is kept
  double normal = 0;
  std::uint32_t is_seeded = 0;  // else the first refill seeds it from the system
};

// What the code of CPU functions asks of the runtime. `launch` is the caller's own.
struct CpuServices {
  // Memory of the call, aligned to 64 bytes; null when there is none left. `kind`: 1 for zeroed
  // memory, 2 for an owner, which is zeroed, too; see resize.
  std::byte* (*allocate)(const CpuLaunch* launch, std::uint64_t bytes, std::uint32_t kind);
  // The state of the call's memory, for `release`: frees what was allocated since, but the memory
  // that one of the `count` pointers lies in.
  std::uint64_t (*mark)(const CpuLaunch* launch);
  void (*release)(
      const CpuLaunch* launch,
      std::uint64_t mark,
      const std::byte* const* kept,
      std::uint64_t count);
  // Runs the blocks [0, chunks) of `body` on all cores; returns when all are done. `size` is how
  // much one of them has to do, `cost` a word of the caller's, 0 at first, that is kept from call
  // to call. Where one raised, the launch's error record is filled, and others may be left out.
  void (*parallel)(
      const CpuLaunch* launch,
      CpuKernel body,
      float* cost,
      const std::byte* parameters,
      std::uint64_t chunks,
      std::uint64_t size);
  void (*random_refill)(RandomState* state);
  // The memory whose address is the owner's first word, made so long with its content kept; null
  // when there is none left. It is freed with the owner.
  std::byte* (*resize)(std::byte** owner, std::uint64_t bytes);
};

struct CpuLaunch {
  const std::byte* parameters = nullptr;  // laid out as ir/abi.h says
  std::uint32_t grid[3] = {1, 1, 1};
  std::uint32_t block[3] = {1, 1, 1};
  std::uint32_t dynamic_shared_bytes = 0;
  // Arrays of at least this many KiB are written past the caches, where a kernel only writes them;
  // 0: no.
  std::uint32_t non_temporal_kib = 0;
  ErrorLog* errors = nullptr;  // null: reports are off
  // Called once for each thread that prints; `format` has one {} a value. Thread-safe.
  void (*print)(const char* format, const PrintValue* values, std::uint32_t count) = nullptr;
  const CpuServices* services = nullptr;  // of CPU functions; null for kernels
  void* memory = nullptr;                 // the services' own: what the call has allocated
  RandomState* random = nullptr;          // of CPU functions: the running thread's
  // Called by one thread of each block: returns when all other blocks wait too, or have ended.
  // Null where blocks run one after the other.
  void (*wait_for_grid)(void* grid) = nullptr;
  void* grid_state = nullptr;
  // Called now and then from loops of kernels that can be interrupted: true ends the block.
  bool (*is_stopped)(const CpuLaunch* launch) = nullptr;
  void* stop = nullptr;                     // for `is_stopped`
  const ShadowedArray* shadowed = nullptr;  // one for each of Entry::shadowed_arrays
  std::uint64_t shadowed_count = 0;
  std::uint64_t first_epoch = 0;  // of block 0; epochs of older launches are below
};

}  // namespace phalanx
