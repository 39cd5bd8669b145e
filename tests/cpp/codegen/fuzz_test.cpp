// The CPU's code of random kernels computes what the reference interpreter does, for every width.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "phalanx/ir/printer.h"
#include "tests/cpp/codegen/cpu/harness.h"
#include "tests/support/fuzz_kernel.h"

namespace phalanx::test {
namespace {

std::uint64_t setting(const char* name, std::uint64_t otherwise) {
  const char* asked = std::getenv(name);
  return asked == nullptr ? otherwise : std::stoull(asked);
}

// Ten of each kind, or as many as PHALANX_FUZZ says: each is compiled four times. Other kernels
// from another PHALANX_FUZZ_SEED.
std::uint64_t kernels() { return setting("PHALANX_FUZZ", 10); }
std::uint64_t first_seed() { return setting("PHALANX_FUZZ_SEED", 0); }

Extent extent(const std::array<std::uint32_t, 3>& places) {
  return {places[0], places[1], places[2]};
}

void compare(std::uint64_t seed, const FuzzOptions& options, unsigned lanes) {
  const FuzzKernel kernel(seed, options);
  const auto expected = kernel.arguments();
  ASSERT_TRUE(interpret(kernel.module(), kernel.launch(*expected)).is_complete);
  const std::string text = ir::print(kernel.module());
  codegen::Options exact;
  exact.contract = false;
  const Extent block = extent(kernel.block());
  const codegen::CpuVariant variant = {
      .lanes = lanes, .shape = shape_of(block, lanes), .block = kernel.block()};
  Compiled compiled(text, variant, exact);
  compiled.non_temporal_kib = 1;  // even these small arrays
  const auto actual = kernel.arguments();
  Arguments parameters;
  for (const std::byte byte : actual->parameters) parameters.add(byte);
  compiled.run(extent(kernel.grid()), block, parameters);
  ASSERT_TRUE(*actual == *expected) << "seed " << seed << ", " << lanes << " lanes, block of "
                                    << block.x << ": " << actual->difference(*expected) << "\n"
                                    << text;
}

class FuzzedKernelsOnTheCpu : public ::testing::TestWithParam<unsigned> {};

TEST_P(FuzzedKernelsOnTheCpu, AgreeWithTheInterpreter) {
  for (std::uint64_t seed = 0; seed < kernels(); ++seed)
    compare(first_seed() + seed, {.has_barriers = false, .has_warp_operations = false}, GetParam());
}

TEST_P(FuzzedKernelsOnTheCpu, AgreeWithTheInterpreterAcrossBarriers) {
  for (std::uint64_t seed = 0; seed < kernels(); ++seed)
    compare(
        first_seed() + 10000 + seed,
        {.has_barriers = true, .has_warp_operations = false},
        GetParam());
}

TEST_P(FuzzedKernelsOnTheCpu, AgreeWithTheInterpreterAcrossBlockVotes) {
  for (std::uint64_t seed = 0; seed < kernels(); ++seed)
    compare(
        first_seed() + 30000 + seed,
        {.has_barriers = true, .has_block_votes = true, .has_warp_operations = false},
        GetParam());
}

// Such kernels have warps of 32 threads.
TEST(FuzzedWarpsOnTheCpu, AgreeWithTheInterpreter) {
  constexpr unsigned lanes = 32;
  for (std::uint64_t seed = 0; seed < 2 * kernels(); ++seed)
    compare(first_seed() + 20000 + seed, {.has_barriers = seed % 2 == 0}, lanes);
}

INSTANTIATE_TEST_SUITE_P(Lanes, FuzzedKernelsOnTheCpu, ::testing::Values(1U, 8U, 16U, 32U));

}  // namespace
}  // namespace phalanx::test
