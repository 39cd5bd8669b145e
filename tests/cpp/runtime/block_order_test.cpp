#include "phalanx/runtime/cpu/block_order.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace phalanx::runtime::cpu {
namespace {

std::vector<std::uint64_t> blocks(const BlockOrder& order, std::uint64_t count) {
  std::vector<std::uint64_t> result;
  for (std::uint64_t position = 0; position < count; ++position)
    result.push_back(order.block_at(position));
  return result;
}

TEST(BlockOrder, IsAsNumberedUnlessAsked) { EXPECT_TRUE(BlockOrder().is_as_numbered()); }

TEST(BlockOrder, RunsDownTheColumnsOfABand) {
  const BlockOrder order = BlockOrder::in_bands({2, 10, 1});
  EXPECT_FALSE(order.is_as_numbered());
  const std::vector<std::uint64_t> expected = {0, 2, 4, 6,  8,  10, 12, 14, 1,  3,
                                               5, 7, 9, 11, 13, 15, 16, 18, 17, 19};
  EXPECT_EQ(blocks(order, 20), expected);
}

TEST(BlockOrder, RunsEachBlockOfAnyGridOnce) {
  for (const std::uint32_t columns : {1U, 3U, 17U}) {
    for (const std::uint32_t rows : {1U, 7U, 8U, 9U, 31U}) {
      for (const std::uint32_t planes : {1U, 3U}) {
        const std::uint64_t count = std::uint64_t{columns} * rows * planes;
        std::vector<int> runs(count);
        for (const std::uint64_t block :
             blocks(BlockOrder::in_bands({columns, rows, planes}), count))
          ++runs.at(block);
        EXPECT_EQ(runs, std::vector<int>(count, 1)) << columns << " x " << rows << " x " << planes;
      }
    }
  }
}

}  // namespace
}  // namespace phalanx::runtime::cpu
