#include "phalanx/frames/order.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "phalanx/base/errors.h"
#include "phalanx/frames/buckets.h"
#include "phalanx/frames/digit_sort.h"
#include "phalanx/frames/key_words.h"

namespace phalanx::frames {
namespace {

void number_rows(std::int64_t first, std::int64_t count, std::int64_t* to) {
  std::iota(to, to + count, first);
}

// Words that all are numbers of buckets.
template <typename Word>
Memory<std::int64_t> order_few(runtime::Runtime& runtime, const Words<Word>& words) {
  const Buckets buckets(
      runtime,
      words.rows,
      static_cast<std::int64_t>(words.size) + 1,
      [&](std::int64_t first, std::int64_t count, Buckets::Number* numbers) {
        Word block[block_rows];
        words.read(first, count, block);
        for (std::int64_t i = 0; i < count; ++i)
          numbers[i] = static_cast<Buckets::Number>(block[i]);
      });
  Memory<std::int64_t> rows(runtime, words.rows);
  buckets.scatter<std::int64_t>(number_rows, rows.data());
  return rows;
}

// Splitters out of a sample make buckets of about one size, which are sorted by themselves.
template <typename Word>
class SampleSort {
 public:
  SampleSort(runtime::Runtime& runtime, const Words<Word>& words)
      : runtime_(runtime), words_(words) {
    choose_splitters();
  }

  Memory<std::int64_t> run() {
    const Buckets buckets(
        runtime_,
        words_.rows,
        static_cast<std::int64_t>(splitters_.size()) + 1,
        [this](std::int64_t first, std::int64_t count, Buckets::Number* numbers) {
          Word block[block_rows];
          words_.read(first, count, block);
          for (std::int64_t i = 0; i < count; ++i) numbers[i] = bucket_of(block[i]);
        });
    Memory<Entry> entries(runtime_, words_.rows);
    buckets.scatter<Entry>(
        [this](std::int64_t first, std::int64_t count, Entry* to) {
          Word block[block_rows];
          words_.read(first, count, block);
          for (std::int64_t i = 0; i < count; ++i) to[i] = {block[i], first + i};
        },
        entries.data());
    Memory<std::int64_t> rows(runtime_, words_.rows);
    const auto sort_buckets = [&](std::uint64_t first, std::uint64_t last) {
      std::vector<Entry> spare;
      for (auto bucket = static_cast<std::int64_t>(first); bucket < static_cast<std::int64_t>(last);
           ++bucket) {
        const std::int64_t begin = buckets.begin(bucket);
        const auto size = static_cast<std::size_t>(buckets.end(bucket) - begin);
        std::int64_t* to = rows.data() + begin;
        for (const Entry& entry : sort_by_digits<Word>({entries.data() + begin, size}, spare))
          *to++ = entry.row;
      }
    };
    runtime::parallel_for(runtime_, static_cast<std::uint64_t>(buckets.count()), 1, sort_buckets);
    return rows;
  }

 private:
  using Entry = WordOfRow<Word>;
  static constexpr std::int64_t rows_of_bucket = 1 << 14;
  static constexpr std::int64_t most_buckets = 1 << 10;
  static constexpr std::size_t sampled = 16;  // for each bucket

  void choose_splitters() {
    std::int64_t buckets = 1;
    while (buckets < most_buckets && words_.rows / buckets > rows_of_bucket) buckets *= 2;
    std::vector<Word> sample(static_cast<std::size_t>(buckets) * sampled);
    std::uint64_t state = 0x9e3779b97f4a7c15;
    for (Word& each : sample) {
      state = state * 6364136223846793005 + 1442695040888963407;
      const std::uint64_t row = (state >> 1U) % static_cast<std::uint64_t>(words_.rows);
      words_.read(static_cast<std::int64_t>(row), 1, &each);
    }
    std::sort(sample.begin(), sample.end());
    for (std::size_t i = sampled; i < sample.size(); i += sampled) splitters_.push_back(sample[i]);
  }

  // How many splitters are less: there are 2^n - 1 of them.
  Buckets::Number bucket_of(Word word) const {
    std::size_t first = 0;
    for (std::size_t step = (splitters_.size() + 1) / 2; step > 0; step /= 2)
      first += splitters_[first + step - 1] < word ? step : 0;
    return static_cast<Buckets::Number>(first);
  }

  runtime::Runtime& runtime_;
  const Words<Word>& words_;
  std::vector<Word> splitters_;
};

}  // namespace

template <typename Word>
Memory<std::int64_t> order_words(runtime::Runtime& runtime, const Words<Word>& words) {
  if (words.size < static_cast<Word>(Buckets::most))
    return order_few(runtime, words);
  return SampleSort<Word>(runtime, words).run();
}

template Memory<std::int64_t> order_words(runtime::Runtime&, const Words<std::uint64_t>&);
template Memory<std::int64_t> order_words(runtime::Runtime&, const Words<Wide>&);

Memory<std::int64_t> order_rows(
    runtime::Runtime& runtime,
    std::span<const Key> keys,
    const std::vector<bool>& is_descending,
    bool missing_first) {
  for (const Key& key : keys) check_key(runtime, key);
  rows_of(keys);
  if (!is_descending.empty() && is_descending.size() != keys.size())
    throw ValueError(
        "directions are one for each key: " + std::to_string(is_descending.size()) + " of " +
        std::to_string(keys.size()));
  const KeyWords words(
      runtime,
      {keys},
      {.is_ordered = true, .is_descending = is_descending, .missing_first = missing_first});
  return words.is_narrow() ? order_words(runtime, words.words<std::uint64_t>())
                           : order_words(runtime, words.words<Wide>());
}

}  // namespace phalanx::frames
