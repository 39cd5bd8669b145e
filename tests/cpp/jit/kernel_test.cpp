#include "phalanx/jit/kernel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/ir/parser.h"
#include "tests/cpp/jit/fake_compiler.h"
#include "tests/cpp/jit/temporary_directory.h"

namespace phalanx::jit {
namespace {

class KernelTest : public testing::Test {
 protected:
  std::unique_ptr<Engine> make_engine() {
    CacheOptions cache;
    cache.directory = (temporary.path() / "cache").string();
    return std::make_unique<Engine>(cache, fake.table());
  }
  std::unique_ptr<Kernel> make_kernel(Engine& engine, KernelDescription description) {
    description.name = "work";
    description.types = types_of_work();
    return std::make_unique<Kernel>(engine, std::move(description), [this] {
      ++produced;
      return std::shared_ptr<ir::Module>(ir::parse(text_of_work));
    });
  }
  static KernelDescription described(const char* key) {
    KernelDescription description;
    const auto bytes = std::as_bytes(std::span(key, 1));
    description.key.assign(bytes.begin(), bytes.end());
    return description;
  }

  TemporaryDirectory temporary;
  FakeCompiler fake;
  std::atomic<int> produced = 0;
};

TEST_F(KernelTest, EachBlockShapeIsCompiledOnce) {
  const auto engine = make_engine();
  const auto kernel = make_kernel(*engine, described("a"));
  runtime::Device& cpu = engine->runtime().cpu();
  const auto first = kernel->executable(cpu, {128, 1, 1});
  EXPECT_EQ(kernel->executable(cpu, {64, 1, 1}), first);
  EXPECT_EQ(fake.runs, 1);
  EXPECT_NE(kernel->executable(cpu, {16, 16, 1}), first);
  EXPECT_EQ(fake.runs, 2);
  EXPECT_EQ(produced, 1);
}

TEST_F(KernelTest, CodeThatLaysThreadsOutInRowsRunsBlocksOfAllShapes) {
  fake.lane_axis = 1;
  const auto engine = make_engine();
  const auto kernel = make_kernel(*engine, described("a"));
  runtime::Device& cpu = engine->runtime().cpu();
  const auto made = kernel->executable(cpu, {16, 16, 1}, {4, 4, 1});
  EXPECT_EQ(fake.variants.back().shape, codegen::BlockShape::one_dimensional);
  EXPECT_EQ(fake.variants.back().lanes, 32);
  EXPECT_EQ(fake.variants.back().lane_axis, 1);
  EXPECT_EQ(kernel->executable(cpu, {32, 8, 1}, {100, 2, 1}), made);
  EXPECT_EQ(fake.axes_asked, (std::vector<unsigned>{0b11}));
}

TEST_F(KernelTest, LanesLieAlongDimensionsWithThreadsEnough) {
  const auto asked_for = [&](const runtime::Dim3& block, const runtime::Dim3& grid) {
    fake.axes_asked.clear();
    const auto engine = make_engine();
    auto description = described("a");
    description.use_cache = false;
    make_kernel(*engine, std::move(description))->executable(engine->runtime().cpu(), block, grid);
    return fake.axes_asked;
  };
  using Axes = std::vector<unsigned>;
  EXPECT_EQ(asked_for({256, 1, 1}, {9, 1, 1}), Axes{0b1});
  EXPECT_EQ(asked_for({256, 1, 1}, {9, 16, 1}), Axes{0b11});
  EXPECT_EQ(asked_for({1, 1, 1}, {9, 4, 100}), Axes{0b100});
  EXPECT_EQ(asked_for({2, 2, 1}, {1, 1, 1}), Axes{0b1});
  EXPECT_EQ(asked_for({1, 1, 1}, {1, 1, 1}), Axes{});  // one thread is scalar code
  // Rows that no launch can count are left along x.
  EXPECT_EQ(asked_for({1024, 1, 1}, {0x7fffffff, 16, 1}), Axes{0b1});
}

TEST_F(KernelTest, CodeForOneSizeOfBlocksRunsNoOthers) {
  fake.is_for_block = true;
  for (int process = 0; process < 2; ++process) {
    const auto engine = make_engine();
    runtime::Device& cpu = engine->runtime().cpu();
    const auto kernel = make_kernel(*engine, described("a"));
    // The second finds the first's code where it looks for its own, on disk.
    const auto first = kernel->executable(cpu, {16, 16, 1});
    const auto second = kernel->executable(cpu, {16, 8, 1});
    const auto third = kernel->executable(cpu, {16, 4, 1});
    using Extents = std::array<std::uint32_t, 3>;
    EXPECT_EQ(first->entry().block, (Extents{16, 16, 1}));
    EXPECT_EQ(second->entry().block, (Extents{16, 8, 1}));
    EXPECT_EQ(third->entry().block, (Extents{16, 4, 1}));
    EXPECT_EQ(kernel->executable(cpu, {16, 16, 1}), first);
    EXPECT_EQ(kernel->executable(cpu, {16, 8, 1}), second);
    EXPECT_EQ(fake.runs, 3) << "process " << process;
  }
}

TEST_F(KernelTest, AnotherProcessFindsTheCodeOnDisk) {
  make_kernel(*make_engine(), described("a"));
  {
    const auto engine = make_engine();
    make_kernel(*engine, described("a"))->executable(engine->runtime().cpu(), {128, 1, 1});
  }
  const auto engine = make_engine();
  const auto kernel = make_kernel(*engine, described("a"));
  const auto found = kernel->executable(engine->runtime().cpu(), {128, 1, 1});
  EXPECT_EQ(found->entry().lanes, 32U);
  EXPECT_EQ(fake.runs, 1);
  EXPECT_EQ(produced, 1) << "the front end was called although the code was on disk";
  EXPECT_EQ(kernel->statistics().count(Stage::disk), 1U);
  EXPECT_EQ(kernel->statistics().count(Stage::codegen), 0U);
}

TEST_F(KernelTest, WhatDecidesTheCodeDecidesTheCacheEntry) {
  const auto engine = make_engine();
  runtime::Device& cpu = engine->runtime().cpu();
  int expected = 0;
  const auto check = [&](const KernelDescription& description) {
    make_kernel(*engine, description)->executable(cpu, {128, 1, 1});
    EXPECT_EQ(fake.runs, ++expected);
  };
  check(described("a"));
  check(described("b"));
  KernelDescription other = described("a");
  other.options.contract = false;
  check(other);
  other = described("a");
  other.options.fastmath = FastMath::all();
  check(other);
  other = described("a");
  other.options.debug = true;
  check(other);
  other = described("a");
  other.lanes = 1;
  check(other);
  other = described("a");
  other.use_cache = false;
  check(other);
}

TEST_F(KernelTest, WarpOperationsGetWarpsOf32) {
  fake.full_warp = true;
  const auto engine = make_engine();
  const auto kernel = make_kernel(*engine, described("a"));
  for (const runtime::Dim3 block : {runtime::Dim3{16, 16, 1}, runtime::Dim3{1, 1, 1}})
    kernel->executable(engine->runtime().cpu(), block);
  ASSERT_EQ(fake.variants.size(), 2U);
  EXPECT_EQ(fake.variants[0], (codegen::CpuVariant{32, codegen::BlockShape::general, {16, 16, 1}}));
  EXPECT_EQ(
      fake.variants[1], (codegen::CpuVariant{32, codegen::BlockShape::one_dimensional, {1, 1, 1}}));
}

TEST_F(KernelTest, ThreadsThatAskAtOnceCompileOnce) {
  const auto engine = make_engine();
  const auto kernel = make_kernel(*engine, described("a"));
  std::vector<std::shared_ptr<runtime::Executable>> found(8);
  std::vector<std::thread> threads;
  for (auto& slot : found) {
    threads.emplace_back([&] { slot = kernel->executable(engine->runtime().cpu(), {128, 1, 1}); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(fake.runs, 1);
  for (const auto& slot : found) EXPECT_EQ(slot, found[0]);
}

TEST_F(KernelTest, AFailedFrontEndCanBeAskedAgain) {
  const auto engine = make_engine();
  KernelDescription description = described("a");
  description.types = types_of_work();
  int calls = 0;
  Kernel kernel(*engine, description, [&]() -> std::shared_ptr<ir::Module> {
    if (++calls == 1)
      throw CompileError(CompileError::Kind::typing, "no");
    return ir::parse(text_of_work);
  });
  EXPECT_THROW(kernel.executable(engine->runtime().cpu(), {32, 1, 1}), CompileError);
  EXPECT_NE(kernel.executable(engine->runtime().cpu(), {32, 1, 1}), nullptr);
}

TEST_F(KernelTest, RefusesIrWithOtherParameters) {
  const auto engine = make_engine();
  KernelDescription description = described("a");
  description.types = {ir::Type(DType::int64)};
  Kernel kernel(
      *engine, description, [] { return std::shared_ptr<ir::Module>(ir::parse(text_of_work)); });
  EXPECT_THROW(kernel.executable(engine->runtime().cpu(), {32, 1, 1}), CompileError);
}

TEST_F(KernelTest, CodeThatCannotBeLoadedIsAnError) {
  const auto engine = make_engine();
  Compiler broken = fake.table();
  broken.compile =
      [](const ir::Module&, const Target&, const codegen::Options&, const codegen::CpuVariant&) {
        Binary binary;
        binary.entry().symbol = "work";
        binary.code.assign(64, std::byte{1});
        return binary;
      };
  Engine other(CacheOptions{.enabled = false}, broken);
  EXPECT_THROW(
      make_kernel(other, described("a"))->executable(other.runtime().cpu(), {32, 1, 1}),
      DeviceError);
}

TEST(ChooseVariant, FollowsTheBlock) {
  using codegen::BlockShape;
  struct Case {
    runtime::Dim3 block;
    unsigned lanes;
    BlockShape shape;
  };
  const std::vector<Case> cases = {
      {{128, 1, 1}, 32, BlockShape::one_dimensional},
      {{100, 1, 1}, 32, BlockShape::one_dimensional},
      {{16, 1, 1}, 16, BlockShape::one_dimensional},
      {{16, 16, 1}, 16, BlockShape::exact_rows},
      {{32, 8, 1}, 32, BlockShape::exact_rows},
      {{64, 2, 2}, 32, BlockShape::rows},
      {{8, 8, 1}, 8, BlockShape::exact_rows},
      {{48, 2, 1}, 16, BlockShape::rows},
      {{4, 4, 1}, 16, BlockShape::general},
      {{1, 128, 1}, 32, BlockShape::general},
      {{1, 1, 1}, 1, BlockShape::one_dimensional},
  };
  for (const Case& each : cases) {
    const auto variant = choose_variant(each.block);
    EXPECT_EQ(variant.lanes, each.lanes) << each.block.x << " x " << each.block.y;
    EXPECT_EQ(variant.shape, each.shape) << each.block.x << " x " << each.block.y;
  }
  EXPECT_EQ(choose_variant({128, 1, 1}, 4).lanes, 4U);
}

}  // namespace
}  // namespace phalanx::jit
