// Arrays that go to the device where their kernels take least, on the fake driver. Kernels do
// nothing there, which tells that they ran there.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "phalanx/arrays/graph.h"
#include "phalanx/arrays/operations.h"
#include "phalanx/arrays/placement.h"
#include "phalanx/arrays/residency.h"
#include "phalanx/base/errors.h"
#include "tests/cpp/arrays/fake_gpu.h"

namespace phalanx::arrays {
namespace {

constexpr std::int64_t count = 1 << 18;
constexpr std::uint64_t bytes = count * sizeof(double);  // 2 MiB

constexpr Rates slow = {
    .launch = 1e-6, .memory = 1e9, .arithmetic = {1e9, 1e9}, .functions = {1e8, 1e8}};
constexpr Rates fast = {
    .launch = 1e-6,
    .memory = 1e12,
    .from_host = 1e11,
    .to_host = 1e11,
    .copy = 1e-6,
    .arithmetic = {1e12, 1e12},
    .functions = {1e11, 1e11}};

struct PlacementGpuTest : FakeGpuTest {
  PlacementGpuTest() {
    set_automatic(true);
    graph.set_rates(cpu(), slow);
    graph.set_rates(gpu(), fast);
  }
  ~PlacementGpuTest() override { set_automatic(false); }

  static std::vector<double> numbers(std::int64_t size = count) {
    std::vector<double> made(static_cast<std::size_t>(size));
    std::iota(made.begin(), made.end(), 1.0);
    return made;
  }
  views::DeviceArray on(runtime::Device& device, std::int64_t size = count) {
    const Array made = from_host<double>(graph, {size}, numbers(size), &device);
    return *made.evaluate();
  }
  Array movable(std::int64_t size = count) {
    return {graph, graph.movable_memory(on(cpu(), size))};
  }
  Array fixed(runtime::Device& device) { return {graph, graph.memory(on(device))}; }
  static runtime::Device* where(const Array& array) { return array.value()->layout()->device; }
  static bool may_move(const Array& array) { return array.value()->device == nullptr; }
  int copies() { return fake.calls("copy_to_device") + fake.calls("copy_to_host"); }
};

TEST_F(PlacementGpuTest, AKernelAndWhatItReadsGoWhereItTakesLeast) {
  const Array x = movable();
  const Array doubled = x * 2.0;
  doubled.evaluate();
  EXPECT_EQ(where(doubled), &gpu());
  EXPECT_EQ(where(x), &gpu());
  EXPECT_TRUE(may_move(doubled) && may_move(x));
  EXPECT_EQ(to_host<double>(x), numbers());
  EXPECT_EQ(gpu().memory_use().used, 2 * bytes);
  graph.set_rates(cpu(), fast);
  graph.set_rates(
      gpu(),
      {.launch = 1,
       .memory = 1e9,
       .from_host = 1e11,
       .to_host = 1e11,
       .arithmetic = {1e9, 1e9},
       .functions = {1e8, 1e8}});
  const Array back = x + 1.0;
  EXPECT_EQ(to_host<double>(back).front(), 2.0);  // a kernel of the CPU device
  EXPECT_EQ(where(back), &cpu());
  EXPECT_EQ(where(x), &cpu());
  EXPECT_EQ(to_host<double>(x), numbers());
}

TEST_F(PlacementGpuTest, AChoiceIsNotedWithItsTimes) {
  (movable() * 2.0).evaluate();
  std::vector<KernelNote> notes = graph.mutex().notes()->take();
  std::erase_if(notes, [](const KernelNote& note) { return !note.choice; });
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].code, "a * n0");
  EXPECT_EQ(notes[0].device, "cuda:0");
  EXPECT_EQ(notes[0].choice->side, Side::gpu);
  EXPECT_EQ(notes[0].choice->copied_bytes[index_of(Side::gpu)], std::int64_t{bytes});
  EXPECT_GT(notes[0].choice->seconds[index_of(Side::host)], 2e-3);  // 2 MiB twice by 1 GB/s
}

TEST_F(PlacementGpuTest, AllKindsOfKernelsAreAsked) {
  const Array x(graph, graph.reshape(movable().value(), {512, count / 512}));
  std::vector<Array> made = {
      sum(x, {{0}}), sum(x), Array(graph, graph.scan(x.value(), "sum", 0)), max(x, {{1}}) - x};
  for (const Array& each : made) {
    each.evaluate();
    EXPECT_EQ(where(each), &gpu());
    EXPECT_TRUE(may_move(each));
  }
}

TEST_F(PlacementGpuTest, ARoutineIsAskedForItsDevices) {
  const Array x = movable();
  bool takes_gpu = true;
  const auto run_on = [&] {
    Routine routine;
    routine.operands = {x.value()};
    routine.name = "copy(a)";
    routine.operations = count;
    routine.run = [&](const auto& operands) { return graph.copy(operands.front()); };
    routine.runs_on = [&](runtime::Device& device) { return device.is_host() || takes_gpu; };
    const Array made(graph, graph.routine(std::move(routine), DType::float64, x.value()->shape));
    return made.evaluate()->device;
  };
  EXPECT_EQ(run_on(), &gpu());
  takes_gpu = false;
  EXPECT_EQ(run_on(), &cpu());
  EXPECT_EQ(to_host<double>(x), numbers());
}

TEST_F(PlacementGpuTest, MemoryOfOthersIsCopiedAndStays) {
  const Array x = movable();
  const Memory shared = x.share();
  (x * 2.0).evaluate();
  EXPECT_EQ(where(x), &cpu());
  EXPECT_EQ(x.share()->address, shared->address);
  static_cast<double*>(shared->host)[0] = 7;
  EXPECT_EQ(to_host<double>(x).front(), 7);
  EXPECT_EQ(gpu().memory_use().used, 0U);
}

TEST_F(PlacementGpuTest, MemoryInUseIsCopiedUntilItIsLetGo) {
  const Array x = movable();
  {
    const Memory held = x.evaluate();
    (x * 2.0).evaluate();
    EXPECT_EQ(where(x), &cpu());
    EXPECT_EQ(static_cast<const double*>(held->host)[1], 2.0);
  }
  (x * 3.0).evaluate();
  EXPECT_EQ(where(x), &gpu());
}

TEST_F(PlacementGpuTest, ArraysThatShareElementsMoveTogether) {
  Array x = movable();
  const Array tail = slice(x, 0, 8, count);
  tail.evaluate();
  (tail * 2.0).evaluate();
  EXPECT_EQ(where(x), &gpu());
  EXPECT_EQ(where(tail), &gpu());
  EXPECT_EQ(x.value()->layout()->memory, tail.value()->layout()->memory);
  EXPECT_EQ(x.value()->layout()->address + 64, tail.value()->layout()->address);
  EXPECT_EQ(to_host<double>(tail).front(), 9.0);
  x.assign(graph.number(DType::float64, 4.0));  // goes where the elements are now
  EXPECT_EQ(where(x), &gpu());
}

TEST_F(PlacementGpuTest, OfALargeArrayAPartIsCopied) {
  const Array x = movable();
  const std::int64_t few = count / 16;
  const Array part = slice(x, 0, 0, few);
  (part * 2.0).evaluate();
  EXPECT_EQ(where(x), &cpu());
  EXPECT_LE(gpu().memory_use().peak, 3 * few * sizeof(double));
}

TEST_F(PlacementGpuTest, RepeatedUsePaysForTheMove) {
  graph.set_rates(
      cpu(),
      {.launch = 1e-6, .memory = 1e11, .arithmetic = {1e12, 1e12}, .functions = {1e11, 1e11}});
  Rates far = fast;
  far.from_host = 2e10;  // five times as long as the kernel on the host
  graph.set_rates(gpu(), far);
  const Array x = movable();
  int on_host = 0;
  for (; on_host < 100; ++on_host) {
    const Array total = sum(x * static_cast<double>(on_host));
    total.evaluate();
    const KernelRecord record = graph.explain(total.value()).back();
    ASSERT_TRUE(record.placed.is_chosen && record.placed.is_known);
    if (where(total) == &gpu()) {
      EXPECT_TRUE(record.placed.choice.is_paid_for);
      break;
    }
  }
  EXPECT_GE(on_host, 3);
  EXPECT_LE(on_host, 6);
  EXPECT_EQ(where(x), &gpu());
}

TEST_F(PlacementGpuTest, LittleStaysOnTheHostUnmeasured) {
  const Array x = movable(64);
  const Array doubled = x * 2.0;
  EXPECT_EQ(to_host<double>(doubled).back(), 128.0);
  EXPECT_EQ(where(doubled), &cpu());
  const KernelRecord record = graph.explain(doubled.value()).back();
  EXPECT_TRUE(record.placed.is_chosen);
  EXPECT_FALSE(record.placed.is_known);
}

TEST_F(PlacementGpuTest, AGpuWithoutRoomIsNotChosen) {
  gpu().set_memory_limit(bytes);
  const Array x = movable();
  const Array doubled = x * 2.0;
  EXPECT_EQ(to_host<double>(doubled).back(), 2.0 * count);
  EXPECT_EQ(where(doubled), &cpu());
  EXPECT_EQ(where(x), &cpu());
}

TEST_F(PlacementGpuTest, AFailedMoveLeavesTheArrays) {
  const Array x = movable();
  const Array y = movable();
  fake.fail_next("copy_to_device", runtime::cuda::result::invalid_value);
  EXPECT_THROW((x + y).evaluate(), DeviceError);
  EXPECT_EQ(where(x), &cpu());
  EXPECT_EQ(to_host<double>(x), numbers());
  EXPECT_EQ(to_host<double>(y), numbers());
  (x + y).evaluate();
  EXPECT_EQ(where(x), &gpu());
  EXPECT_EQ(to_host<double>(y), numbers());
}

TEST_F(PlacementGpuTest, WhereAnArrayIsFixedTheOthersCome) {
  const Array x = movable();
  const Array on_gpu = fixed(gpu());
  const Array on_cpu = fixed(cpu());
  const Array there = x + on_gpu;
  there.evaluate();
  EXPECT_EQ(where(there), &gpu());
  EXPECT_FALSE(may_move(there));
  EXPECT_EQ(where(x), &gpu());
  const Array here = x + on_cpu;
  EXPECT_EQ(to_host<double>(here).front(), 2.0);
  EXPECT_EQ(where(here), &cpu());
  EXPECT_EQ(where(x), &cpu());
  EXPECT_THROW(x + on_cpu + on_gpu, ValueError);
}

TEST_F(PlacementGpuTest, ValuesOfAnyDeviceAreWrittenToArraysThatMayMove) {
  graph.set_rates(cpu(), fast);  // no kernel loses there
  Array x = movable();
  Array part = slice(x, 0, 0, count / 2);
  part.evaluate();
  const Array value = slice(fixed(gpu()), 0, count / 2, count);
  part.assign(value.value());
  EXPECT_EQ(where(x), &cpu());
  EXPECT_EQ(to_host<double>(x).front(), count / 2 + 1.0);
  EXPECT_EQ(to_host<double>(x).back(), count);
  const Array stepped = slice(x, 0, 0, count, 2);
  Array(stepped).assign(value.value());
  EXPECT_EQ(to_host<double>(x).front(), count / 2 + 1.0);
  EXPECT_EQ(to_host<double>(x).at(count - 2), count);
}

TEST_F(PlacementGpuTest, AnArrayThatIsWrittenToAgainAndAgainMoves) {
  graph.set_rates(
      cpu(),
      {.launch = 1e-6, .memory = 1e11, .arithmetic = {1e12, 1e12}, .functions = {1e11, 1e11}});
  Rates far = fast;
  far.from_host = 2e10;
  graph.set_rates(gpu(), far);
  const Array x = movable();
  Array inner = slice(x, 0, 1, count - 1);
  inner.evaluate();
  int on_host = 0;
  for (; on_host < 20 && where(x) == &cpu(); ++on_host)
    inner.assign((slice(x, 0, 0, count - 2) + slice(x, 0, 2, count)).value());
  EXPECT_GE(on_host, 2);
  EXPECT_LE(on_host, 10);
  EXPECT_EQ(where(inner), &gpu());
  EXPECT_EQ(x.value()->layout()->memory, inner.value()->layout()->memory);
  // As the kernels there do nothing, what the host computed came along.
  std::vector<double> expected = numbers();
  for (int step = 1; step < on_host; ++step) {
    const std::vector<double> before = expected;
    for (std::size_t i = 1; i + 1 < expected.size(); ++i)
      expected[i] = before[i - 1] + before[i + 1];
  }
  EXPECT_EQ(to_host<double>(x).front(), expected.front());
  EXPECT_EQ(to_host<double>(x).back(), expected.back());
}

TEST_F(PlacementGpuTest, ExplainingDecidesTheSameAndMovesNothing) {
  const Array x = movable();
  const Array y = sum(x * 2.0) + x;
  const int before = copies();
  const auto told = graph.explain(y.value());
  EXPECT_EQ(copies(), before);
  EXPECT_EQ(where(x), &cpu());
  y.evaluate();
  const auto ran = graph.explain(y.value());
  ASSERT_EQ(told.size(), ran.size());
  for (std::size_t i = 0; i < told.size(); ++i) {
    EXPECT_EQ(told[i].device, ran[i].device);
    EXPECT_EQ(told[i].placed.choice.seconds, ran[i].placed.choice.seconds);
    EXPECT_EQ(told[i].placed.choice.copied_bytes, ran[i].placed.choice.copied_bytes);
  }
  EXPECT_EQ(ran.front().placed.choice.copied_bytes[1], static_cast<std::int64_t>(bytes));
  EXPECT_EQ(ran.back().placed.choice.copied_bytes[1], 0);
}

TEST_F(PlacementGpuTest, WhatIsReadOnTheHostMayBeBetterMadeThere) {
  graph.set_rates(
      cpu(),
      {.launch = 1e-6, .memory = 5e10, .arithmetic = {1e12, 1e12}, .functions = {1e11, 1e11}});
  Rates far = fast;
  far.from_host = far.to_host = 1e10;
  graph.set_rates(gpu(), far);
  const Array x = full(graph, {count}, DType::float64, 3.0);
  const Array y = full(graph, {count}, DType::float64, 4.0);
  x.evaluate();
  EXPECT_EQ(where(x), &gpu());
  std::vector<double> made(count);
  graph.read(y.value(), made.data());
  EXPECT_EQ(made.back(), 4.0);
  y.evaluate(&cpu());
  EXPECT_EQ(where(y), &cpu());
}

TEST_F(PlacementGpuTest, WithoutAChoiceArraysAreOfOneDevice) {
  set_automatic(false);
  const Array x = arange(graph, count);
  x.evaluate();
  EXPECT_EQ(where(x), &gpu());
  EXPECT_FALSE(may_move(x));
  const Array y = movable();
  const Array z = y * 2.0;  // of what may move, though the thread makes no such arrays
  z.evaluate();
  EXPECT_TRUE(may_move(z));
  EXPECT_FALSE(graph.explain(x.value()).back().placed.is_chosen);
}

TEST_F(PlacementGpuTest, ArraysThatMovedMakeRoomAsOthersDo) {
  const Array x = movable();
  (x * 2.0).evaluate();
  ASSERT_EQ(where(x), &gpu());
  gpu().set_memory_limit(bytes);
  const Array y = fixed(gpu());
  EXPECT_TRUE(std::holds_alternative<SpilledPtr>(x.value()->made_by));
  EXPECT_EQ(to_host<double>(x), numbers());
}

}  // namespace
}  // namespace phalanx::arrays
