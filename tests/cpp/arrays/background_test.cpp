// Kernels that are compiled in background while single operations run.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "phalanx/base/errors.h"
#include "tests/cpp/arrays/harness.h"

namespace phalanx::arrays {
namespace {

using namespace std::chrono_literals;  // NOLINT(google-build-using-namespace)

constexpr auto compiling = "the kernel that has it and what reads it is being compiled";
constexpr auto not_compiled = "the kernel that has it and what reads it could not be compiled";

// A compiler that waits on other threads than the one that made it, or fails there.
struct Hindered {
  std::thread::id own = std::this_thread::get_id();
  std::atomic<bool> is_open = false;
  std::atomic<bool> fails = false;
  std::atomic<int> runs = 0;

  jit::Compiler table() {
    jit::Compiler compiler = jit::Compiler::standard();
    compiler.compile = [this, compile = compiler.compile](const auto&... arguments) {
      if (std::this_thread::get_id() != own) {
        ++runs;
        while (!is_open) std::this_thread::sleep_for(1ms);
        if (fails)
          throw CompileError(CompileError::Kind::lowering, "no code today");
      }
      return compile(arguments...);
    };
    return compiler;
  }
};

class BackgroundCompile : public testing::Test {
 protected:
  BackgroundCompile() { harness.graph.set_background_compile(true); }
  ~BackgroundCompile() override { hindered.is_open = true; }

  NodePtr product() { return harness.apply("multiply", {x.value(), x.value()}); }
  NodePtr expression() { return harness.apply("subtract", {product(), y.value()}); }

  std::uint64_t launched_by(const NodePtr& node) {
    const std::uint64_t before = harness.kernels();
    EXPECT_EQ(harness.values(node), (std::vector<double>{-5, -4, -1, 4}));
    return harness.kernels() - before;
  }
  std::vector<std::string> reasons(const NodePtr& node) {
    std::vector<std::string> reasons;
    for (const KernelRecord& record : harness.graph.explain(node))
      reasons.emplace_back(to_string(record.why));
    return reasons;
  }
  // The singles of expression().
  void make_singles() {
    const NodePtr computed = product();
    harness.graph.evaluate(computed);
    harness.graph.evaluate(harness.apply("subtract", {computed, y.value()}));
  }
  // True once the background thread has done `done`.
  template <typename Done>
  static bool comes_true(const Done& done) {
    for (int i = 0; i < 10000 && !done(); ++i) std::this_thread::sleep_for(1ms);
    return done();
  }

  Hindered hindered;
  Harness harness{hindered.table()};
  Array x = harness.counted({4});
  Array y = harness.array({4}, {5, 5, 5, 5});
};

TEST_F(BackgroundCompile, SingleOperationsRunUntilTheKernelIsThere) {
  make_singles();
  const NodePtr first = expression();
  EXPECT_EQ(launched_by(first), 2U);
  EXPECT_EQ(reasons(first), (std::vector<std::string>{compiling, "it was asked for"}));
  EXPECT_EQ(launched_by(expression()), 2U);  // which does not begin another compilation
  hindered.is_open = true;
  EXPECT_TRUE(comes_true([&] { return launched_by(expression()) == 1; }));
  EXPECT_EQ(hindered.runs, 1);
  EXPECT_TRUE(harness.engine.take_warnings().empty());
}

TEST_F(BackgroundCompile, WhatHasNoSingleOperationsIsWaitedFor) {
  EXPECT_EQ(launched_by(expression()), 1U);
  EXPECT_EQ(hindered.runs, 0);
}

TEST_F(BackgroundCompile, OffItWaits) {
  make_singles();
  harness.graph.set_background_compile(false);
  EXPECT_EQ(launched_by(expression()), 1U);
  EXPECT_EQ(hindered.runs, 0);
}

TEST_F(BackgroundCompile, AfterAFailureSingleOperationsStayAndOneWarningTells) {
  make_singles();
  hindered.fails = true;
  EXPECT_EQ(launched_by(expression()), 2U);
  hindered.is_open = true;
  EXPECT_TRUE(comes_true([&] { return harness.engine.has_warnings(); }));
  const auto warnings = harness.engine.take_warnings();
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings.front().warning.kind, Warning::Kind::fallback);
  EXPECT_NE(warnings.front().warning.text.find("no code today"), std::string::npos);
  EXPECT_NE(warnings.front().warning.text.find("(a * a) - b"), std::string::npos)
      << warnings.front().warning.text;
  for (int i = 0; i < 3; ++i) {
    const NodePtr again = expression();
    EXPECT_EQ(launched_by(again), 2U);
    EXPECT_EQ(reasons(again), (std::vector<std::string>{not_compiled, "it was asked for"}));
  }
  EXPECT_FALSE(harness.engine.has_warnings());
  EXPECT_EQ(hindered.runs, 1);
}

TEST_F(BackgroundCompile, ThreadsThatAskTogetherBeginOneCompilation) {
  make_singles();
  std::vector<std::thread> threads(4);
  for (std::thread& thread : threads)
    thread = std::thread([&] {
      jit::set_current_device(harness.engine.runtime().cpu());
      EXPECT_EQ(harness.values(expression()), (std::vector<double>{-5, -4, -1, 4}));
    });
  for (std::thread& thread : threads) thread.join();
  hindered.is_open = true;
  EXPECT_TRUE(comes_true([&] { return launched_by(expression()) == 1; }));
  EXPECT_EQ(hindered.runs, 1);
}

TEST_F(BackgroundCompile, TimedKernelsAreWhole) {
  make_singles();
  const auto records = harness.graph.time(expression());
  EXPECT_EQ(records.size(), 1U);
  EXPECT_EQ(hindered.runs, 0);
}

TEST_F(BackgroundCompile, ReadingToTheHostDoesNotWaitEither) {
  make_singles();
  std::vector<double> host(4);
  harness.graph.read(expression(), host.data());
  EXPECT_EQ(host, (std::vector<double>{-5, -4, -1, 4}));
  EXPECT_TRUE(comes_true([&] { return hindered.runs == 1; }));
}

TEST_F(BackgroundCompile, AnEngineMayEndMeanwhile) {
  make_singles();
  EXPECT_EQ(launched_by(expression()), 2U);
  hindered.is_open = true;
}

}  // namespace
}  // namespace phalanx::arrays
