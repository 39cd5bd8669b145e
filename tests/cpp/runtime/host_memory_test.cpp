#include "phalanx/runtime/memory/host_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace phalanx::runtime {
namespace {

constexpr std::size_t megabyte = std::size_t{1} << 20;

TEST(HostPool, BlocksOfNearlyTheSameSizeTakeEachOthersPlace) {
  HostPool pool;
  for (std::size_t bytes = 2 * megabyte; bytes < 4 * megabyte; bytes += 5000) {
    void* memory = pool.allocate(bytes);
    std::memset(memory, 1, bytes);
    pool.free(memory, bytes);
  }
  EXPECT_EQ(pool.used(), 0U);
  EXPECT_LE(pool.cached(), 8 * 4 * megabyte);  // one block of each size
}

TEST(HostPool, ALargeBlockIsAtMostAnEighthLarger) {
  HostPool pool;
  for (const std::size_t bytes :
       {megabyte, megabyte + 1, 3 * megabyte - 7, 16 * megabyte + 1, 100 * megabyte}) {
    void* memory = pool.allocate(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % HostPool::alignment, 0U);
    EXPECT_GE(pool.used(), bytes);
    EXPECT_LE(pool.used(), bytes + bytes / 8 + 2 * megabyte);
    pool.free(memory, bytes);
    EXPECT_EQ(pool.used(), 0U);
  }
  pool.trim();
  EXPECT_EQ(pool.cached(), 0U);
}

TEST(HostPool, AFewBlocksOfEachSmallSizeAreKept) {
  HostPool pool;
  void* const first = pool.allocate(4096);
  pool.free(first, 4096);
  EXPECT_EQ(pool.cached(), 4096U);
  EXPECT_EQ(pool.allocate(4090), first);
  EXPECT_EQ(pool.cached(), 0U);
  std::vector<void*> blocks = {first};
  for (int i = 0; i < 20; ++i) blocks.push_back(pool.allocate(4096));
  for (void* block : blocks) pool.free(block, 4096);
  EXPECT_EQ(pool.used(), 0U);
  EXPECT_LE(pool.cached(), 8 * 4096U);
  pool.trim();
  EXPECT_EQ(pool.cached(), 0U);
}

TEST(HostPool, AMediumBlockIsTheLastThatWasGivenBack) {
  HostPool pool;
  const std::size_t bytes = 800'000;
  void* const first = pool.allocate(bytes);
  void* const second = pool.allocate(bytes);
  pool.free(second, bytes);
  pool.free(first, bytes);
  EXPECT_EQ(pool.cached(), 2 * bytes);
  EXPECT_EQ(pool.allocate(bytes), first);
  EXPECT_EQ(pool.allocate(bytes), second);
  EXPECT_EQ(pool.cached(), 0U);
  EXPECT_EQ(pool.used(), 2 * bytes);
  pool.free(first, bytes);
  pool.free(second, bytes);
  EXPECT_EQ(pool.used(), 0U);
}

TEST(HostPool, MediumBlocksOfOtherSizesGiveWay) {
  HostPool pool;
  std::size_t kept = 0;
  for (std::size_t bytes = 20'032; bytes < megabyte; bytes += 6400) {
    std::vector<void*> blocks(3);
    for (void*& block : blocks) {
      block = pool.allocate(bytes);
      std::memset(block, 1, bytes);
    }
    for (void* block : blocks) pool.free(block, bytes);
    EXPECT_LE(pool.cached(), 32 * megabyte);
    kept = std::max(kept, static_cast<std::size_t>(pool.cached()));
    EXPECT_EQ(pool.allocate(bytes), blocks.back());
    pool.free(blocks.back(), bytes);
  }
  EXPECT_GT(kept, 30 * megabyte);
  pool.trim();
  EXPECT_EQ(pool.cached(), 0U);
}

}  // namespace
}  // namespace phalanx::runtime
