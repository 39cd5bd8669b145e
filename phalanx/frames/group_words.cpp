// Three ways to number groups: a table of all words where they are few, a hash table a thread
// where the groups are few, else hash tables of partitions.
#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "phalanx/frames/buckets.h"
#include "phalanx/frames/parts.h"
#include "phalanx/frames/word_table.h"
#include "phalanx/frames/words.h"

namespace phalanx::frames {
namespace {

// Rows marked as first of their groups, and how many such rows are before a row.
class Marks {
 public:
  Marks(runtime::Runtime& runtime, std::int64_t rows)
      : bits_(runtime, rows / 64 + 1), before_(runtime, rows / 64 + 1) {
    std::fill_n(bits_.data(), bits_.size(), 0);
  }
  void mark(std::int64_t row) {  // several threads may
    std::atomic_ref(bits_[row / 64])
        .fetch_or(std::uint64_t{1} << static_cast<unsigned>(row % 64), std::memory_order_relaxed);
  }
  std::int64_t count_all() {
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < bits_.size(); ++i) {
      before_[i] = count;
      count += std::popcount(bits_[i]);
    }
    return count;
  }
  std::int64_t count_before(std::int64_t row) const {
    const std::uint64_t below = (std::uint64_t{1} << static_cast<unsigned>(row % 64)) - 1;
    return before_[row / 64] + std::popcount(bits_[row / 64] & below);
  }

 private:
  Memory<std::uint64_t> bits_;
  Memory<std::int64_t> before_;
};

template <typename Code>
Code* make_codes(runtime::Runtime& runtime, Groups& groups) {
  if constexpr (sizeof(Code) == sizeof(std::int32_t)) {
    groups.narrow_codes = Memory<std::int32_t>(runtime, groups.rows);
    return groups.narrow_codes.data();
  } else {
    groups.wide_codes = Memory<std::int64_t>(runtime, groups.rows);
    return groups.wide_codes.data();
  }
}

// The first row of each word in a table that all threads lower.
template <typename Word, typename Code>
class Direct {
 public:
  Direct(runtime::Runtime& runtime, const Words<Word>& words)
      : runtime_(runtime),
        words_(words),
        size_(static_cast<std::int64_t>(words.size)),
        table_(runtime, size_ + 1) {
    groups_.rows = words.rows;
  }

  Groups run() {
    std::fill_n(table_.data(), table_.size(), none);
    const std::int64_t start = std::min(words_.rows, start_rows);
    // Where the first rows have all words, there is nothing to find in the others.
    if (find_first_rows(0, start) != size_)
      for_ranges(runtime_, words_.rows - start, [&](std::int64_t first, std::int64_t last) {
        find_first_rows(start + first, start + last);
      });
    number_groups();
    Code* const codes = make_codes<Code>(runtime_, groups_);
    for_words([&](std::int64_t row, Word word) { codes[row] = table_[at(word)]; });
    return std::move(groups_);
  }

 private:
  static constexpr Code none = std::numeric_limits<Code>::max();
  static constexpr std::int64_t start_rows = 1 << 17;

  static std::int64_t at(Word word) { return static_cast<std::int64_t>(word); }

  std::int64_t find_first_rows(std::int64_t first, std::int64_t last) {
    std::int64_t found = 0;
    Word block[block_rows];
    for_blocks(first, last, [&](std::int64_t begin, std::int64_t count) {
      words_.read(begin, count, block);
      for (std::int64_t i = 0; i < count; ++i) {
        const std::atomic_ref<Code> row(table_[at(block[i])]);
        const Code own = static_cast<Code>(begin + i);
        Code seen = row.load(std::memory_order_relaxed);
        if (own < seen) {
          found += seen == none && at(block[i]) != size_ ? 1 : 0;
          while (own < seen && !row.compare_exchange_weak(seen, own, std::memory_order_relaxed)) {
          }
        }
      }
    });
    return found;
  }

  // The table has codes from now on.
  void number_groups() {
    Marks marks(runtime_, words_.rows);
    for_ranges(runtime_, size_, [&](std::int64_t word, std::int64_t end) {
      for (; word < end; ++word)
        if (table_[word] != none)
          marks.mark(table_[word]);
    });
    groups_.count = marks.count_all();
    groups_.first_rows = Memory<std::int64_t>(runtime_, groups_.count);
    for_ranges(runtime_, size_, [&](std::int64_t word, std::int64_t end) {
      for (; word < end; ++word) {
        if (table_[word] == none)
          continue;
        const std::int64_t code = marks.count_before(table_[word]);
        groups_.first_rows[code] = table_[word];
        table_[word] = static_cast<Code>(code);
      }
    });
    table_[size_] = -1;
  }

  template <typename Visit>
  void for_words(const Visit& visit) {
    for_ranges(runtime_, words_.rows, [&](std::int64_t first, std::int64_t last) {
      Word block[block_rows];
      for_blocks(first, last, [&](std::int64_t begin, std::int64_t count) {
        words_.read(begin, count, block);
        for (std::int64_t i = 0; i < count; ++i) visit(begin + i, block[i]);
      });
    });
  }

  runtime::Runtime& runtime_;
  const Words<Word>& words_;
  std::int64_t size_;
  Memory<Code> table_;
  Groups groups_;
};

// Each part of the rows has a table, whose words become those of one table, part after part.
template <typename Word, typename Code>
class FewGroups {
 public:
  FewGroups(runtime::Runtime& runtime, const Words<Word>& words)
      : runtime_(runtime), words_(words), parts_(runtime, words.rows), founds_(size_of_parts()) {
    groups_.rows = words.rows;
  }

  // Nothing where the groups are too many for this.
  std::optional<Groups> run() {
    codes_ = make_codes<Code>(runtime_, groups_);
    for_each_task(runtime_, parts_.count(), [&](std::int64_t part) { find(part); });
    if (are_many_)
      return std::nullopt;
    merge();
    for_each_task(runtime_, parts_.count(), [&](std::int64_t part) {
      const std::vector<Code>& codes = founds_[static_cast<std::size_t>(part)].codes;
      for (std::int64_t row = parts_.begin(part); row < parts_.end(part); ++row)
        codes_[row] = codes[static_cast<std::size_t>(codes_[row])];
    });
    return std::move(groups_);
  }

 private:
  static constexpr std::int64_t most_groups = 1 << 14;  // whose table is in a core's cache
  struct Found {
    std::vector<std::pair<Word, std::int64_t>> firsts;  // words and their first rows
    std::vector<Code> codes;
  };

  std::size_t size_of_parts() const { return static_cast<std::size_t>(parts_.count()); }

  void find(std::int64_t part) {
    WordTable<Word> table;
    Found& found = founds_[static_cast<std::size_t>(part)];
    Word block[block_rows];
    for_blocks(parts_.begin(part), parts_.end(part), [&](std::int64_t first, std::int64_t count) {
      if (are_many_.load(std::memory_order_relaxed))
        return;
      words_.read(first, count, block);
      for (std::int64_t i = 0; i < count; ++i) {
        const auto [number, is_new] = table.insert(block[i], hash_word(block[i]));
        codes_[first + i] = static_cast<Code>(number);
        if (is_new)
          found.firsts.emplace_back(block[i], first + i);
      }
      if (table.count() > most_groups)
        are_many_ = true;
    });
  }

  void merge() {
    WordTable<Word> table;
    std::vector<std::int64_t> first_rows;
    std::vector<Code> code_of;  // by number in the table
    for (Found& found : founds_)
      for (const auto& [word, row] : found.firsts) {
        const auto [number, is_new] = table.insert(word, hash_word(word));
        if (is_new) {
          const bool is_dropped = word == words_.size;
          code_of.push_back(is_dropped ? Code{-1} : static_cast<Code>(first_rows.size()));
          if (!is_dropped)
            first_rows.push_back(row);
        }
        found.codes.push_back(code_of[number]);
      }
    groups_.count = static_cast<std::int64_t>(first_rows.size());
    groups_.first_rows = Memory<std::int64_t>(runtime_, groups_.count);
    std::ranges::copy(first_rows, groups_.first_rows.data());
  }

  runtime::Runtime& runtime_;
  const Words<Word>& words_;
  Parts parts_;
  std::vector<Found> founds_;
  std::atomic<bool> are_many_{false};
  Code* codes_ = nullptr;
  Groups groups_;
};

// Words are moved to partitions by their hashes; each has a hash table that its core's cache
// holds. The way back tells which group is first: no row number is moved.
template <typename Word, typename Code>
class Partitioned {
 public:
  Partitioned(runtime::Runtime& runtime, const Words<Word>& words)
      : runtime_(runtime),
        words_(words),
        shift_(64 - bits_of(words.rows)),
        buckets_(
            runtime,
            words.rows,
            std::int64_t{1} << bits_of(words.rows),
            [&](std::int64_t first, std::int64_t count, Buckets::Number* numbers) {
              Word block[block_rows];
              words.read(first, count, block);
              for (std::int64_t i = 0; i < count; ++i)
                numbers[i] = static_cast<Buckets::Number>(hash_word(block[i]) >> shift_);
            }),
        found_(static_cast<std::size_t>(buckets_.parts().count() * buckets_.count())),
        codes_of_(static_cast<std::size_t>(buckets_.count())),
        numbers_(runtime, words.rows) {
    groups_.rows = words.rows;
  }

  Groups run() {
    {
      Memory<Word> moved(runtime_, words_.rows);
      buckets_.scatter<Word>(words_.read, moved.data());
      for_each_task(runtime_, buckets_.count(), [&](std::int64_t b) { group(b, moved.data()); });
    }
    number_groups();
    for_each_task(runtime_, buckets_.count(), [&](std::int64_t bucket) { translate(bucket); });
    Code* const codes = make_codes<Code>(runtime_, groups_);
    for_each_task(runtime_, buckets_.parts().count(), [&](std::int64_t part) {
      buckets_.walk(part, [&](std::int64_t row, std::int64_t place) {
        codes[row] = static_cast<Code>(numbers_[place]);
      });
    });
    return std::move(groups_);
  }

 private:
  static constexpr std::uint32_t first_flag = std::uint32_t{1} << 31;
  static constexpr std::int64_t rows_of_partition = 1 << 15;
  static constexpr std::int64_t ahead = 16;
  using Number = std::conditional_t<sizeof(Code) == 4, std::uint32_t, std::uint64_t>;

  static int bits_of(std::int64_t rows) {
    const auto wanted = static_cast<std::uint64_t>(
        std::clamp<std::int64_t>(rows / rows_of_partition, 2, Buckets::most));
    return static_cast<int>(std::bit_width(wanted - 1));
  }

  // Writes the numbers of a partition's groups to its rows, with a flag on the first of each.
  void group(std::int64_t bucket, const Word* moved) {
    WordTable<Word> table;
    std::vector<Code>& codes = codes_of_[static_cast<std::size_t>(bucket)];
    const std::int64_t parts = buckets_.parts().count();
    for (std::int64_t part = 0; part < parts; ++part) {
      const std::int64_t end =
          part + 1 == parts ? buckets_.end(bucket) : buckets_.begin(part + 1, bucket);
      std::int64_t& found = found_[static_cast<std::size_t>(part * buckets_.count() + bucket)];
      for (std::int64_t i = buckets_.begin(part, bucket); i < end; ++i) {
        if (i + ahead < end)
          table.prefetch(hash_word(moved[i + ahead]));
        const auto [number, is_new] = table.insert(moved[i], hash_word(moved[i]));
        const bool is_first = is_new && moved[i] != words_.size;
        found += is_first ? 1 : 0;
        numbers_[i] = number | (is_first ? first_flag : 0);
      }
    }
    codes.assign(static_cast<std::size_t>(table.count()), Code{-1});  // as dropped rows' stays
  }

  void number_groups() {
    const std::int64_t parts = buckets_.parts().count();
    std::vector<std::int64_t> next(static_cast<std::size_t>(parts));
    for (std::int64_t part = 0; part < parts; ++part) {
      next[static_cast<std::size_t>(part)] = groups_.count;
      for (std::int64_t b = 0; b < buckets_.count(); ++b)
        groups_.count += found_[static_cast<std::size_t>(part * buckets_.count() + b)];
    }
    groups_.first_rows = Memory<std::int64_t>(runtime_, groups_.count);
    for_each_task(runtime_, parts, [&](std::int64_t part) {
      std::int64_t code = next[static_cast<std::size_t>(part)];
      buckets_.walk(part, [&](std::int64_t row, std::int64_t place) {
        const auto number = static_cast<std::uint32_t>(numbers_[place]);
        if ((number & first_flag) == 0)
          return;
        const auto bucket = static_cast<std::size_t>(buckets_.number(row));
        codes_of_[bucket][number & ~first_flag] = static_cast<Code>(code);
        groups_.first_rows[code++] = row;
      });
    });
  }

  void translate(std::int64_t bucket) {
    const std::vector<Code>& codes = codes_of_[static_cast<std::size_t>(bucket)];
    for (std::int64_t i = buckets_.begin(bucket); i < buckets_.end(bucket); ++i)
      numbers_[i] =
          static_cast<Number>(codes[static_cast<std::uint32_t>(numbers_[i]) & ~first_flag]);
  }

  runtime::Runtime& runtime_;
  const Words<Word>& words_;
  int shift_;
  Buckets buckets_;
  std::vector<std::int64_t> found_;          // groups, by part and partition
  std::vector<std::vector<Code>> codes_of_;  // by partition and number
  Memory<Number> numbers_;                   // in partitions, later codes
  Groups groups_;
};

// A table of all words takes no more memory than the codes.
template <typename Word>
bool is_direct(const Words<Word>& words) {
  constexpr std::int64_t least = 1 << 12;
  constexpr std::int64_t most = 1 << 26;
  return words.size <= static_cast<Word>(std::clamp(words.rows, least, most));
}

template <typename Word, typename Code>
Groups group_as(runtime::Runtime& runtime, const Words<Word>& words) {
  if (is_direct(words))
    return Direct<Word, Code>(runtime, words).run();
  if (std::optional<Groups> few = FewGroups<Word, Code>(runtime, words).run())
    return std::move(*few);
  return Partitioned<Word, Code>(runtime, words).run();
}

}  // namespace

template <typename Word>
Groups group_words(runtime::Runtime& runtime, const Words<Word>& words) {
  if (words.rows <= std::numeric_limits<std::int32_t>::max())
    return group_as<Word, std::int32_t>(runtime, words);
  return group_as<Word, std::int64_t>(runtime, words);
}

template Groups group_words(runtime::Runtime& runtime, const Words<std::uint64_t>& words);
template Groups group_words(runtime::Runtime& runtime, const Words<Wide>& words);

}  // namespace phalanx::frames
