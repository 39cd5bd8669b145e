// Joins, orders and rows taken, for one thread and several.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/frames/in_groups.h"
#include "phalanx/frames/joins.h"
#include "phalanx/frames/order.h"
#include "phalanx/frames/take.h"
#include "phalanx/runtime/runtime.h"

namespace phalanx::frames {
namespace {

using Numbers = std::vector<std::int64_t>;
using Pairs = std::vector<std::pair<std::int64_t, std::int64_t>>;

runtime::RuntimeOptions with_threads(unsigned threads) {
  return {.device = "cpu", .threads = threads};
}

Key key_of(const Numbers& values) {
  return {{DType::int64, values.data(), nullptr, std::ssize(values)}};
}

Numbers random_numbers(std::size_t rows, std::uint64_t distinct, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Numbers made(rows);
  for (std::int64_t& each : made) each = static_cast<std::int64_t>(random() % distinct) << 20;
  return made;
}

// By comparing all with all.
Pairs expected_pairs(const Numbers& left, const Numbers& right, bool keeps_single) {
  Pairs pairs;
  for (std::size_t i = 0; i < left.size(); ++i) {
    const std::size_t before = pairs.size();
    for (std::size_t j = 0; j < right.size(); ++j)
      if (left[i] == right[j])
        pairs.emplace_back(i, j);
    if (keeps_single && pairs.size() == before)
      pairs.emplace_back(i, -1);
  }
  return pairs;
}

Pairs pairs_of(const JoinedRows& rows) {
  Pairs pairs;
  for (std::int64_t i = 0; i < rows.left.size(); ++i)
    pairs.emplace_back(rows.left[i], rows.right[i]);
  return pairs;
}

class JoinsTest : public ::testing::TestWithParam<std::tuple<unsigned, std::size_t, std::size_t>> {
};

TEST_P(JoinsTest, GiveThePairsInOrder) {
  const auto [threads, left_rows, right_rows] = GetParam();
  runtime::Runtime runtime(with_threads(threads));
  const Numbers left = random_numbers(left_rows, 700, 1);
  Numbers right = random_numbers(right_rows, 700, 2);
  for (const bool is_unique : {false, true}) {
    if (is_unique) {
      std::ranges::sort(right);
      right.erase(std::unique(right.begin(), right.end()), right.end());
    }
    const Key l[] = {key_of(left)};
    const Key r[] = {key_of(right)};
    EXPECT_EQ(
        pairs_of(join_rows(runtime, l, r, JoinKind::inner)), expected_pairs(left, right, false));
    EXPECT_EQ(
        pairs_of(join_rows(runtime, l, r, JoinKind::left)), expected_pairs(left, right, true));
    Pairs swapped = expected_pairs(right, left, true);
    for (auto& [a, b] : swapped) std::swap(a, b);
    EXPECT_EQ(pairs_of(join_rows(runtime, l, r, JoinKind::right)), swapped);
    Pairs outer = expected_pairs(left, right, true);
    for (const auto& [a, b] : swapped)
      if (a < 0)
        outer.emplace_back(a, b);
    std::ranges::stable_sort(outer, {}, [&](const auto& pair) {
      return pair.first >= 0 ? left[static_cast<std::size_t>(pair.first)]
                             : right[static_cast<std::size_t>(pair.second)];
    });
    EXPECT_EQ(pairs_of(join_rows(runtime, l, r, JoinKind::outer)), outer);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Sizes,
    JoinsTest,
    ::testing::Combine(
        ::testing::Values(1U, 4U),
        ::testing::Values(0U, 1U, 40'000U),
        ::testing::Values(0U, 1U, 300U)));

TEST(Joins, NearestRowsMayBeAbsent) {
  runtime::Runtime runtime(with_threads(2));
  const Numbers left = {1, 5, 5, 9};
  const Numbers right = {2, 5, 5, 7};
  const AsofSide sides[] = {{key_of(left).column, {}}, {key_of(right).column, {}}};
  const auto rows = [&](const AsofOptions& options) {
    const Memory<std::int64_t> found = asof_rows(runtime, sides[0], sides[1], options);
    return Numbers(found.data(), found.data() + found.size());
  };
  EXPECT_EQ(rows({AsofDirection::backward}), (Numbers{-1, 2, 2, 3}));
  EXPECT_EQ(rows({AsofDirection::backward, false}), (Numbers{-1, 0, 0, 3}));
  EXPECT_EQ(rows({AsofDirection::forward}), (Numbers{0, 1, 1, -1}));
  EXPECT_EQ(rows({AsofDirection::nearest, true, 1}), (Numbers{0, 2, 2, -1}));
}

TEST(Orders, AreStableForAnyNumberOfThreads) {
  for (const unsigned threads : {1U, 4U})
    for (const std::uint64_t distinct : {1U, 50U, 1'000'000U}) {
      runtime::Runtime runtime(with_threads(threads));
      const Numbers values = random_numbers(100'000, distinct, 3);
      Numbers expected(values.size());
      for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = static_cast<std::int64_t>(i);
      std::ranges::stable_sort(
          expected, {}, [&](std::int64_t row) { return values[static_cast<std::size_t>(row)]; });
      const Key keys[] = {key_of(values)};
      const Memory<std::int64_t> rows = order_rows(runtime, keys, {}, false);
      EXPECT_TRUE(std::equal(expected.begin(), expected.end(), rows.data()));
    }
}

TEST(Takes, OfStringsKeepTheirBytes) {
  runtime::Runtime runtime(with_threads(4));
  const std::string bytes = "onethree";
  const Numbers offsets = {0, 3, 3, 8};
  Key strings;
  strings.column.rows = 3;
  strings.offsets = offsets.data();
  strings.bytes = bytes.data();
  Numbers rows;
  std::string expected;
  for (std::int64_t i = 0; i < 60'000; ++i) {
    rows.push_back(i % 4 - 1);
    expected += i % 4 == 1 ? "one" : i % 4 == 3 ? "three" : "";
  }
  const TakenStrings taken = take_strings(runtime, strings, rows);
  EXPECT_EQ(
      std::string(taken.bytes.data(), static_cast<std::size_t>(taken.bytes.size())), expected);
  EXPECT_EQ(taken.offsets[60'000], std::ssize(expected));
  EXPECT_EQ(taken.valid[0], 0);
  EXPECT_EQ(taken.valid[2], 1);
  const Numbers past = {3};
  EXPECT_THROW(take_strings(runtime, strings, past), ValueError);
}

TEST(InGroups, RunningSumsGoOnFromPartToPart) {
  for (const unsigned threads : {1U, 4U}) {
    runtime::Runtime runtime(with_threads(threads));
    const std::size_t rows = 100'000;
    std::vector<std::int32_t> codes(rows);
    Numbers values(rows);
    Numbers sums(3);
    Numbers expected(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      codes[i] = static_cast<std::int32_t>(i * i % 3);
      values[i] = static_cast<std::int64_t>(i % 17) - 8;
      expected[i] = sums[static_cast<std::size_t>(codes[i])] += values[i];
    }
    const Codes all = {codes.data(), false, static_cast<std::int64_t>(rows), 3};
    const Aggregated made = running(runtime, all, key_of(values).column, RunningKind::sum);
    const auto* const found = reinterpret_cast<const std::int64_t*>(made.values.data());
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), found));
  }
}

}  // namespace
}  // namespace phalanx::frames
