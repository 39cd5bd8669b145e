// Recorded values are computed where they keep too much memory, on the fake driver.
#include "phalanx/arrays/held_memory.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "phalanx/arrays/operations.h"
#include "phalanx/arrays/residency.h"
#include "tests/cpp/arrays/fake_gpu.h"

namespace phalanx::arrays {
namespace {

constexpr std::int64_t count = 1 << 15;
constexpr std::uint64_t bytes = count * sizeof(double);
constexpr std::uint64_t limit = 32 * bytes;  // 8 arrays may be held
// With the 4 that come until the next check, the next one, and small results.
constexpr std::uint64_t most = 13 * bytes + 65536;
static_assert(bytes >= Residency::least_held);

struct HeldMemoryTest : FakeGpuTest {
  Array array() {
    return from_host<double>(graph, {count}, std::vector<double>(count, 1.0), &gpu());
  }
  HeldMemoryTest() { gpu().set_memory_limit(limit); }

  static bool is_pending(const Array& array) { return array.value()->is_pending(); }
};

TEST_F(HeldMemoryTest, SumsOfArraysThatAreGoneDoNotKeepThem) {
  std::vector<Array> sums;
  for (int i = 0; i < 64; ++i) sums.push_back(sum(array() * 2.0));
  EXPECT_LE(gpu().memory_use().peak, most);
  EXPECT_FALSE(is_pending(sums.front()));
  EXPECT_TRUE(is_pending(sums.back()));
  EXPECT_EQ(graph.residency().statistics().spills, 0U);
}

TEST_F(HeldMemoryTest, OneSumOfAllIsComputedOnItsWay) {
  Array total = sum(array());
  for (int i = 0; i < 60; ++i) total = total + sum(array());
  EXPECT_LE(gpu().memory_use().peak, most);
}

TEST_F(HeldMemoryTest, WhatTheProgramHasIsNotHeld) {
  std::vector<Array> arrays;
  std::vector<Array> sums;
  for (int i = 0; i < 24; ++i) {
    arrays.push_back(array());
    sums.push_back(sum(arrays.back()));
  }
  EXPECT_EQ(graph.statistics().kernels, 0U);
}

TEST_F(HeldMemoryTest, NorWhatAViewOfItShows) {
  std::vector<Array> views;
  std::vector<Array> sums;
  for (int i = 0; i < 24; ++i) {
    const Array whole = array();
    views.push_back(slice(whole, 0, 0, 10));
    sums.push_back(sum(whole));
  }
  EXPECT_EQ(graph.statistics().kernels, 0U);
}

TEST_F(HeldMemoryTest, ValuesThatTakeAsMuchStayRecorded) {
  std::vector<Array> doubled;
  for (int i = 0; i < 24; ++i) doubled.push_back(array() * 2.0);
  EXPECT_EQ(graph.statistics().kernels, 0U);
}

TEST_F(HeldMemoryTest, AllThatReadsTheMemoryIsComputed) {
  std::vector<Array> found;
  for (int i = 0; i < 64; ++i) {
    const Array whole = array();
    found.push_back(sum(whole));
    found.push_back(sum(slice(whole, 0, 5, 10) + 1.0));
  }
  EXPECT_LE(gpu().memory_use().peak, most);
}

TEST_F(HeldMemoryTest, AnErrorIsNobodysWhoDidNotAsk) {
  std::vector<Array> sums;
  for (int i = 0; i < 11; ++i) sums.push_back(sum(array()));
  fake.fail_next("launch", runtime::cuda::result::out_of_memory);
  for (int i = 0; i < 11; ++i) sums.push_back(sum(array()));
  EXPECT_LE(gpu().memory_use().peak, 16 * bytes);
}

}  // namespace
}  // namespace phalanx::arrays
