// Loading and launching on the CUDA device, streams, events, and the errors of kernels.
#include <algorithm>
#include <array>
#include <atomic>
#include <thread>

#include "tests/cpp/runtime/cuda_fixture.h"

namespace phalanx::runtime {
namespace {

using CudaLaunch = CudaFixture;
using CudaErrors = CudaFixture;
using support::FakeLaunch;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(CudaLaunch, PassesShapeAndParameters) {
  FakeLaunch seen;
  fake.kernels["add"] = [&](const FakeLaunch& launch) {
    seen = launch;
    return 0;
  };
  Binary binary = ptx("add");
  binary.entry().parameter_bytes = 24;
  const auto add = device().load(binary, "add");
  std::vector<std::byte> parameters(24);
  for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i] = static_cast<std::byte>(i);
  const std::vector<std::byte> expected = parameters;
  device().launch(*add, {{7, 6, 5}, {32, 4, 2}, 640, false}, parameters, stream());
  std::ranges::fill(parameters, std::byte{0});  // they were copied
  stream().synchronize();
  EXPECT_EQ(seen.parameters, expected);
  EXPECT_EQ(std::vector(seen.grid, seen.grid + 3), (std::vector<unsigned>{7, 6, 5}));
  EXPECT_EQ(std::vector(seen.block, seen.block + 3), (std::vector<unsigned>{32, 4, 2}));
  EXPECT_EQ(seen.shared_bytes, 640U);
  EXPECT_FALSE(seen.cooperative);
}

TEST_F(CudaLaunch, MakesCooperativeLaunches) {
  FakeLaunch seen;
  const auto wait = kernel("wait", [&](const FakeLaunch& launch) {
    seen = launch;
    return 0;
  });
  launch(*wait, {{9, 1, 1}, {64, 1, 1}, 128, true});
  stream().synchronize();
  EXPECT_TRUE(seen.cooperative);
  EXPECT_EQ(seen.grid[0], 9U);
  EXPECT_EQ(seen.shared_bytes, 128U);
  const std::string text =
      message_of<ValueError>([&] { launch(*wait, {{9999, 1, 1}, {64, 1, 1}, 0, true}); });
  EXPECT_TRUE(contains(text, "9999 blocks are more than can run")) << text;
}

TEST_F(CudaLaunch, AsksForMoreThanTheUsualSharedMemoryOnce) {
  const auto big = harmless_kernel();
  launch(*big, {{1, 1, 1}, {32, 1, 1}, 40 * 1024, false});
  EXPECT_EQ(fake.calls("function_set"), 0);
  launch(*big, {{1, 1, 1}, {32, 1, 1}, 100 * 1024, false});
  launch(*big, {{1, 1, 1}, {32, 1, 1}, 90 * 1024, false});
  EXPECT_EQ(fake.calls("function_set"), 1);
  EXPECT_EQ(fake.largest_shared_limit, 100U * 1024);
  stream().synchronize();
}

TEST_F(CudaLaunch, AddsTheSharedMemoryOfTheKernelsArrays) {
  FakeLaunch seen;
  fake.kernels["sized"] = [&](const FakeLaunch& launch) {
    seen = launch;
    return 0;
  };
  Binary binary = ptx("sized");
  binary.entry().parameter_bytes = 8;
  binary.entry().moved_shared_bytes = 65536;
  binary.entry().launch_memory = LaunchMemory::parse(
      "tile 4: parameter i64 0 | block_extent i32 0, cast i64; row 1: constant i64 3");
  const auto sized = device().load(binary, "sized");
  const auto run = [&](std::int64_t rows) {
    const auto parameters = std::as_bytes(std::span(&rows, 1));
    device().launch(*sized, {{1, 1, 1}, {32, 1, 1}, 100, false}, parameters, stream());
    stream().synchronize();
  };
  run(5);
  EXPECT_EQ(seen.shared_bytes, 65536U + 5 * 32 * 4 + 16 + 100);
  EXPECT_EQ(fake.largest_shared_limit, seen.shared_bytes);
  EXPECT_EQ(sized->attributes().static_shared_bytes, 1024U + 65536);
  EXPECT_EQ(
      message_of<ValueError>([&] { run(0); }),
      "launch of sized: shared array 'tile' has the shape (0, 32), but every extent must be at "
      "least 1");
  EXPECT_EQ(
      message_of<ValueError>([&] { run(2000); }),
      "launch of sized: shared array 'tile' has the shape (2000, 32) and takes 256000 bytes, but "
      "165788 are left of shared memory a block (66560 static, 100 dynamic); the device's limit is "
      "232448");
}

TEST_F(CudaLaunch, RefusesShapesOverTheLimits) {
  const auto any = harmless_kernel();
  const auto refusal = [&](LaunchConfig config) {
    return message_of<ValueError>([&] { launch(*any, config); });
  };
  EXPECT_EQ(
      refusal({{1, 1, 1}, {64, 32, 1}, 0, false}),
      "launch of harmless: a block of (64, 32, 1) has 2048 threads; the device's limit is 1024");
  EXPECT_TRUE(contains(refusal({{0, 1, 1}, {1, 1, 1}, 0, false}), "the grid is (0, 1, 1)"));
  EXPECT_TRUE(contains(refusal({{1, 70000, 1}, {1, 1, 1}, 0, false}), "over the device's limit"));
  EXPECT_TRUE(contains(refusal({{1, 1, 1}, {1, 1, 128}, 0, false}), "(1024, 1024, 64)"));
  EXPECT_EQ(
      refusal({{1, 1, 1}, {32, 1, 1}, 300000, false}),
      "launch of harmless: 301024 bytes of shared memory a block were asked for (1024 static, "
      "300000 dynamic); the device's limit is 232448");
  EXPECT_EQ(fake.calls("launch"), 0);
}

TEST_F(CudaLaunch, LaunchesInTheStreamsOrder) {
  std::vector<std::string> order;
  const auto first = kernel("first", [&](const auto&) {
    order.emplace_back("first");
    return 0;
  });
  const auto second = kernel("second", [&](const auto&) {
    order.emplace_back("second");
    return 0;
  });
  const auto a = device().create_stream(StreamKind::non_blocking);
  const auto b = device().create_stream(StreamKind::non_blocking);
  const auto event = device().create_event(false);
  device().launch(*first, {}, {}, *a);
  event->record(*a);
  b->wait(*event);
  device().launch(*second, {}, {}, *b);
  bool called = false;
  b->add_callback([&] { called = order.size() == 2; });
  EXPECT_FALSE(event->query());
  b->synchronize();
  EXPECT_EQ(order, (std::vector<std::string>{"first", "second"}));
  EXPECT_TRUE(called);
  EXPECT_TRUE(event->query());
}

TEST_F(CudaLaunch, TimesEvents) {
  const auto start = device().create_event(true);
  const auto end = device().create_event(true);
  EXPECT_THROW(end->elapsed_ms_since(*start), ValueError);
  start->record(stream());
  end->record(stream());
  end->synchronize();
  EXPECT_GT(end->elapsed_ms_since(*start), 0.0F);
  EXPECT_THROW(end->elapsed_ms_since(*device().create_event(false)), ValueError);
}

TEST_F(CudaLaunch, KnowsItsDefaultStreams) {
  EXPECT_EQ(device().default_stream()->handle(), 0U);
  EXPECT_EQ(device().create_stream(StreamKind::per_thread_default)->handle(), 2U);
  const auto made = device().create_stream(StreamKind::blocking);
  EXPECT_EQ(device().external_stream(made->handle())->handle(), made->handle());
}

TEST_F(CudaLaunch, RunsBesideItsCallerInEachStreamThatIsMade) {
  int runs = 0;
  const auto count = kernel("count", [&](const auto&) {
    ++runs;
    return 0;
  });
  for (const StreamKind kind :
       {StreamKind::queued, StreamKind::blocking, StreamKind::non_blocking}) {
    const auto first = device().create_stream(kind);
    const auto second = device().create_stream(kind);
    runs = 0;
    device().launch(*count, {}, {}, *first);
    device().launch(*count, {}, {}, *second);
    second->synchronize();
    EXPECT_EQ(runs, 1);  // the first's is still to come
    first->synchronize();
    EXPECT_EQ(runs, 2);
  }
  EXPECT_EQ(fake.live_streams(), 0U);
}

TEST_F(CudaLaunch, RefusesKernelsAndStreamsOfAnotherDevice) {
  fake.devices = 2;
  const auto any = harmless_kernel();
  Device& second = runtime->cuda(1);
  EXPECT_THROW(second.launch(*any, {}, {}, *second.default_stream()), TypeError);
  EXPECT_THROW(device().launch(*any, {}, {}, *second.default_stream()), TypeError);
  EXPECT_THROW(device().launch(*any, {}, {}, *runtime->cpu().default_stream()), TypeError);
  EXPECT_THROW(runtime->cpu().launch(*any, {}, {}, *runtime->cpu().default_stream()), TypeError);
  EXPECT_THROW(device().load(Binary{}, "object"), TypeError);
}

TEST_F(CudaLaunch, KnowsAKernelsAttributesAndOccupancy) {
  const auto any = harmless_kernel();
  EXPECT_EQ(any->attributes().registers, 24U);
  EXPECT_EQ(any->attributes().static_shared_bytes, 1024U);
  EXPECT_EQ(any->attributes().local_bytes, 16U);
  EXPECT_EQ(device().suggest_block(*any, 0).block, 1024U);
  EXPECT_EQ(device().suggest_block(*any, 0, 128).block, 128U);
  EXPECT_EQ(device().suggest_block(*any, 0).min_grid, 264U);
  EXPECT_EQ(device().active_blocks_per_multiprocessor(*any, 256, 0), 8U);
}

TEST_F(CudaLaunch, AssemblesPtxToACubinThatLoads) {
  fake.kernels["k"] = [](const auto&) { return 0; };
  Binary source = ptx("k");
  source.fault_sites = {fault_site(nullptr, {.line = 1}, Raise{"ValueError", ""})};
  const Binary cubin =
      device().cuda()->assemble(source, {.max_registers = 40, .lineinfo = true}, {});
  EXPECT_EQ(cubin.kind, BinaryKind::cubin);
  EXPECT_EQ(cubin.fault_sites, source.fault_sites);
  EXPECT_TRUE(std::ranges::count(fake.jit_options, unsigned{cuda::jit_max_registers}) == 1);
  EXPECT_TRUE(std::ranges::count(fake.jit_options, unsigned{cuda::jit_lineinfo}) == 1);
  const int links = fake.calls("link_create");
  static_cast<void>(device().load(cubin, "k"));
  EXPECT_EQ(fake.calls("link_create"), links);
  EXPECT_EQ(fake.live_modules(), 0U);
  EXPECT_THROW(device().cuda()->assemble(cubin, {}, {}), TypeError);
}

TEST_F(CudaErrors, ShowTheAssemblersLog) {
  fake.assembler_error = "ptxas application ptx input, line 7; error: unknown symbol 'x'";
  const std::string text = message_of<DeviceError>([&] { device().load(ptx("bad"), "bad"); });
  EXPECT_TRUE(contains(text, "kernel bad")) << text;
  EXPECT_TRUE(contains(text, "unknown symbol 'x'")) << text;
  EXPECT_EQ(fake.calls("link_destroy"), 1);
}

TEST_F(CudaErrors, UnloadAModuleWithoutTheKernel) {
  fake.kernels["right"] = [](const auto&) { return 0; };
  Binary binary = ptx("right");
  binary.entry().symbol = "wrong";
  EXPECT_THROW(device().load(binary, "wrong"), DeviceError);
  EXPECT_EQ(fake.live_modules(), 0U);
}

TEST_F(CudaErrors, NameTheKernelOfAnIllegalAccess) {
  const auto good = harmless_kernel("good");
  const auto bad = kernel("bad", [](const auto&) { return cuda::result::illegal_address; });
  launch(*good);
  stream().synchronize();
  launch(*bad);
  const std::string text = message_of<DeviceError>([&] { stream().synchronize(); });
  EXPECT_TRUE(contains(text, "CUDA_ERROR_ILLEGAL_ADDRESS")) << text;
  EXPECT_TRUE(contains(text, "in kernel bad")) << text;
  EXPECT_FALSE(contains(text, "good")) << text;
  EXPECT_TRUE(contains(text, "context is lost")) << text;
}

TEST_F(CudaErrors, NameAllKernelsThatCanHaveFailed) {
  const auto good = harmless_kernel("good");
  const auto bad = kernel("bad", [](const auto&) { return cuda::result::illegal_address; });
  launch(*good);
  launch(*bad);
  launch(*good);
  const std::string text = message_of<DeviceError>([&] { device().synchronize(); });
  EXPECT_TRUE(contains(text, "one of the kernels good, bad")) << text;
}

TEST_F(CudaErrors, SayInLaterCallsThatTheContextIsLost) {
  const auto bad = kernel("bad", [](const auto&) { return cuda::result::launch_failed; });
  Buffer buffer = device().allocate(64);
  const auto other = device().create_stream(StreamKind::blocking);
  launch(*bad);
  EXPECT_THROW(stream().synchronize(), DeviceError);
  for (int round = 0; round < 2; ++round) {
    const std::string text = message_of<DeviceError>([&] { launch(*bad); });
    EXPECT_TRUE(contains(text, "the CUDA context is lost")) << text;
    EXPECT_TRUE(contains(text, "in kernel bad")) << text;
  }
  EXPECT_THROW(static_cast<void>(device().allocate(8)), DeviceError);
  EXPECT_THROW(device().memory_info(), DeviceError);
  EXPECT_THROW(other->synchronize(), DeviceError);
  EXPECT_THROW(device().load(ptx("bad"), "bad"), DeviceError);
  const int frees = fake.calls("pool_free");
  buffer.release();
  EXPECT_EQ(fake.calls("pool_free"), frees);  // there is nothing left to free
}

TEST_F(CudaErrors, AreFoundByACopyToo) {
  const auto bad = kernel("bad", [](const auto&) { return cuda::result::illegal_address; });
  const Buffer buffer = device().allocate(64);
  launch(*bad);
  int back = 0;
  const std::string text = message_of<DeviceError>(
      [&] { device().copy_to_host(&back, buffer.address(), sizeof(back), stream()); });
  EXPECT_TRUE(contains(text, "in kernel bad (reported by cuMemcpyDtoHAsync)")) << text;
}

TEST_F(CudaErrors, OfOneCallLeaveTheContextUsable) {
  fake.fail_next("stream_create", cuda::result::invalid_value);
  EXPECT_THROW(device().create_stream(StreamKind::blocking), DeviceError);
  EXPECT_NO_THROW(static_cast<void>(device().create_stream(StreamKind::blocking)));
}

// A kernel whose code raises, as generated code does: the record lies in the module.
struct Raising : CudaFixture {
  ErrorLog* log = nullptr;

  std::shared_ptr<Executable> raising_kernel(const std::string& name) {
    fake.kernels[name] = [this](const FakeLaunch&) {
      if (log->count++ == 0)
        log->records[0] = {
            .site = 2, .order = 0, .count = 1, .block = {1, 2, 3}, .thread = {4, 5, 6}};
      return 0;
    };
    Binary binary = ptx(name);
    binary.fault_sites = {
        fault_site(nullptr, {.line = 3}, Raise{"ValueError", "small"}),
        fault_site(nullptr, {.line = 9}, Raise{"IndexError", "large"})};
    const auto result = device().load(binary, name);
    log = fake.last_error_log();
    return result;
  }
};

TEST_F(Raising, KernelsThrowAtTheNextSynchronisation) {
  const auto raises = raising_kernel("raises");
  launch(*raises);
  try {
    stream().synchronize();
    FAIL() << "nothing was thrown";
  } catch (const KernelError& error) {
    EXPECT_STREQ(
        error.what(),
        "<unknown>:9: IndexError: large (raised in kernel raises, block (1, 2, 3), thread (4, 5, "
        "6))");
    EXPECT_EQ(std::get<Raise>(error.faults().at(0).site.what).message, "large");
    EXPECT_EQ(error.faults().at(0).block, (std::array<std::uint32_t, 3>{1, 2, 3}));
    EXPECT_EQ(error.faults().at(0).thread, (std::array<std::uint32_t, 3>{4, 5, 6}));
  }
  EXPECT_EQ(log->count, 0U);
  EXPECT_NO_THROW(stream().synchronize());
  launch(*raises);
  EXPECT_THROW(device().synchronize(), KernelError);
  launch(*raises);
  int back = 0;
  const Buffer buffer = device().allocate(64);
  EXPECT_THROW(device().copy_to_host(&back, buffer.address(), sizeof(back), stream()), KernelError);
}

TEST_F(Raising, KernelsDoNotHideEachOther) {
  const auto first = raising_kernel("first");
  const auto second = harmless_kernel("second");
  launch(*first);
  launch(*second);
  EXPECT_THROW(stream().synchronize(), KernelError);
  launch(*second);
  EXPECT_NO_THROW(stream().synchronize());
}

TEST_F(CudaLaunch, LaunchesFromManyThreads) {
  std::atomic<int> runs{0};
  const auto counts = kernel("counts", [&](const auto&) {
    ++runs;
    return 0;
  });
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      const auto own = device().create_stream(StreamKind::blocking);
      for (int i = 0; i < 100; ++i)
        device().launch(
            *counts,
            {{1, 1, 1}, {32, 1, 1}, static_cast<unsigned>(i) * 1024, false},
            {},
            i % 2 == 0 ? *own : stream());
      own->synchronize();
    });
  }
  for (std::thread& thread : threads) thread.join();
  device().synchronize();
  EXPECT_EQ(runs.load(), 400);
}

}  // namespace
}  // namespace phalanx::runtime
