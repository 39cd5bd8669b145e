// Programs that read more than the device's memory holds, in chunks.
#include "phalanx/arrays/chunk_stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "phalanx/arrays/operations.h"
#include "phalanx/arrays/residency.h"
#include "phalanx/base/errors.h"
#include "tests/cpp/arrays/harness.h"

namespace phalanx::arrays {
namespace {

// Numbers that only read() gives, as of a file; fails where it is told to.
class FileSource final : public Source {
 public:
  FileSource(std::vector<double> numbers, const std::size_t* fails_at)
      : numbers_(std::move(numbers)), fails_at_(fails_at) {}

  std::size_t bytes() const override { return numbers_.size() * sizeof(double); }
  const std::byte* host() const override { return nullptr; }
  void read(std::size_t begin, std::span<std::byte> to) const override {
    if (begin + to.size() > *fails_at_)
      throw std::runtime_error("the disk is gone");
    std::memcpy(to.data(), reinterpret_cast<const std::byte*>(numbers_.data()) + begin, to.size());
  }

 private:
  std::vector<double> numbers_;
  const std::size_t* fails_at_;
};

constexpr std::int64_t rows = 3000;
constexpr std::int64_t columns = 200;
constexpr std::uint64_t bytes = rows * columns * sizeof(double);  // 4.6 MiB

struct ChunkStreamTest : Harness, ::testing::Test {
  ChunkStreamTest() { set_limit(bytes / 4); }
  ~ChunkStreamTest() override { cpu().set_memory_limit(std::nullopt); }

  runtime::Device& cpu() { return engine.runtime().cpu(); }
  void set_limit(std::uint64_t more) { cpu().set_memory_limit(cpu().memory_use().used + more); }

  static double number_at(std::int64_t i) { return std::sin(static_cast<double>(i)) + 0.25; }
  static std::vector<double> numbers(std::int64_t count = rows * columns) {
    std::vector<double> made;
    for (std::int64_t i = 0; i < count; ++i) made.push_back(number_at(i));
    return made;
  }
  Array source(const Extents& shape = {rows, columns}) {
    auto file = std::make_shared<FileSource>(numbers(element_count(shape)), &fails_at);
    return {graph, graph.source(cpu(), DType::float64, shape, std::move(file))};
  }
  static bool is_spilled(const Array& array) {
    return std::holds_alternative<SpilledPtr>(array.value()->made_by);
  }
  std::int64_t chunks_of(const Array& array) {
    return graph.explain(array.value()).back().in_chunks.chunks;
  }
  std::vector<double> read(const Array& array) {
    std::vector<double> made(static_cast<std::size_t>(array.size()));
    graph.read(array.value(), made.data());
    return made;
  }
  // The sum over i of f(i, j) for each j, and over j for each i.
  using At = std::function<double(std::int64_t, std::int64_t)>;
  static std::vector<double> sums(const At& at, bool is_over_rows) {
    std::vector<double> made(is_over_rows ? columns : rows, 0);
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < columns; ++j)
        made[static_cast<std::size_t>(is_over_rows ? j : i)] += at(i, j);
    return made;
  }
  static void expect_near(const std::vector<double>& a, const std::vector<double>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-9) << i;
  }

  std::size_t fails_at = std::size_t{1} << 40;
};

TEST_F(ChunkStreamTest, FoldsOverAllAxesJoinWhatChunksGive) {
  const Array x = source();
  const Array total = sum(x * 2.0 + 1.0);
  const std::vector<double> all = numbers();
  const double expected = 2 * std::accumulate(all.begin(), all.end(), 0.0) + rows * columns;
  EXPECT_NEAR(values(total).front(), expected, 1e-8);
  EXPECT_EQ(values(max(x)).front(), *std::ranges::max_element(all));
  EXPECT_EQ(values(min(x)).front(), *std::ranges::min_element(all));
  EXPECT_TRUE(is_spilled(x));
  EXPECT_GT(chunks_of(total), 4);
  EXPECT_LE(cpu().memory_use().peak, bytes / 2);
}

TEST_F(ChunkStreamTest, FoldsKeepAxes) {
  const Array x = source();
  const Array weights = array({columns}, numbers(columns));
  const At at = [](auto i, auto j) { return number_at(i * columns + j) * number_at(j); };
  expect_near(values(sum(x * weights, {{0}})), sums(at, true));
  expect_near(values(sum(x * weights, {{1}})), sums(at, false));
  const Array turned = transpose(x) * array({columns, 1}, numbers(columns));
  expect_near(values(sum(turned, {{1}})), sums(at, true));
  EXPECT_TRUE(is_spilled(x));
}

TEST_F(ChunkStreamTest, ALongRowIsCutToo) {
  const Array x = source({3, rows * columns / 3});
  const std::vector<double> all = numbers();
  const std::vector<double> sums = values(sum(x, {{1}}));
  const auto row = static_cast<std::ptrdiff_t>(all.size() / 3);
  for (std::ptrdiff_t i = 0; i < 3; ++i) {
    const auto first = all.begin() + i * row;
    EXPECT_NEAR(sums[static_cast<std::size_t>(i)], std::accumulate(first, first + row, 0.0), 1e-9);
  }
  set_limit(4 * bytes / 3 + (1 << 20));  // the sums, and those of each row
  const std::vector<double> columns_sums = values(sum(x, {{0}}));
  ASSERT_EQ(columns_sums.size(), static_cast<std::size_t>(row));
  for (std::ptrdiff_t j = 0; j < row; ++j)
    ASSERT_DOUBLE_EQ(
        columns_sums[static_cast<std::size_t>(j)],
        all.begin()[j] + all.begin()[row + j] + all.begin()[2 * row + j]);
}

TEST_F(ChunkStreamTest, ElementsGoToMemoryOfTheHost) {
  const Array x = source();
  const std::vector<double> all = numbers();
  const std::vector<double> made = read(x * 2.0);
  for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(made[i], 2 * all[i]) << i;
  EXPECT_EQ(read(x), all);
  const Array other = transpose(x) + 0.0;  // in another order than the elements
  EXPECT_THROW(read(other), OutOfMemoryError);
  set_limit(3 * bytes);
  const std::vector<double> turned = read(other);
  for (std::size_t i = 0; i < static_cast<std::size_t>(rows * columns); i += 777)
    ASSERT_EQ(turned[i % columns * rows + i / columns], all[i]) << i;
}

TEST_F(ChunkStreamTest, NeighboursAreReadWithTheChunk) {
  const Array x = source({rows * columns});
  const Array differences =
      arrays::slice(x, 0, 1, rows * columns) - arrays::slice(x, 0, 0, rows * columns - 1);
  const std::vector<double> all = numbers();
  EXPECT_NEAR(values(sum(differences)).front(), all.back() - all.front(), 1e-9);
  EXPECT_LE(graph.explain(sum(differences).value()).size(), 1U);
  const Array backwards = arrays::slice(x, 0, 0, rows * columns, 7) * 1.0;
  const std::vector<double> made = read(backwards);
  for (std::size_t i = 0; i < made.size(); ++i) ASSERT_EQ(made[i], all[7 * i]);
}

TEST_F(ChunkStreamTest, PositionsGoOnFromChunkToChunk) {
  const Array x = source({rows * columns});
  const Array weighted = x * 0.0 + astype(arange(graph, rows * columns), DType::float64);
  const double n = rows * columns;
  EXPECT_EQ(values(sum(weighted)).front(), n * (n - 1) / 2);
}

TEST_F(ChunkStreamTest, APartOfASourceIsReadAlone) {
  const Array x = source();
  const Array part = arrays::slice(x, 0, 100, 103);
  EXPECT_EQ(values(part)[columns + 1], number_at(101 * columns + 1));
  EXPECT_TRUE(is_spilled(x));
  const Array flat = x.reshape({rows * columns});
  EXPECT_NEAR(values(sum(flat * flat)).front(), values(sum(x * x)).front(), 1e-8);
  const Array element =
      x.element({{.dimension = Axis::none, .start = 5}, {.dimension = Axis::none, .start = 6}});
  EXPECT_EQ(values(element).front(), number_at(5 * columns + 6));
}

TEST_F(ChunkStreamTest, APartShowsWhatIsWrittenLater) {
  const std::vector<double> all = numbers();
  const Array x(graph, graph.copied_to_host(cpu(), DType::float64, {rows, columns}, all.data()));
  const Array part = arrays::slice(x, 0, 100, 103);
  EXPECT_EQ(values(part).front(), number_at(100 * columns));
  EXPECT_TRUE(is_spilled(x));
  set_limit(4 * bytes);
  arrays::slice(x, 0, 100, 101).assign(number(7));
  EXPECT_EQ(values(part).front(), 7);
  EXPECT_EQ(values(part).back(), number_at(103 * columns - 1));
}

TEST_F(ChunkStreamTest, WhatFitsComesToMemoryOnce) {
  set_limit(4 * bytes);
  const Array x = source();
  values(sum(x));
  EXPECT_FALSE(is_spilled(x));
  EXPECT_EQ(chunks_of(sum(x)), 0);
  EXPECT_EQ(values(x), numbers());
}

TEST_F(ChunkStreamTest, OperandsLeaveRoomForResults) {
  set_limit(bytes);
  EXPECT_NEAR(values(sum(source() * 2.0)).front(), 2 * values(sum(source())).front(), 1e-8);
}

TEST_F(ChunkStreamTest, WhatCannotBeCutNeedsRoom) {
  const Array x = source({600, 600});
  const Array crossed = x + transpose(x);
  set_limit(1 << 20);
  EXPECT_THROW(values(sum(crossed)), OutOfMemoryError);
  EXPECT_THROW(values(reduce(x, "argmax")), OutOfMemoryError);
  EXPECT_TRUE(is_spilled(x));
  set_limit(16 << 20);
  EXPECT_NEAR(values(sum(crossed)).front(), 2 * values(sum(x)).front(), 1e-8);
}

TEST_F(ChunkStreamTest, AFailureInTheMiddleLeavesEverythingAsItWas) {
  const Array x = source();
  const Array total = sum(x);
  const std::uint64_t used = cpu().memory_use().used;
  fails_at = bytes / 2;
  EXPECT_THROW(values(total), std::runtime_error);
  std::vector<double> target(rows * columns);
  EXPECT_THROW(graph.read((x * 2.0).value(), target.data()), std::runtime_error);
  EXPECT_EQ(cpu().memory_use().used, used);
  fails_at = std::size_t{1} << 40;
  const std::vector<double> all = numbers();
  EXPECT_NEAR(values(total).front(), std::accumulate(all.begin(), all.end(), 0.0), 1e-8);
}

}  // namespace
}  // namespace phalanx::arrays
