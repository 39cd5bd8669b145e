// Random kernels on a real GPU compute what the reference interpreter does; skipped without one.
//
// PHALANX_FUZZ kernels of each kind are tried, from PHALANX_FUZZ_FIRST on; tools/gpu/fuzz.py runs
// many, in processes that may be lost with the GPU's context.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "phalanx/codegen/codegen.h"
#include "phalanx/ir/parser.h"
#include "phalanx/ir/printer.h"
#include "phalanx/passes/pipeline.h"
#include "phalanx/runtime/runtime.h"
#include "tests/support/fuzz_kernel.h"

namespace phalanx::testing {
namespace {

std::uint64_t setting(const char* name, std::uint64_t otherwise) {
  const char* asked = std::getenv(name);
  return asked == nullptr ? otherwise : std::stoull(asked);
}

class FuzzedKernelsOnTheGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    if (runtime_.cuda_device_count() == 0)
      GTEST_SKIP() << runtime_.driver_info().problem;
  }

  void compare_all(std::uint64_t first, const FuzzOptions& options);
  void compare(std::uint64_t seed, const FuzzOptions& options);
  void run(const FuzzKernel& kernel, FuzzKernel::Arguments& arguments);

  runtime::Runtime runtime_{runtime::RuntimeOptions{}};
};

void FuzzedKernelsOnTheGpu::run(const FuzzKernel& kernel, FuzzKernel::Arguments& arguments) {
  runtime::Device& device = runtime_.cuda(0);
  runtime::Stream& stream = *device.default_stream();
  const auto module = ir::parse(ir::print(kernel.module()));
  passes::run_standard(*module);
  codegen::Options exact;
  exact.contract = false;
  Binary binary = codegen::compile_ptx(
      *module, codegen::cuda_target(device.limits().compute_capability), exact);
  const auto executable = device.load(std::move(binary), "kernel");
  std::vector<runtime::Buffer> buffers;
  std::array<std::uint64_t, FuzzKernel::arrays> addresses{};
  const auto memory = kernel.memory(arguments);
  for (std::size_t i = 0; i < memory.size(); ++i) {
    buffers.push_back(device.allocate(memory.at(i).size()));
    addresses.at(i) = buffers.back().address();
    device.copy_to_device(addresses.at(i), memory.at(i).data(), memory.at(i).size(), stream);
  }
  const auto [gx, gy, gz] = kernel.grid();
  const auto [bx, by, bz] = kernel.block();
  device.launch(*executable, {{gx, gy, gz}, {bx, by, bz}}, kernel.parameters(addresses), stream);
  for (std::size_t i = FuzzKernel::first_output; i < memory.size(); ++i)
    device.copy_to_host(memory.at(i).data(), addresses.at(i), memory.at(i).size(), stream);
  stream.synchronize();
}

void FuzzedKernelsOnTheGpu::compare(std::uint64_t seed, const FuzzOptions& options) {
  const FuzzKernel kernel(seed, options);
  const auto expected = kernel.arguments();
  ASSERT_TRUE(interpret(kernel.module(), kernel.launch(*expected)).is_complete);
  const auto actual = kernel.arguments();
  run(kernel, *actual);
  ASSERT_TRUE(*actual == *expected) << "seed " << seed << "\n" << ir::print(kernel.module());
}

void FuzzedKernelsOnTheGpu::compare_all(std::uint64_t first, const FuzzOptions& options) {
  first += setting("PHALANX_FUZZ_FIRST", 0);
  for (std::uint64_t seed = first; seed < first + setting("PHALANX_FUZZ", 20); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));  // of an exception too
    compare(seed, options);
    if (HasFatalFailure())
      break;
  }
}

TEST_F(FuzzedKernelsOnTheGpu, AgreeWithTheInterpreter) {
  compare_all(20000, {.has_barriers = false});
}

TEST_F(FuzzedKernelsOnTheGpu, AgreeWithTheInterpreterAcrossBarriers) {
  compare_all(10000000, {.has_barriers = true});
}

}  // namespace
}  // namespace phalanx::testing
