// What the compiler hands to the runtime: machine code and what a launch must know of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace phalanx {

enum class BinaryKind : std::uint8_t { object, ptx, cubin };

struct Binary {
  BinaryKind kind = BinaryKind::object;
  std::string entry;                     // symbol of the kernel (CPU: a CpuKernel)
  std::vector<std::byte> code;           // ELF object, PTX text (NUL-terminated) or cubin
  std::uint32_t parameter_bytes = 0;     // size of the packed parameter block (ir/abi.h)
  std::uint32_t shared_bytes = 0;        // static shared memory of a block
  std::uint32_t lanes = 0;               // CPU: threads in a vector; GPU: 0
  std::uint32_t warp_bytes = 0;          // CPU: scratch of one warp (`lanes` threads)
  std::vector<std::string> raise_sites;  // message of each raise, "file:line: Type: text"
  bool uses_print = false;
  std::string result;  // type of what a CPU function stores, as the IR prints it; else empty
  bool is_cooperative = false;  // all blocks of a grid have to run at once
  bool stages_tiles = false;    // CPU: a barrier in a loop: a block reads tile after tile

  bool operator==(const Binary&) const = default;
};

// Bytes of scratch a CPU launch needs on each thread (cpu_kernel.h).
constexpr std::size_t scratch_bytes(
    const Binary& binary, std::size_t block_threads, std::size_t dynamic_shared_bytes) {
  constexpr auto rounded = [](std::size_t bytes) { return (bytes + 63) / 64 * 64; };
  const std::size_t warps =
      binary.lanes == 0 ? 0 : (block_threads + binary.lanes - 1) / binary.lanes;
  return rounded(binary.shared_bytes) + rounded(dynamic_shared_bytes) +
         rounded(binary.warp_bytes) * warps;
}

}  // namespace phalanx
