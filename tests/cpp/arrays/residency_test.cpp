// Arrays that leave a GPU's memory to make room and come back, on the fake driver.
#include "phalanx/arrays/residency.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "phalanx/arrays/operations.h"
#include "phalanx/base/errors.h"
#include "tests/cpp/arrays/fake_gpu.h"

namespace phalanx::arrays {
namespace {

constexpr std::int64_t count = 1 << 15;
constexpr std::uint64_t bytes = count * sizeof(double);

struct ResidencyTest : FakeGpuTest {
  static std::vector<double> numbers(double first) {
    std::vector<double> made(count);
    std::iota(made.begin(), made.end(), first);
    return made;
  }
  Array array(double first) { return from_host<double>(graph, {count}, numbers(first), &gpu()); }
  static bool is_spilled(const Array& array) {
    return std::holds_alternative<SpilledPtr>(array.value()->made_by);
  }
  SpillStatistics statistics() { return graph.residency().statistics(); }
};

TEST_F(ResidencyTest, TheArrayThatWasNotUsedForLongestMakesRoom) {
  gpu().set_memory_limit(2 * bytes);
  const Array a = array(1);
  const Array b = array(2);
  EXPECT_EQ(statistics().spills, 0U);
  const Array c = array(3);
  EXPECT_TRUE(is_spilled(a));
  EXPECT_FALSE(is_spilled(b));
  EXPECT_EQ(to_host<double>(a), numbers(1));  // comes back in the place of another
  EXPECT_TRUE(is_spilled(b));
  EXPECT_EQ(to_host<double>(b), numbers(2));
  EXPECT_EQ(to_host<double>(c), numbers(3));
  EXPECT_EQ(gpu().memory_use().used, 2 * bytes);
  EXPECT_EQ(statistics().spilled_bytes, bytes);
}

TEST_F(ResidencyTest, ArraysThatShareMemoryGoAndComeTogether) {
  gpu().set_memory_limit(2 * bytes);
  const Array a = array(1);
  const Array part = slice(a, 0, 100, 200);
  part.evaluate();
  const Array b = array(2);
  const Array c = array(3);
  EXPECT_TRUE(is_spilled(a) && is_spilled(part));
  const std::vector<double> whole = numbers(1);
  EXPECT_EQ(to_host<double>(part), std::vector<double>(whole.begin() + 100, whole.begin() + 200));
  EXPECT_FALSE(is_spilled(a));
  EXPECT_EQ(a.evaluate()->memory, part.evaluate()->memory);
  EXPECT_EQ(a.evaluate()->address + 100 * sizeof(double), part.evaluate()->address);
  EXPECT_EQ(to_host<double>(a), whole);
  to_host<double>(b);
  to_host<double>(c);
  EXPECT_TRUE(is_spilled(a) && is_spilled(part));  // again
  EXPECT_EQ(to_host<double>(a), whole);
}

TEST_F(ResidencyTest, APartKeepsAllOfItsMemory) {
  gpu().set_memory_limit(2 * bytes);
  const Array part = [&] {
    const Array a = array(1);
    Array made = slice(a, 0, 7, 9);
    made.evaluate();
    return made;
  }();
  const Array b = array(2);
  const Array c = array(3);
  EXPECT_TRUE(is_spilled(part));
  EXPECT_EQ(to_host<double>(part), (std::vector<double>{8, 9}));
}

TEST_F(ResidencyTest, WhatSomebodyHasStaysWhereItIs) {
  gpu().set_memory_limit(2 * bytes);
  const Array a = array(1);
  const Memory held = a.evaluate();
  const Array b = array(2);
  const Array c = array(3);
  EXPECT_FALSE(is_spilled(a));
  EXPECT_TRUE(is_spilled(b));
}

TEST_F(ResidencyTest, WhatWasExportedStaysWhereItIs) {
  gpu().set_memory_limit(2 * bytes);
  const Array a = array(1);
  const runtime::Address address = a.share()->address;
  const Array b = array(2);
  const Array c = array(3);
  EXPECT_TRUE(is_spilled(b));
  b.share();
  const std::string text = [&] {
    try {
      array(4);
    } catch (const OutOfMemoryError& error) {
      return std::string(error.what());
    }
    return std::string();
  }();
  EXPECT_NE(text.find("The largest of 2 arrays:\n  256.0 KiB: float64 (32768,), "), text.npos)
      << text;
  EXPECT_EQ(a.evaluate()->address, address);
}

TEST_F(ResidencyTest, OperandsOfAKernelAreThereTogether) {
  gpu().set_memory_limit(3 * bytes);
  const Array a = array(1);
  const Array b = array(2);
  const Array c = array(3);
  const Array d = array(4);  // a leaves
  const Array sum = a + b;
  sum.evaluate();
  EXPECT_FALSE(is_spilled(a) || is_spilled(b));
  EXPECT_TRUE(is_spilled(c) && is_spilled(d));
  EXPECT_THROW((a + b + c).evaluate(), OutOfMemoryError);  // four at once
  gpu().set_memory_limit(4 * bytes);
  (a + b + c).evaluate();
}

TEST_F(ResidencyTest, WhatWasRecordedOfASpilledArrayFindsIt) {
  gpu().set_memory_limit(2 * bytes);
  const Array a = array(1);
  const Array reversed = slice(a, 0, 0, count, 2);
  const Array total = sum(reversed * 2.0);
  const Array b = array(2);
  const Array c = array(3);
  EXPECT_TRUE(is_spilled(a));
  EXPECT_EQ(graph.explain(total.value()).size(), 1U);
  EXPECT_TRUE(is_spilled(a));  // nothing ran
  total.evaluate();
  EXPECT_EQ(to_host<double>(a), numbers(1));
}

TEST_F(ResidencyTest, AssignmentsReachASpilledArrayAndKeepWhatWasRecorded) {
  gpu().set_memory_limit(2 * bytes + 4096);
  Array a = array(1);
  const Array part = slice(a, 0, 0, 10);
  part.evaluate();
  const Array b = array(2);
  const Array c = array(3);
  EXPECT_TRUE(is_spilled(a));
  const Array before = part + 1.0;
  a.assign(b.value());
  EXPECT_EQ(part.evaluate()->memory, a.evaluate()->memory);
  EXPECT_NE(before.evaluate()->memory, a.evaluate()->memory);
}

TEST_F(ResidencyTest, TheHostsCopyGoesWithTheArray) {
  gpu().set_memory_limit(bytes);
  {
    const Array a = array(1);
    const Array b = array(2);
    EXPECT_EQ(statistics().spilled_bytes, bytes);
  }
  EXPECT_EQ(statistics().spilled_bytes, 0U);
  EXPECT_EQ(gpu().memory_use().used, 0U);
}

TEST_F(ResidencyTest, WithoutRoomOnTheHostNothingIsSpilled) {
  gpu().set_memory_limit(bytes);
  cpu().set_memory_limit(0);
  const Array a = array(1);
  fake.fail_next("host_allocate", runtime::cuda::result::out_of_memory);
  EXPECT_THROW(array(2), OutOfMemoryError);
  EXPECT_EQ(to_host<double>(a), numbers(1));
}

TEST_F(ResidencyTest, MemoryThatIsNotPageLockedServesToo) {
  gpu().set_memory_limit(bytes);
  const Array a = array(1);
  fake.fail_next("host_allocate", runtime::cuda::result::out_of_memory);
  const Array b = array(2);
  EXPECT_TRUE(is_spilled(a));
  EXPECT_EQ(cpu().memory_use().used, bytes);
  EXPECT_EQ(to_host<double>(a), numbers(1));
  EXPECT_EQ(cpu().memory_use().used, 0U);
}

TEST_F(ResidencyTest, AnotherGraphThatIsGoneTakesNothingAway) {
  gpu().set_memory_limit(2 * bytes);
  const Array a = array(1);
  {
    Graph other(engine);
    const Array b = from_host<double>(other, {count}, numbers(2), &gpu());
  }
  const Array b = array(2);
  const Array c = array(3);
  EXPECT_TRUE(is_spilled(a));
}

TEST_F(ResidencyTest, MemoryOfTheHostIsNotSpilled) {
  runtime::Device& host = cpu();
  const Array a = from_host<double>(graph, {count}, numbers(1), &host);
  host.set_memory_limit(bytes);
  EXPECT_THROW(from_host<double>(graph, {count}, numbers(1), &host), OutOfMemoryError);
  EXPECT_FALSE(is_spilled(a));
}

}  // namespace
}  // namespace phalanx::arrays
