// Compilations that others wait for, and those that nobody waits for because a substitute runs.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/ir/parser.h"
#include "phalanx/jit/dispatch.h"
#include "phalanx/jit/kernel.h"
#include "tests/cpp/jit/fake_compiler.h"
#include "tests/cpp/jit/temporary_directory.h"

namespace phalanx::jit {
namespace {

using namespace std::chrono_literals;  // NOLINT(google-build-using-namespace)
using Code = std::shared_ptr<runtime::Executable>;

// Polls, so that a forked child may use it as its parent left it.
class Gate {
 public:
  void pass() {
    ++arrived_;
    while (!is_open_) std::this_thread::sleep_for(1ms);
  }
  void open() { is_open_ = true; }
  void await_arrivals(int count) const {
    while (arrived_ < count) std::this_thread::sleep_for(1ms);
  }
  int arrived() const { return arrived_; }

 private:
  std::atomic<int> arrived_ = 0;
  std::atomic<bool> is_open_ = false;
};

// The exit status of a child that runs `body` and then exits with 7; -1 after a signal, which one
// that hangs gets after a minute.
template <typename Body>
int status_of(const Body& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);
    body();
    std::exit(7);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

using Extents = std::array<std::uint32_t, 3>;
constexpr Extents any_size = {};

class KernelReady : public testing::Test {
 protected:
  KernelReady() { fake.is_for_block = true; }

  // Compilations for these blocks wait for the gate.
  void close_gate_for(Extents extents) {
    fake.on_compile = [this, extents](const codegen::CpuVariant& variant) {
      if (variant.block == extents)
        gate.pass();
    };
  }

  std::unique_ptr<Engine> make_engine(bool has_cache = false) {
    CacheOptions cache = {.enabled = has_cache};
    cache.directory = (temporary.path() / "cache").string();
    return std::make_unique<Engine>(cache, fake.table());
  }
  std::shared_ptr<Kernel> make_kernel(Engine& engine, Linker linker = {}) {
    KernelDescription description = {.name = "work", .types = types_of_work()};
    return std::make_shared<Kernel>(
        engine,
        std::move(description),
        [this] {
          ++produced;
          return std::shared_ptr<ir::Module>(ir::parse(text_of_work));
        },
        std::move(linker));
  }
  // A kernel whose code is for one size of blocks, which has it for {16, 16} and for any block.
  std::shared_ptr<Kernel> make_kernel_with_substitute(Engine& engine) {
    auto kernel = make_kernel(engine);
    runtime::Device& cpu = engine.runtime().cpu();
    EXPECT_EQ(kernel->ready(cpu, {16, 16, 1})->entry().block, (Extents{16, 16, 1}));
    for (int i = 0; i < 5000 && kernel->statistics().count(Stage::load) < 2; ++i)
      std::this_thread::sleep_for(1ms);
    EXPECT_EQ(kernel->statistics().count(Stage::load), 2U);
    return kernel;
  }

  // How often code for these blocks was made, once there are `expected` or after a while.
  int runs_for(Extents extents, int expected) {
    long count = 0;
    for (int i = 0; i < 5000 && count < expected; ++i) {
      std::this_thread::sleep_for(i == 0 ? 0ms : 1ms);
      const std::lock_guard lock(fake.mutex);
      count = std::ranges::count(fake.variants, extents, &codegen::CpuVariant::block);
    }
    return static_cast<int>(count);
  }
  static void await_change(const Kernel& kernel, std::uint64_t before) {
    for (int i = 0; i < 5000 && kernel.changes() == before; ++i) std::this_thread::sleep_for(1ms);
    EXPECT_NE(kernel.changes(), before);
  }

  TemporaryDirectory temporary;
  FakeCompiler fake;
  Gate gate;
  std::atomic<int> produced = 0;
};

// ---- Who waits for whom ----

TEST_F(KernelReady, AThreadThatWantsAnotherVariantDoesNotWait) {
  close_gate_for({128, 1, 1});
  const auto engine = make_engine();
  runtime::Device& cpu = engine->runtime().cpu();
  const auto kernel = make_kernel(*engine);
  const Code known = kernel->executable(cpu, {8, 8, 1});
  Code slow;
  std::thread other([&] { slow = kernel->executable(cpu, {128, 1, 1}); });
  gate.await_arrivals(1);
  EXPECT_EQ(kernel->executable(cpu, {8, 8, 1}), known);
  EXPECT_EQ(kernel->loaded(cpu, {8, 8, 1}), known);
  EXPECT_NE(kernel->executable(cpu, {16, 16, 1}), nullptr);
  EXPECT_FALSE(kernel->ptx(90).empty());
  EXPECT_EQ(kernel->loaded(cpu, {128, 1, 1}), nullptr);
  gate.open();
  other.join();
  EXPECT_EQ(kernel->loaded(cpu, {128, 1, 1}), slow);
  EXPECT_EQ(produced, 1);
}

TEST_F(KernelReady, ThreadsThatWantOneVariantWaitForItsOnlyCompilation) {
  close_gate_for({128, 1, 1});
  const auto engine = make_engine();
  const auto kernel = make_kernel(*engine);
  std::array<Code, 4> found;
  std::vector<std::thread> threads;
  for (Code& slot : found)
    threads.emplace_back([&] { slot = kernel->executable(engine->runtime().cpu(), {128, 1, 1}); });
  gate.await_arrivals(1);
  std::this_thread::sleep_for(20ms);
  gate.open();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(fake.runs, 1);
  for (const Code& each : found) EXPECT_EQ(each, found[0]);
}

// Nobody knows yet whether the first thread's code is for its size of blocks only.
TEST_F(KernelReady, AnotherSizeOfBlocksWaitsWhileItMayGetTheSameCode) {
  for (const bool is_for_block : {false, true}) {
    fake.is_for_block = is_for_block;
    Gate first;
    fake.runs = 0;
    fake.on_compile = [&](const codegen::CpuVariant&) { first.pass(); };
    const auto engine = make_engine();
    runtime::Device& cpu = engine->runtime().cpu();
    const auto kernel = make_kernel(*engine);
    std::array<Code, 2> found;
    std::thread one([&] { found[0] = kernel->executable(cpu, {128, 1, 1}); });
    first.await_arrivals(1);
    std::thread two([&] { found[1] = kernel->executable(cpu, {64, 1, 1}); });
    std::this_thread::sleep_for(20ms);
    EXPECT_EQ(first.arrived(), 1);
    first.open();
    one.join();
    two.join();
    EXPECT_EQ(found[0] == found[1], !is_for_block);
    EXPECT_EQ(fake.runs, is_for_block ? 2 : 1);
  }
}

TEST_F(KernelReady, WhoWaitedForAFailureCompilesAndFailsItself) {
  std::atomic<int> failures = 0;
  fake.on_compile = [&](const codegen::CpuVariant&) {
    gate.pass();
    throw CompileError(CompileError::Kind::lowering, "no");
  };
  const auto engine = make_engine();
  const auto kernel = make_kernel(*engine);
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      try {
        kernel->executable(engine->runtime().cpu(), {128, 1, 1});
      } catch (const CompileError&) {
        ++failures;
      }
    });
  }
  gate.await_arrivals(1);
  gate.open();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, 3);
  EXPECT_EQ(fake.runs, 3);
}

// ---- Substitutes ----

TEST_F(KernelReady, CodeForAnySizeOfBlocksHasNoSubstitute) {
  fake.is_for_block = false;
  const auto engine = make_engine();
  runtime::Device& cpu = engine->runtime().cpu();
  const auto kernel = make_kernel(*engine);
  const Code made = kernel->ready(cpu, {128, 1, 1});
  EXPECT_EQ(kernel->ready(cpu, {64, 1, 1}), made);
  EXPECT_EQ(kernel->executable(cpu, {64, 1, 1}), made);
  EXPECT_EQ(fake.runs, 1);
  EXPECT_EQ(kernel->changes(), 0U);
}

TEST_F(KernelReady, TheSubstituteComesAtOnceAndTheSpecialCodeWhenItIsMade) {
  close_gate_for({16, 8, 1});
  const auto engine = make_engine();
  runtime::Device& cpu = engine->runtime().cpu();
  const auto kernel = make_kernel_with_substitute(*engine);
  const Code substitute = kernel->ready(cpu, {16, 8, 1});
  EXPECT_EQ(substitute->entry().block, any_size);
  gate.await_arrivals(1);
  EXPECT_EQ(kernel->ready(cpu, {16, 8, 1}), substitute);
  EXPECT_EQ(kernel->ready(cpu, {16, 4, 1}), substitute);
  EXPECT_EQ(kernel->loaded(cpu, {16, 8, 1}), nullptr);
  const std::uint64_t before = kernel->changes();
  gate.open();
  await_change(*kernel, before);
  EXPECT_EQ(kernel->ready(cpu, {16, 8, 1})->entry().block, (Extents{16, 8, 1}));
  EXPECT_EQ(kernel->ready(cpu, {16, 8, 1}), kernel->executable(cpu, {16, 8, 1}));
  EXPECT_EQ(runs_for({16, 8, 1}, 1), 1);
  EXPECT_EQ(runs_for({16, 4, 1}, 1), 1);
  EXPECT_EQ(runs_for(any_size, 1), 1);
}

TEST_F(KernelReady, ManyThreadsStartOneCompilation) {
  close_gate_for({16, 8, 1});
  const auto engine = make_engine();
  runtime::Device& cpu = engine->runtime().cpu();
  const auto kernel = make_kernel_with_substitute(*engine);
  std::array<Code, 8> found;
  std::array<Code, 4> special;
  std::vector<std::thread> threads;
  for (Code& slot : found) threads.emplace_back([&] { slot = kernel->ready(cpu, {16, 8, 1}); });
  for (std::thread& thread : threads) thread.join();
  for (const Code& each : found) EXPECT_EQ(each->entry().block, any_size);
  gate.await_arrivals(1);
  // executable() gives nothing but the special code, and waits for the thread that makes it.
  threads.clear();
  for (Code& slot : special)
    threads.emplace_back([&] { slot = kernel->executable(cpu, {16, 8, 1}); });
  std::this_thread::sleep_for(20ms);
  gate.open();
  for (std::thread& thread : threads) thread.join();
  for (const Code& each : special) EXPECT_EQ(each->entry().block, (Extents{16, 8, 1}));
  EXPECT_EQ(runs_for({16, 8, 1}, 1), 1);
}

TEST_F(KernelReady, WhatTheThreadHasNotBegunIsCompiledWhereItIsNeeded) {
  close_gate_for({16, 8, 1});
  const auto engine = make_engine();
  runtime::Device& cpu = engine->runtime().cpu();
  const auto kernel = make_kernel_with_substitute(*engine);
  kernel->ready(cpu, {16, 8, 1});
  gate.await_arrivals(1);
  EXPECT_EQ(kernel->ready(cpu, {16, 4, 1})->entry().block, any_size);
  EXPECT_EQ(kernel->executable(cpu, {16, 4, 1})->entry().block, (Extents{16, 4, 1}));
  gate.open();
  kernel->executable(cpu, {16, 8, 1});
  EXPECT_EQ(kernel->ready(cpu, {16, 2, 1})->entry().block, any_size);
  kernel->executable(cpu, {16, 2, 1});  // so that the thread has passed {16, 4} over
  EXPECT_EQ(runs_for({16, 4, 1}, 1), 1);
}

TEST_F(KernelReady, AGivenSubstituteRunsUntilTheFirstCodeIsMade) {
  close_gate_for({128, 1, 1});
  const auto engine = make_engine();
  runtime::Device& cpu = engine->runtime().cpu();
  const auto other = make_kernel(*engine);
  const Code substitute = other->executable(cpu, {32, 1, 1});
  fake.is_for_block = false;
  const Code general = make_kernel(*engine)->executable(cpu, {128, 4, 1});
  const auto kernel = make_kernel(*engine);
  // It is for blocks of 32 threads.
  EXPECT_THROW(kernel->ready(cpu, {128, 1, 1}, {}, substitute), TypeError);
  EXPECT_EQ(kernel->ready(cpu, {128, 1, 1}, {}, general), general);
  gate.await_arrivals(1);
  EXPECT_EQ(kernel->ready(cpu, {128, 1, 1}, {}, general), general);
  const std::uint64_t before = kernel->changes();
  gate.open();
  await_change(*kernel, before);
  EXPECT_EQ(kernel->ready(cpu, {128, 1, 1}, {}, general), kernel->executable(cpu, {128, 1, 1}));
}

TEST_F(KernelReady, AGivenSubstituteHasTheKernelsParameters) {
  const auto engine = make_engine();
  runtime::Device& cpu = engine->runtime().cpu();
  fake.is_for_block = false;
  fake.parameter_bytes = 32;
  const Code other = make_kernel(*engine)->executable(cpu, {128, 1, 1});
  const auto kernel = make_kernel(*engine);
  EXPECT_THROW(kernel->ready(cpu, {128, 1, 1}, {}, other), TypeError);
}

TEST_F(KernelReady, AnErrorIsThrownOnceAndTheSubstituteStays) {
  const auto engine = make_engine();
  runtime::Device& cpu = engine->runtime().cpu();
  // Before the background thread may read it.
  fake.on_compile = [](const codegen::CpuVariant& variant) {
    if (variant.block == Extents{16, 8, 1})
      throw CompileError(CompileError::Kind::lowering, "no such code");
  };
  const auto kernel = make_kernel_with_substitute(*engine);
  const std::uint64_t before = kernel->changes();
  const Code substitute = kernel->ready(cpu, {16, 8, 1});
  await_change(*kernel, before);
  try {
    kernel->ready(cpu, {16, 8, 1});
    FAIL() << "no error";
  } catch (const CompileError& error) {
    EXPECT_STREQ(error.what(), "no such code");
  }
  EXPECT_EQ(kernel->ready(cpu, {16, 8, 1}), substitute);
  EXPECT_EQ(kernel->ready(cpu, {16, 8, 1}), substitute);
  EXPECT_EQ(runs_for({16, 8, 1}, 1), 1);
  EXPECT_THROW(kernel->executable(cpu, {16, 8, 1}), CompileError);  // which tries anew
  EXPECT_EQ(runs_for({16, 8, 1}, 2), 2);
}

TEST_F(KernelReady, WhereThereCanBeNoSubstituteTheSpecialCodeIsWaitedFor) {
  fake.on_compile = [](const codegen::CpuVariant& variant) {
    if (variant.block == any_size)
      throw CompileError(CompileError::Kind::lowering, "too much memory for a block");
  };
  const auto engine = make_engine();
  runtime::Device& cpu = engine->runtime().cpu();
  const auto kernel = make_kernel(*engine);
  kernel->ready(cpu, {16, 16, 1});
  EXPECT_EQ(kernel->ready(cpu, {16, 8, 1})->entry().block, (Extents{16, 8, 1}));
}

TEST_F(KernelReady, CodeOnDiskIsUsedAtOnce) {
  {
    const auto engine = make_engine(true);
    const auto kernel = make_kernel_with_substitute(*engine);
    kernel->executable(engine->runtime().cpu(), {16, 8, 1});
    EXPECT_EQ(fake.runs, 3);
  }
  const auto engine = make_engine(true);
  runtime::Device& cpu = engine->runtime().cpu();
  const auto kernel = make_kernel(*engine);
  EXPECT_EQ(kernel->ready(cpu, {16, 16, 1})->entry().block, (Extents{16, 16, 1}));
  EXPECT_EQ(kernel->ready(cpu, {16, 8, 1})->entry().block, (Extents{16, 8, 1}));
  EXPECT_EQ(kernel->ready(cpu, {16, 4, 1})->entry().block, any_size);
  kernel->executable(cpu, {16, 4, 1});
  // Code for any size is not taken for the best that there is.
  EXPECT_EQ(fake.runs, 4);
  EXPECT_EQ(runs_for(any_size, 1), 1);
}

TEST_F(KernelReady, LinkedCodeIsCompiledByTheThreadThatNeedsIt) {
  const auto engine = make_engine();
  runtime::Device& cpu = engine->runtime().cpu();
  Linker linker;
  linker.code = [](unsigned) { return std::vector<LinkedCode>{}; };
  const auto kernel = make_kernel(*engine, std::move(linker));
  const auto here = std::this_thread::get_id();
  fake.on_compile = [&](const codegen::CpuVariant&) {
    EXPECT_EQ(std::this_thread::get_id(), here);
  };
  for (const std::uint32_t y : {16U, 8U, 4U})
    EXPECT_EQ(kernel->ready(cpu, {16, y, 1})->entry().block, (Extents{16, y, 1}));
  EXPECT_EQ(fake.runs, 3);
}

TEST_F(KernelReady, AConfigurationLaunchesTheBetterCodeFromThenOn) {
  close_gate_for({16, 8, 1});
  const auto engine = make_engine();
  const auto kernel = make_kernel_with_substitute(*engine);
  auto dispatch = std::make_shared<Dispatch>(
      [&]() -> Engine& { return *engine; },
      "work",
      [&](const std::vector<ir::Type>&) { return kernel; },
      build_or_substitute);
  const auto cpu = engine->runtime().cpu().default_stream();
  ConfiguredDispatch configured(dispatch, {.block = {16, 8, 1}}, cpu);
  std::int64_t extent = 1;
  std::int64_t stride = sizeof(float);
  float element = 0;
  std::array<Argument, 2> arguments = {};
  arguments[0].key = ir::key::array(DType::float32, 1, ir::Layout::c, true);
  arguments[0].array = {&element, &extent, &stride};
  arguments[1].key = ir::key::scalar(DType::int64);
  const auto first = configured.prepare(arguments);
  EXPECT_EQ(first->executable->entry().block, any_size);
  gate.await_arrivals(1);
  EXPECT_EQ(configured.prepare(arguments), first);
  const std::uint64_t before = kernel->changes();
  gate.open();
  await_change(*kernel, before);
  const auto second = configured.prepare(arguments);
  EXPECT_EQ(second->executable->entry().block, (Extents{16, 8, 1}));
  EXPECT_EQ(second->plan, first->plan);
  EXPECT_EQ(configured.prepare(arguments), second);
}

// ---- The background thread's life ----

TEST_F(KernelReady, AnEngineThatEndsWaitsForWhatHasBegunAndDropsTheRest) {
  close_gate_for({16, 8, 1});
  auto engine = make_engine();
  runtime::Device& cpu = engine->runtime().cpu();
  auto kernel = make_kernel_with_substitute(*engine);
  kernel->ready(cpu, {16, 8, 1});
  gate.await_arrivals(1);
  kernel->ready(cpu, {16, 4, 1});
  const std::weak_ptr<Kernel> gone = kernel;
  kernel.reset();
  EXPECT_FALSE(gone.expired());
  std::atomic<bool> has_ended = false;
  std::thread ending([&] {
    engine.reset();
    has_ended = true;
  });
  std::this_thread::sleep_for(20ms);
  EXPECT_FALSE(has_ended);
  gate.open();
  ending.join();
  EXPECT_TRUE(gone.expired());
  EXPECT_EQ(fake.runs, 3) << "the engine compiled more than what had begun";
}

TEST_F(KernelReady, AnotherEnginesCompilationsGoOn) {
  close_gate_for({16, 8, 1});
  const auto engine = make_engine();
  const auto kernel = make_kernel_with_substitute(*engine);
  kernel->ready(engine->runtime().cpu(), {16, 8, 1});
  gate.await_arrivals(1);
  kernel->ready(engine->runtime().cpu(), {16, 4, 1});
  make_engine().reset();
  gate.open();
  EXPECT_EQ(runs_for({16, 4, 1}, 1), 1);
}

TEST_F(KernelReady, AForkedChildCompilesWhatItsParentHadBegun) {
  close_gate_for({16, 8, 1});
  const auto engine = make_engine();
  runtime::Device& cpu = engine->runtime().cpu();
  const auto kernel = make_kernel_with_substitute(*engine);
  kernel->ready(cpu, {16, 8, 1});
  gate.await_arrivals(1);
  kernel->ready(cpu, {16, 4, 1});  // waits in the queue
  const int status = status_of([&] {
    gate.open();  // the child's
    bool is_right = kernel->executable(cpu, {16, 8, 1})->entry().block == Extents{16, 8, 1};
    // Its own thread does the other one.
    const std::uint64_t before = kernel->changes();
    is_right = is_right && kernel->ready(cpu, {16, 4, 1})->entry().block == any_size;
    await_change(*kernel, before);
    is_right = is_right && kernel->ready(cpu, {16, 4, 1})->entry().block == Extents{16, 4, 1};
    ::_exit(is_right ? 3 : 4);
  });
  EXPECT_EQ(status, 3);
  EXPECT_EQ(kernel->loaded(cpu, {16, 8, 1}), nullptr);
  gate.open();
  EXPECT_EQ(kernel->executable(cpu, {16, 8, 1})->entry().block, (Extents{16, 8, 1}));
  EXPECT_EQ(runs_for({16, 4, 1}, 1), 1);
}

// Whatever the thread does at the time of the fork, no lock of its is held in the child.
TEST_F(KernelReady, ChildrenCompileAndLoadWhateverTheirParentIsDoing) {
  // The fake's own lock may be held: the thread compiles with none of ours.
  Compiler compiler = fake.table();
  compiler.compile = [](const ir::Module&,
                        const Target&,
                        const codegen::Options&,
                        const codegen::CpuVariant& variant) {
    return Binary{
        .code = sample_object("work"),
        .entries = {{.symbol = "work", .parameter_bytes = 24, .block = variant.block}}};
  };
  Engine engine({.directory = (temporary.path() / "cache").string()}, compiler);
  runtime::Device& cpu = engine.runtime().cpu();
  const auto kernel = make_kernel(engine);
  kernel->ready(cpu, {16, 16, 1});
  for (std::uint32_t y = 1; y <= 24; ++y) {
    kernel->ready(cpu, {16, y, 2});
    const int status = status_of([&] {
      const bool is_right = kernel->executable(cpu, {16, y, 3})->entry().block[1] == y;
      ::_exit(is_right ? 3 : 4);
    });
    EXPECT_EQ(status, 3) << y;
  }
}

// What it leaves is gone with the process: nobody waits for more than a second.
TEST_F(KernelReady, TheProcessEndsWhileTheThreadCompiles) {
  const int status = status_of([&] {
    close_gate_for({16, 8, 1});
    Engine* const engine = make_engine().release();
    auto* const kernel = new std::shared_ptr<Kernel>(make_kernel_with_substitute(*engine));
    (*kernel)->ready(engine->runtime().cpu(), {16, 8, 1});
    (*kernel)->ready(engine->runtime().cpu(), {16, 4, 1});
    gate.await_arrivals(1);
  });
  EXPECT_EQ(status, 7);
}

}  // namespace
}  // namespace phalanx::jit
