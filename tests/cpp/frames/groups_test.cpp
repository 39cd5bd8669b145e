// Groups of rows and aggregations: the partitions, the tables and the numbers of threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/frames/aggregate.h"
#include "phalanx/frames/buckets.h"
#include "phalanx/frames/by_group.h"
#include "phalanx/frames/key_words.h"
#include "phalanx/frames/strings.h"
#include "phalanx/frames/word_table.h"
#include "phalanx/runtime/runtime.h"

namespace phalanx::frames {
namespace {

runtime::RuntimeOptions with_threads(unsigned threads) {
  return {.device = "cpu", .threads = threads};
}

Key key_of(const std::vector<std::int64_t>& values, const std::vector<std::uint8_t>& valid = {}) {
  return {
      {DType::int64, values.data(), valid.empty() ? nullptr : valid.data(), std::ssize(values)}};
}

std::vector<std::int64_t> random_numbers(std::int64_t rows, std::int64_t distinct, int shift) {
  std::mt19937_64 random(1);
  std::vector<std::int64_t> made(static_cast<std::size_t>(rows));
  for (std::int64_t& each : made)
    each = (static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(distinct)) - 7) *
           (std::int64_t{1} << shift);
  return made;
}

template <typename T>
std::vector<std::int64_t> expected_codes(const std::vector<T>& values) {
  std::map<T, std::int64_t> known;
  std::vector<std::int64_t> codes;
  for (const T& value : values)
    codes.push_back(known.try_emplace(value, std::ssize(known)).first->second);
  return codes;
}

std::vector<std::int64_t> codes_of(const Groups& groups) {
  std::vector<std::int64_t> codes(static_cast<std::size_t>(groups.rows));
  for (std::int64_t row = 0; row < groups.rows; ++row)
    codes[static_cast<std::size_t>(row)] =
        groups.is_wide() ? groups.wide_codes[row] : groups.narrow_codes[row];
  return codes;
}

struct Case {
  unsigned threads;
  std::int64_t rows;
  std::int64_t distinct;
  int shift;  // 0: a table of all words
};

class GroupsTest : public ::testing::TestWithParam<Case> {};

TEST_P(GroupsTest, AreNumberedInOrderOfTheirFirstRows) {
  const auto [threads, rows, distinct, shift] = GetParam();
  runtime::Runtime runtime(with_threads(threads));
  const std::vector<std::int64_t> values = random_numbers(rows, distinct, shift);
  const std::vector<std::int64_t> expected = expected_codes(values);
  const Key keys[] = {key_of(values)};
  const Groups groups = group_rows(runtime, keys, true);
  EXPECT_EQ(codes_of(groups), expected);
  EXPECT_EQ(groups.count, rows == 0 ? 0 : 1 + *std::ranges::max_element(expected));
  for (std::int64_t group = 0; group < groups.count; ++group)
    ASSERT_EQ(groups.first_rows[group], std::ranges::find(expected, group) - expected.begin());
}

INSTANTIATE_TEST_SUITE_P(
    Sizes,
    GroupsTest,
    ::testing::Values(
        Case{1, 0, 1, 0},
        Case{4, 1, 1, 40},
        Case{1, 1000, 30, 0},
        Case{4, 300'000, 100, 0},  // found in the first rows
        Case{4, 300'000, 900, 0},
        Case{1, 200'000, 50, 40},  // a table for each part
        Case{4, 200'000, 50, 40},
        Case{1, 100'000, 30'000, 40},  // partitions
        Case{4, 100'000, 30'000, 40},
        Case{3, 70'000, 1'000'000, 40}));

TEST(Groups, RowsWithoutKeysAreDroppedOrOneGroup) {
  runtime::Runtime runtime(with_threads(3));
  for (const int shift : {0, 40})
    for (const std::int64_t distinct : {5, 40'000}) {
      const std::vector<std::int64_t> values = random_numbers(60'000, distinct, shift);
      for (const std::uint8_t every : {0, 1}) {
        std::vector<std::uint8_t> valid(values.size(), every);
        for (std::size_t i = 0; i < valid.size(); i += 3) valid[i] = 0;
        const Key keys[] = {key_of(values, valid)};
        const Groups kept = group_rows(runtime, keys, false);
        const Groups dropped = group_rows(runtime, keys, true);
        EXPECT_EQ(kept.count, dropped.count + 1);
        EXPECT_EQ(dropped.count == 0, every == 0);
        for (std::int64_t row = 0; row < 60'000; ++row) {
          const bool is_missing = valid[static_cast<std::size_t>(row)] == 0;
          ASSERT_EQ(kept.narrow_codes[row] == 0, is_missing) << row;
          ASSERT_EQ(dropped.narrow_codes[row], is_missing ? -1 : kept.narrow_codes[row] - 1);
        }
      }
    }
}

// The words of keys of all 64-bit numbers have 65 bits with the missing one, those of two 129.
TEST(Groups, KeysOfAllNumbersTakeWideWords) {
  runtime::Runtime runtime(with_threads(2));
  const std::int64_t least = std::numeric_limits<std::int64_t>::min();
  const std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
  const std::vector<std::int64_t> values = {greatest, least, 0, least, greatest, 0, -1};
  const std::vector<std::uint8_t> valid = {1, 1, 1, 1, 1, 0, 1};
  const Key key = key_of(values, valid);
  const std::vector<Key> one = {key};
  const std::vector<Key> three = {key, key, key};
  const std::vector<std::int64_t> expected = {0, 1, 2, 1, 0, 3, 4};
  EXPECT_FALSE(KeyWords(runtime, {std::span(one)}, {}).is_narrow());
  EXPECT_EQ(codes_of(group_rows(runtime, one, false)), expected);
  EXPECT_EQ(codes_of(group_rows(runtime, three, false)), expected);
  const KeyWords ordered(runtime, {std::span(three)}, {.is_ordered = true});
  std::vector<Wide> words(values.size());
  ordered.words<Wide>().read(0, std::ssize(values), words.data());
  EXPECT_TRUE(words[1] < words[6]);
  EXPECT_TRUE(words[6] < words[2]);
  EXPECT_TRUE(words[2] < words[0]);
  EXPECT_TRUE(words[0] < words[5]);
}

TEST(Groups, StringsOfAllLengthsAreTold) {
  runtime::Runtime runtime(with_threads(4));
  for (const std::size_t longest : {7, 8, 15, 16, 200}) {
    std::mt19937_64 random(longest);
    std::vector<std::string> texts(50'000);
    for (std::string& text : texts)
      text = std::string(random() % (longest + 1), static_cast<char>('a' + random() % 2));
    texts[7] = std::string("a\0b", 3);
    texts[8] = std::string("a\0c", 3);
    std::vector<std::int64_t> offsets = {0};
    std::string bytes;
    for (const std::string& text : texts) {
      bytes += text;
      offsets.push_back(std::ssize(bytes));
    }
    Key key;
    key.column.rows = std::ssize(texts);
    key.offsets = offsets.data();
    key.bytes = bytes.data();
    EXPECT_EQ(codes_of(group_rows(runtime, {&key, 1}, true)), expected_codes(texts));
  }
}

TEST(Groups, TablesGrowAndTellNewWords) {
  WordTable<Wide> table;
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    const Wide word = Wide{i} << 70U | (i % 3);
    EXPECT_TRUE(table.insert(word, hash_word(word)).is_new);
  }
  EXPECT_EQ(table.count(), 10'000);
  const Wide word = Wide{77} << 70U | 2U;
  const auto [number, is_new] = table.insert(word, hash_word(word));
  EXPECT_EQ(number, 77U);
  EXPECT_FALSE(is_new);
}

TEST(Groups, BucketsAreStableAndLeadBack) {
  for (const unsigned threads : {1U, 4U}) {
    runtime::Runtime runtime(with_threads(threads));
    const std::int64_t rows = 100'003;
    const auto number = [](std::int64_t row) { return row * row % 37; };
    const Buckets buckets(
        runtime, rows, 37, [&](std::int64_t first, std::int64_t count, Buckets::Number* to) {
          for (std::int64_t i = 0; i < count; ++i)
            to[i] = static_cast<Buckets::Number>(number(first + i));
        });
    std::vector<std::int64_t> own(rows);
    for (std::int64_t row = 0; row < rows; ++row) own[static_cast<std::size_t>(row)] = row;
    std::vector<std::int64_t> moved(rows);
    buckets.scatter_from(own.data(), moved.data());
    std::ranges::stable_sort(own, {}, number);
    EXPECT_EQ(moved, own);
    for (std::int64_t part = 0; part < buckets.parts().count(); ++part)
      buckets.walk(part, [&](std::int64_t row, std::int64_t place) {
        ASSERT_EQ(moved[static_cast<std::size_t>(place)], row);
      });
  }
}

// Thousands of millions of rows are not tried, but cut.
TEST(Groups, PartsOfManyRowsAreWhole) {
  runtime::Runtime runtime(with_threads(7));
  for (const std::int64_t rows : {std::int64_t{1} << 31, (std::int64_t{1} << 40) + 12'345}) {
    const Parts parts(runtime, rows, 4);
    EXPECT_EQ(parts.begin(0), 0);
    EXPECT_EQ(parts.end(parts.count() - 1), rows);
    for (std::int64_t part = 1; part < parts.count(); ++part) {
      EXPECT_EQ(parts.begin(part), parts.end(part - 1));
      EXPECT_LE(std::abs(parts.end(part) - parts.begin(part) - rows / parts.count()), 1);
    }
  }
}

// --- aggregations

std::vector<double> numbers_of(const Aggregated& aggregated, std::int64_t groups) {
  const auto* const first = reinterpret_cast<const double*>(aggregated.values.data());
  return {first, first + groups};
}

// Sums of few groups are of tables of threads, those of many of buckets.
TEST(Aggregates, AreTheSameForAnyNumberOfThreads) {
  for (const std::int64_t groups : {3, 60'000}) {
    const std::vector<std::int64_t> keys = random_numbers(150'000, groups, 0);
    std::vector<double> values(keys.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = i % 11 == 0 ? std::nan("") : std::sin(static_cast<double>(i));
    std::vector<std::vector<double>> found;
    for (const unsigned threads : {1U, 2U, 5U}) {
      runtime::Runtime runtime(with_threads(threads));
      const Key key[] = {key_of(keys)};
      const Groups made = group_rows(runtime, key, true);
      const Codes codes = {made.narrow_codes.data(), false, made.rows, made.count};
      const Column column = {DType::float64, values.data(), nullptr, made.rows};
      std::vector<Aggregation> all;
      for (const AggregateKind kind :
           {AggregateKind::sum,
            AggregateKind::mean,
            AggregateKind::std,
            AggregateKind::min,
            AggregateKind::last,
            AggregateKind::median})
        all.push_back({kind, column});
      std::vector<double> numbers;
      for (const Aggregated& each : aggregate(runtime, codes, all))
        for (const double number : numbers_of(each, made.count))
          numbers.push_back(std::isnan(number) ? 1e300 : number);
      found.push_back(numbers);
    }
    for (std::size_t i = 0; i < found[0].size(); ++i) {
      ASSERT_NEAR(found[0][i], found[1][i], 1e-12 * std::abs(found[0][i]));
      ASSERT_NEAR(found[0][i], found[2][i], 1e-12 * std::abs(found[0][i]));
    }
  }
}

TEST(Aggregates, OfNoRowsAndOfGroupsWithoutRows) {
  runtime::Runtime runtime(with_threads(2));
  const std::int32_t codes[] = {2, -1};
  const double values[] = {4, 5};
  for (const std::int64_t rows : {0, 2}) {
    const Codes all = {codes, false, rows, 3};
    const Column column = {DType::float64, values, nullptr, rows};
    const Aggregation wanted[] = {
        {AggregateKind::sum, column},
        {AggregateKind::mean, column},
        {AggregateKind::count, column}};
    const std::vector<Aggregated> made = aggregate(runtime, all, wanted);
    EXPECT_EQ(numbers_of(made[0], 3), (std::vector<double>{0, 0, rows == 0 ? 0.0 : 4.0}));
    EXPECT_EQ(made[0].valid.size(), 0);
    ASSERT_EQ(made[1].valid.size(), 3);
    EXPECT_EQ(made[1].valid[0], 0);
    EXPECT_EQ(made[1].valid[2], rows == 0 ? 0 : 1);
    EXPECT_TRUE(std::isnan(numbers_of(made[1], 3)[0]));
  }
  EXPECT_THROW(aggregate(runtime, {codes, false, 2, 2}, {}), ValueError);
}

TEST(Aggregates, WideCodesAreTaken) {
  runtime::Runtime runtime(with_threads(3));
  const std::vector<std::int64_t> keys = random_numbers(90'000, 20'000, 0);
  std::vector<std::int64_t> codes;
  for (const std::int64_t key : keys) codes.push_back(key + 7);
  const Codes wide = {codes.data(), true, std::ssize(codes), 20'000};
  const RowsByGroup rows = rows_by_group(runtime, wide);
  std::vector<std::int64_t> expected(codes.size());
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = static_cast<std::int64_t>(i);
  std::ranges::stable_sort(
      expected, {}, [&](std::int64_t row) { return codes[static_cast<std::size_t>(row)]; });
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), rows.rows.data()));
  EXPECT_EQ(rows.starts[20'000], 90'000);
}

}  // namespace
}  // namespace phalanx::frames
