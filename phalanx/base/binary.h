// What the compiler hands to the runtime: machine code and what a launch must know of it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "phalanx/base/cpu_kernel.h"
#include "phalanx/base/fault.h"
#include "phalanx/base/launch_memory.h"
#include "phalanx/base/warning.h"

namespace phalanx {

enum class BinaryKind : std::uint8_t { object, ptx, cubin };

// An array among the parameters whose elements check mode follows.
struct ShadowedParameter {
  std::uint32_t offset = 0;  // of its slots in the parameter block (ir/abi.h)
  std::uint32_t dimensions = 0;
  std::uint32_t item_bytes = 0;
  bool has_strides = false;  // its slots end with strides
  bool is_written = false;   // by the kernel

  bool operator==(const ShadowedParameter&) const = default;
};

// A kernel in an image, and what a launch must know of it.
struct Entry {
  std::string symbol;                 // CPU: of a CpuKernel
  std::uint32_t parameter_bytes = 0;  // size of the packed parameter block (ir/abi.h)
  std::uint32_t shared_bytes = 0;     // static shared memory of a block
  // GPU: how many of these bytes lie first in dynamic shared memory: a module has 48 KB of the
  // other at most.
  std::uint32_t moved_shared_bytes = 0;
  LaunchMemory launch_memory;    // arrays that the launch sizes
  std::uint32_t lanes = 0;       // CPU: threads in a vector; GPU: 0
  std::uint32_t warp_bytes = 0;  // CPU: scratch of one warp (`lanes` threads)
  std::string result;  // type of what a CPU function stores, as the IR prints it; else empty
  bool is_cooperative = false;  // all blocks of a grid have to run at once
  bool stages_tiles = false;    // CPU: a barrier in a loop: a block reads tile after tile
  bool can_stop = false;        // CPU: its loops ask CpuLaunch::is_stopped
  std::array<std::uint32_t, 3> block = {};  // CPU: the only extents of blocks that it runs; 0: any
  // CPU: the dimension of the grid whose threads are laid out in rows, whatever the launch's
  // blocks.
  std::optional<unsigned> lane_axis;
  // Check mode on the CPU: accesses are followed in granules of these powers of two bytes.
  bool has_shadow = false;
  std::uint32_t shared_granule = 0;
  std::uint32_t global_granule = 0;
  std::vector<ShadowedParameter> shadowed_arrays;

  bool operator==(const Entry&) const = default;
};

// An image: the code of a module's kernels and of what they call. On the CPU device it has one
// kernel, since code there is made for the blocks of a launch.
struct Binary {
  BinaryKind kind = BinaryKind::object;
  std::vector<std::byte> code;         // ELF object, PTX text (NUL-terminated) or cubin
  std::vector<Entry> entries{1};       // in the module's order; there is one at least
  std::vector<FaultSite> fault_sites;  // of each raise and each check
  bool uses_print = false;
  std::vector<Warning> warnings;  // of the kernels: the same whether it is compiled or found

  Entry& entry() { return entries.front(); }  // the first, which is the only one of most
  const Entry& entry() const { return entries.front(); }

  bool operator==(const Binary&) const = default;
};

// Bytes of the shadow memory in the scratch of a launch (cpu_kernel.h), of `shared_bytes` in all.
constexpr std::size_t shadow_memory_bytes(const Entry& entry, std::size_t shared_bytes) {
  if (!entry.has_shadow)
    return 0;
  const std::size_t words = (shared_bytes >> entry.shared_granule) + shadow::margin_words;
  return shadow::header_bytes + 2 * words * sizeof(std::uint32_t);
}

// Bytes of scratch a CPU launch needs on each thread (cpu_kernel.h).
constexpr std::size_t scratch_bytes(
    const Entry& entry, std::size_t block_threads, std::size_t dynamic_shared_bytes) {
  const std::size_t warps = entry.lanes == 0 ? 0 : (block_threads + entry.lanes - 1) / entry.lanes;
  const std::size_t shared =
      rounded_in_scratch(entry.shared_bytes) + rounded_in_scratch(dynamic_shared_bytes);
  return shared + rounded_in_scratch(shadow_memory_bytes(entry, shared)) +
         rounded_in_scratch(entry.warp_bytes) * warps;
}

}  // namespace phalanx
