// Random kernels on a real GPU compute what the reference interpreter does; skipped without one.
//
// PHALANX_FUZZ kernels of each kind are tried, from PHALANX_FUZZ_FIRST on; tools/gpu/fuzz.py runs
// many, in processes that may be lost with the GPU's context. Where a kernel differs, the test
// says where, which of the compilers' settings make it right, and its text at three stages.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "phalanx/codegen/codegen.h"
#include "phalanx/codegen/nvptx/backend.h"
#include "phalanx/ir/parser.h"
#include "phalanx/ir/printer.h"
#include "phalanx/passes/pipeline.h"
#include "phalanx/runtime/runtime.h"
#include "tests/support/fuzz_generator.h"
#include "tests/support/fuzz_kernel.h"

namespace phalanx::test {
namespace {

std::uint64_t setting(const char* name, std::uint64_t otherwise) {
  const char* asked = std::getenv(name);
  return asked == nullptr ? otherwise : std::stoull(asked);
}

// A way to compile a kernel.
struct Variant {
  std::string_view name;
  bool has_passes = true;  // those over our IR
  unsigned llvm = 3;       // optimization levels
  unsigned assembler = 4;
};
constexpr Variant usual{"as always"};
constexpr std::array others = {
    Variant{"as always, again"},
    Variant{.name = "ptxas -O0", .assembler = 0},
    Variant{.name = "ptxas -O1", .assembler = 1},
    Variant{.name = "without our passes", .has_passes = false},
    Variant{.name = "LLVM -O0", .llvm = 0},
    Variant{.name = "LLVM -O0, ptxas -O0", .llvm = 0, .assembler = 0},
    Variant{.name = "nothing optimized", .has_passes = false, .llvm = 0, .assembler = 0}};

template <typename Number>
void compare_array(
    std::string_view name,
    const std::vector<Number>& actual,
    const std::vector<Number>& expected,
    std::vector<std::string>& found) {
  const auto is_nan = [](Number x) { return x != x; };  // NOLINT(misc-redundant-expression)
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const bool is_same = std::memcmp(&actual[i], &expected[i], sizeof(Number)) == 0;
    if (is_same || (is_nan(actual[i]) && is_nan(expected[i])))
      continue;
    found.push_back(fmt::format(
        "{}[{}]{}: {}, not {}",
        name,
        i,
        i + atomic_elements < actual.size() ? fmt::format(" of thread {}", i / elements_per_thread)
                                            : " of all threads",
        actual[i],
        expected[i]));
  }
}

std::vector<std::string> differences(
    const FuzzKernel::Arguments& actual, const FuzzKernel::Arguments& expected) {
  std::vector<std::string> found;
  compare_array("integers", actual.integers, expected.integers, found);
  compare_array("floats", actual.floats, expected.floats, found);
  compare_array("singles", actual.singles, expected.singles, found);
  return found;
}

std::string first_lines(const std::vector<std::string>& lines) {
  constexpr std::size_t most = 20;
  const auto shown = std::span(lines).first(std::min(most, lines.size()));
  return fmt::format("{} differences\n  {}\n", lines.size(), fmt::join(shown, "\n  "));
}

class FuzzedKernelsOnTheGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    if (runtime_.cuda_device_count() == 0)
      GTEST_SKIP() << runtime_.driver_info().problem;
  }

  void compare_all(std::uint64_t first, const FuzzOptions& options);
  void compare(std::uint64_t seed, const FuzzOptions& options);
  Binary ptx(const FuzzKernel& kernel, const Variant& variant);
  void run(const FuzzKernel& kernel, const Variant& variant, FuzzKernel::Arguments& arguments);
  std::string diagnosis(const FuzzKernel& kernel, const FuzzKernel::Arguments& expected);

  runtime::Runtime runtime_{runtime::RuntimeOptions{}};
};

Binary FuzzedKernelsOnTheGpu::ptx(const FuzzKernel& kernel, const Variant& variant) {
  const auto module = ir::parse(ir::print(kernel.module()));
  if (variant.has_passes)
    passes::run_standard(*module);
  codegen::Options options;
  options.contract = false;
  options.optimization = variant.llvm;
  const unsigned capability = runtime_.cuda(0).limits().compute_capability;
  return codegen::compile(*module, codegen::nvptx::cuda_target(capability), options);
}

void FuzzedKernelsOnTheGpu::run(
    const FuzzKernel& kernel, const Variant& variant, FuzzKernel::Arguments& arguments) {
  runtime::Device& device = runtime_.cuda(0);
  runtime::Stream& stream = *device.default_stream();
  const runtime::LoadOptions options = {.optimization = variant.assembler};
  const auto executable = device.load(ptx(kernel, variant), "kernel", options);
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

std::string FuzzedKernelsOnTheGpu::diagnosis(
    const FuzzKernel& kernel, const FuzzKernel::Arguments& expected) {
  std::string text;
  for (const Variant& variant : others) {
    const auto actual = kernel.arguments();
    run(kernel, variant, *actual);
    const std::size_t count = differences(*actual, expected).size();
    text += fmt::format(
        "{}: {}\n", variant.name, count == 0 ? "right" : fmt::format("{} differences", count));
  }
  const auto module = ir::parse(ir::print(kernel.module()));
  passes::run_standard(*module);
  const Binary assembly = ptx(kernel, usual);
  return text + fmt::format(
                    "--- as made\n{}\n--- after our passes\n{}\n--- PTX\n{}\n",
                    ir::print(kernel.module()),
                    ir::print(*module),
                    reinterpret_cast<const char*>(assembly.code.data()));
}

void FuzzedKernelsOnTheGpu::compare(std::uint64_t seed, const FuzzOptions& options) {
  const FuzzKernel kernel(seed, options);
  const auto expected = kernel.arguments();
  ASSERT_TRUE(interpret(kernel.module(), kernel.launch(*expected)).is_complete);
  const auto actual = kernel.arguments();
  run(kernel, usual, *actual);
  ASSERT_TRUE(*actual == *expected)
      << "seed " << seed << ": " << first_lines(differences(*actual, *expected))
      << diagnosis(kernel, *expected);
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

TEST_F(FuzzedKernelsOnTheGpu, AgreeWithTheInterpreterAcrossBlockVotes) {
  compare_all(20000000, {.has_barriers = true, .has_block_votes = true});
}

}  // namespace
}  // namespace phalanx::test
