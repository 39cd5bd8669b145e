// Chunk streams of a GPU, on the fake driver: which copies wait for which, and what memory they
// take. Kernels do nothing there: in the first tests copies take their place.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

#include "phalanx/arrays/chunk_stream.h"
#include "phalanx/arrays/graph.h"
#include "phalanx/arrays/operations.h"
#include "phalanx/arrays/residency.h"
#include "phalanx/base/errors.h"
#include "tests/cpp/arrays/fake_gpu.h"

namespace phalanx::arrays {
namespace {

constexpr std::int64_t count = 1 << 18;
constexpr std::uint64_t bytes = count * sizeof(double);  // 2 MiB

struct ChunkStreamGpuTest : FakeGpuTest {
  std::vector<double> numbers = std::vector<double>(count);
  std::size_t read_bytes = 0;

  ChunkStreamGpuTest() { std::iota(numbers.begin(), numbers.end(), 1.0); }

  // What only read() gives.
  class File final : public Source {
   public:
    explicit File(ChunkStreamGpuTest& test) : test_(test) {}
    std::size_t bytes() const override { return arrays::bytes; }
    const std::byte* host() const override { return nullptr; }
    void read(std::size_t begin, std::span<std::byte> to) const override {
      test_.read_bytes += to.size();
      std::memcpy(
          to.data(), reinterpret_cast<const std::byte*>(test_.numbers.data()) + begin, to.size());
    }

   private:
    ChunkStreamGpuTest& test_;
  };

  NodePtr mapped() {
    return graph.source(
        gpu(),
        DType::float64,
        {count},
        std::make_shared<HostSource>(numbers.data(), bytes, nullptr));
  }
  NodePtr file() {
    return graph.source(gpu(), DType::float64, {count}, std::make_shared<File>(*this));
  }

  // The node's elements, after their way through the device's memory in chunks.
  std::vector<double> copied(const NodePtr& node, std::size_t chunk_bytes) {
    ProgramBuilder builder(*node->shape);
    builder.add_result(node);
    const Program program = builder.take();
    auto chunking = Chunking::find(
        program, {.order = {0}, .item_bytes = sizeof(double), .most_bytes = chunk_bytes});
    ChunkStream stream(engine.runtime(), gpu(), program, *std::move(chunking));
    std::vector<double> made(count);
    stream.run(
        [&](const Program& part, const Chunk& chunk, runtime::Address results) {
          const Access& access = part.accesses.front();
          gpu().copy(
              results,
              access.memory->address + static_cast<runtime::Address>(access.offset),
              static_cast<std::size_t>(chunk.extents[0]) * sizeof(double),
              *gpu().default_stream());
        },
        reinterpret_cast<std::byte*>(made.data()));
    EXPECT_EQ(stream.copied_bytes(), 2 * bytes);
    return made;
  }
};

TEST_F(ChunkStreamGpuTest, CopiesAndKernelsTakeTurnsWithTheLanes) {
  for (const std::size_t chunk_bytes : {std::size_t{16} << 10, std::size_t{1} << 20, 4 * bytes}) {
    EXPECT_EQ(copied(mapped(), chunk_bytes), numbers) << chunk_bytes;
    EXPECT_EQ(copied(file(), chunk_bytes), numbers) << chunk_bytes;
  }
  EXPECT_EQ(read_bytes, 3 * bytes);
  EXPECT_EQ(gpu().memory_use().used, 0U);
}

TEST_F(ChunkStreamGpuTest, ASpilledArrayIsReadAfterItWasWritten) {
  gpu().set_memory_limit(bytes);
  const Array x = from_host<double>(graph, {count}, numbers, &gpu());
  const Array y = from_host<double>(graph, {count}, numbers, &gpu());  // x goes to the host
  ASSERT_TRUE(std::holds_alternative<SpilledPtr>(x.value()->made_by));
  gpu().set_memory_limit(std::nullopt);
  EXPECT_EQ(copied(x.value(), 64 << 10), numbers);
  EXPECT_EQ(to_host<double>(y), numbers);
}

TEST_F(ChunkStreamGpuTest, FoldsStayWithinTheLimit) {
  gpu().set_memory_limit(bytes / 4);
  for (const NodePtr& node : {mapped(), file()}) {
    const Array x(graph, node);
    const Array total = sum(x * 2.0);
    total.evaluate();
    const KernelRecord record = graph.explain(total.value()).back();
    EXPECT_EQ(record.in_chunks.chunks, 32);
    EXPECT_EQ(record.in_chunks.copied_bytes, bytes);
    EXPECT_TRUE(std::holds_alternative<SpilledPtr>(node->made_by));
  }
  EXPECT_EQ(read_bytes, bytes);
  EXPECT_LE(gpu().memory_use().peak, bytes / 4);
  EXPECT_LE(gpu().memory_use().used, 1024U);
}

TEST_F(ChunkStreamGpuTest, ResultsWithoutRoomGoToTheHost) {
  gpu().set_memory_limit(bytes / 4);
  const Array x(graph, mapped());
  const Array doubled = x * 2.0;
  // Another shape needs its elements somewhere.
  const Array total = sum(Array(graph, graph.reshape(doubled.value(), {2, count / 2})) + 1.0);
  total.evaluate();
  EXPECT_TRUE(std::holds_alternative<SpilledPtr>(doubled.value()->made_by));
  EXPECT_EQ(graph.residency().statistics().spilled_bytes, bytes);
  EXPECT_THROW(doubled.evaluate(), OutOfMemoryError);
  EXPECT_EQ(
      to_host<double>(Array(graph, graph.view(x.value(), {3}, {{.dimension = 0, .step = 1}})))
          .size(),
      3U);
}

TEST_F(ChunkStreamGpuTest, SourcesThatFitComeToTheDeviceAndGoWithoutACopy) {
  gpu().set_memory_limit(2 * bytes);
  const Array x(graph, mapped());
  EXPECT_EQ(to_host<double>(x), numbers);
  EXPECT_EQ(gpu().memory_use().used, bytes);
  const Array y = from_host<double>(graph, {count}, numbers, &gpu());
  const Array z = from_host<double>(graph, {count}, numbers, &gpu());
  EXPECT_TRUE(std::holds_alternative<SpilledPtr>(x.value()->made_by));
  EXPECT_EQ(graph.residency().statistics().spilled_bytes, 0U);
  EXPECT_EQ(to_host<double>(x), numbers);
}

TEST_F(ChunkStreamGpuTest, WhatIsReadToTheHostNeedsNoRoom) {
  gpu().set_memory_limit(bytes / 4);
  std::vector<double> made(count);
  graph.read(mapped(), made.data());
  EXPECT_EQ(made, numbers);
  graph.read(file(), made.data());
  EXPECT_EQ(made, numbers);
  EXPECT_EQ(gpu().memory_use().peak, 0U);
}

TEST_F(ChunkStreamGpuTest, TheUserStopsIt) {
  gpu().set_memory_limit(bytes / 4);
  const Array total = sum(Array(graph, mapped()) * 2.0);
  int asked = 0;
  engine.runtime().set_interrupt_check([&] { return ++asked == 5; });
  EXPECT_THROW(total.evaluate(), Interrupted);
  EXPECT_EQ(gpu().memory_use().used, 0U);
  total.evaluate();
}

TEST_F(ChunkStreamGpuTest, FailuresLeaveTheSource) {
  gpu().set_memory_limit(bytes / 4);
  const Array x(graph, mapped());
  const Array total = sum(x * 2.0);
  fake.fail_next("copy_to_device", runtime::cuda::result::invalid_value);
  EXPECT_THROW(total.evaluate(), DeviceError);
  EXPECT_EQ(gpu().memory_use().used, 0U);
  total.evaluate();
  std::vector<double> made(count);
  fake.fail_next("copy_to_host", runtime::cuda::result::invalid_value);
  EXPECT_THROW(graph.read((x * 2.0).value(), made.data()), DeviceError);
  gpu().set_memory_limit(1024);
  EXPECT_THROW(sum(x * 3.0).evaluate(), OutOfMemoryError);
  EXPECT_TRUE(std::holds_alternative<SpilledPtr>(x.value()->made_by));
  EXPECT_LE(gpu().memory_use().used, 1024U);
}

}  // namespace
}  // namespace phalanx::arrays
