// Passes keep the meaning of random kernels, and their text is read back.
#include <gtest/gtest.h>

#include <set>

#include "phalanx/ir/parser.h"
#include "phalanx/ir/printer.h"
#include "phalanx/ir/verifier.h"
#include "phalanx/passes/pipeline.h"
#include "tests/support/fuzz_kernel.h"

namespace phalanx::passes {
namespace {

using phalanx::test::FuzzKernel;
using phalanx::test::interpret;

constexpr std::uint64_t kernels = 100;

std::unique_ptr<FuzzKernel::Arguments> run(const FuzzKernel& kernel, const ir::Module& module) {
  auto arguments = kernel.arguments();
  const auto outcome = interpret(module, kernel.launch(*arguments));
  EXPECT_TRUE(outcome.is_complete) << ir::print(module);
  return arguments;
}

TEST(FuzzedKernels, AreReadBackAsTheyWerePrinted) {
  for (std::uint64_t seed = 0; seed < kernels; ++seed) {
    const FuzzKernel kernel(seed, {});
    ir::verify(kernel.module());
    const std::string text = ir::print(kernel.module());
    EXPECT_EQ(ir::print(*ir::parse(text)), text);
  }
}

TEST(FuzzedKernels, KeepTheirResultsThroughThePasses) {
  for (std::uint64_t seed = 0; seed < kernels; ++seed) {
    const FuzzKernel kernel(
        seed, {.has_barriers = seed % 2 == 0, .has_block_votes = seed % 4 == 0});
    const auto expected = run(kernel, kernel.module());
    const auto module = ir::parse(ir::print(kernel.module()));
    run_standard(*module);
    ASSERT_TRUE(*run(kernel, *module) == *expected) << "seed " << seed << "\n"
                                                    << ir::print(kernel.module()) << "\nbecame\n"
                                                    << ir::print(*module);
  }
}

// Alone and twice: no pass may need the shape that another leaves.
TEST(FuzzedKernels, KeepTheirResultsThroughEachPassAlone) {
  for (std::uint64_t seed = 0; seed < kernels / 4; ++seed) {
    const FuzzKernel kernel(
        1000 + seed, {.has_barriers = seed % 2 == 0, .has_block_votes = seed % 4 == 0});
    const auto expected = run(kernel, kernel.module());
    std::set<std::string_view> seen;
    for (const Pass& pass : pipeline()) {
      if (!pass.when(kernel.module(), {}) || !seen.insert(pass.name).second)
        continue;
      SCOPED_TRACE("seed " + std::to_string(seed) + ", " + std::string(pass.name));
      const auto module = ir::parse(ir::print(kernel.module()));
      for (int round = 0; round < 2; ++round) passes::run(pass, *module);
      ASSERT_TRUE(*run(kernel, *module) == *expected) << pass.name << ", seed " << seed << "\n"
                                                      << ir::print(kernel.module()) << "\nbecame\n"
                                                      << ir::print(*module);
    }
  }
}

}  // namespace
}  // namespace phalanx::passes
