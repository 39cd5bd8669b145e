// Random kernels become PTX that ptxas takes; that they compute the right thing needs a GPU.
#include <gtest/gtest.h>

#include "phalanx/codegen/codegen.h"
#include "phalanx/codegen/nvptx/backend.h"
#include "phalanx/ir/parser.h"
#include "phalanx/ir/printer.h"
#include "phalanx/passes/pipeline.h"
#include "ptxas.h"
#include "tests/support/fuzz_kernel.h"

namespace phalanx {
namespace {

constexpr std::uint64_t seeds = 30;

TEST(FuzzedPtx, assembles) {
  if (test::ptxas_path().empty())
    GTEST_SKIP() << "ptxas is not installed";
  test::use_libdevice();
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const test::FuzzKernel kernel(seed, {.has_block_votes = seed % 2 == 1});
    auto module = ir::parse(ir::print(kernel.module()));
    passes::run_standard(*module);
    const Target target = codegen::nvptx::cuda_target(seed % 2 == 0 ? 75 : 90);
    const Binary binary =
        codegen::compile(*module, target, {.contract = seed % 3 == 0, .debug = true});
    const test::Assembly assembly = test::assemble(test::text_of(binary), target.cpu);
    ASSERT_TRUE(assembly.succeeded) << "seed " << seed << "\n" << assembly.messages;
  }
}

}  // namespace
}  // namespace phalanx
