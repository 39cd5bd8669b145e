// From IR to machine code: x86 objects for the CPU device, PTX for the GPU. base/devices.def lists
// the code generators.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "phalanx/base/binary.h"
#include "phalanx/base/fast_math.h"
#include "phalanx/base/fault.h"
#include "phalanx/base/target.h"
#include "phalanx/ir/ir.h"

namespace phalanx::codegen {

struct Options {
  bool contract = true;    // a * b + c may become one fused multiply-add, as on the GPU
  FastMath fastmath = {};  // what else it may take for granted
  bool debug = false;      // raise and assert report to the host
  bool lineinfo = false;
  Checks checks = {};  // check mode: what passes::run_standard put in, and the code looks for
  unsigned optimization = 3;   // 0 to 3
  unsigned max_registers = 0;  // GPU; 0: the compiler's choice
  unsigned max_threads = 0;    // GPU launch bounds; 0: none
  unsigned min_blocks = 0;     // GPU launch bounds; 0: none

  bool contracts() const { return contract || fastmath.has(FastFlag::contract); }
  // True if a launch may end with an exception of the kernel.
  bool reports() const { return debug || checks.any(); }

  bool operator==(const Options&) const = default;
};

// What a launch's block shape lets the CPU code assume of the threads in one warp.
enum class BlockShape : std::uint8_t {
  one_dimensional,  // (n, 1, 1): threadIdx.x is affine in the lane, y and z are 0
  rows,             // block.x is a multiple of the lanes: x is affine, y and z are uniform
  general,          // anything else
  exact_rows,       // block.x equals the lanes: x is the lane, y and z are uniform
  single,           // one block of one thread, with one lane: a CPU function
};

struct CpuVariant {
  unsigned lanes = 32;  // threads in a vector: 1 (scalar reference), 4, 8, 16 or 32
  BlockShape shape = BlockShape::general;
  // The extents of the launch's blocks, where known: code that gains by them runs no others
  // (Entry::block).
  std::array<std::uint32_t, 3> block = {};
  // With `one_dimensional`, of a kernel that may run in any blocks (grid_position.h): the dimension
  // of the grid that the launch lays out as rows of threads. It and x are exchanged.
  std::optional<unsigned> lane_axis;

  bool operator==(const CpuVariant&) const = default;
};

// Where the launch has what the kernel calls `dimension`.
constexpr unsigned launch_dimension(const CpuVariant& variant, std::int64_t dimension) {
  const unsigned axis = variant.lane_axis.value_or(0);
  if (dimension == axis)
    return 0;
  return dimension == 0 ? axis : static_cast<unsigned>(dimension);
}

// How a CPU object names the memory of a module's global `bar`, which is the module's and not the
// object's; PTX, whose image has it, names it so as well.
inline constexpr std::string_view global_prefix = "phalanx_global_";

// A code generator: how code is made for one kind of device.
struct Backend {
  // What code is generated for on a device of that compute capability (10 * major + minor); 0 on
  // the CPU, whose target is the host. Throws CompileError where it is too old.
  Target (*target)(unsigned compute_capability);
  // What packages ship code for, the best first: the code runs on many targets.
  std::vector<Target> (*common_targets)();
  // True if such code runs there.
  bool (*runs)(const Target& host, const Target& common);
  // True if the code is made for the blocks of a launch, as CpuVariant says.
  bool is_for_blocks;
  // The module must have been through passes::run_standard, and stays as it is. Throws
  // CompileError for what the device cannot do.
  Binary (*compile)(
      const ir::Module& module,
      const Target& target,
      const Options& options,
      const CpuVariant& variant);
  // LLVM IR text before and after optimisation, for `inspect_llvm` and golden tests.
  std::string (*llvm_text)(
      const ir::Module& module,
      const Target& target,
      const Options& options,
      const CpuVariant& variant,
      bool optimized);
  // The code as text, for `inspect_asm`.
  std::string (*assembly)(const Binary& binary, const Target& target);
};

const Backend& backend_of(DeviceKind kind);

// The same of the target's code generator.
Target target_of(DeviceKind kind, unsigned compute_capability);
// The common targets whose code runs on the host, the best first.
std::vector<Target> common_targets_for(const Target& host);
// "x86-64-v4", "sm_90". Throws ValueError that lists them.
Target common_target(std::string_view name);
Binary compile(
    const ir::Module& module,
    const Target& target,
    const Options& options,
    const CpuVariant& variant = {});

}  // namespace phalanx::codegen
