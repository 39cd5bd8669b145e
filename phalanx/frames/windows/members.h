// A set of small numbers in which the neighbours of one, and how many are below one, are found
// fast.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace phalanx::frames::windows {

// A bit for each number, and a bit for each word of these that has one.
class Members {
 public:
  explicit Members(std::int64_t size)
      : words_(static_cast<std::size_t>(size) / 64 + 1), full_(words_.size() / 64 + 1) {}

  bool has(std::int64_t number) const { return (words_[word(number)] >> (number % 64) & 1) != 0; }
  void insert(std::int64_t number) {
    words_[word(number)] |= bit(number);
    full_[word(number) / 64] |= bit(number / 64);
  }
  void erase(std::int64_t number) {
    std::uint64_t& bits = words_[word(number)];
    bits &= ~bit(number);
    if (bits == 0)
      full_[word(number) / 64] &= ~bit(number / 64);
  }
  // The least member that is not below a number; -1 if there is none.
  std::int64_t next(std::int64_t number) const {
    std::size_t at = word(number);
    if (at >= words_.size())
      return -1;
    if (const std::uint64_t rest = words_[at] >> (number % 64) << (number % 64); rest != 0)
      return lowest(at, rest);
    ++at;
    std::size_t group = at / 64;
    if (group >= full_.size())
      return -1;
    for (std::uint64_t rest = full_[group] >> (at % 64) << (at % 64);; rest = full_[group]) {
      if (rest != 0) {
        at = group * 64 + static_cast<std::size_t>(std::countr_zero(rest));
        return lowest(at, words_[at]);
      }
      if (++group == full_.size())
        return -1;
    }
  }
  // The greatest member that is not above a number; -1 if there is none.
  std::int64_t previous(std::int64_t number) const {
    if (number < 0)
      return -1;
    std::size_t at = word(number);
    const auto above = static_cast<unsigned>(63 - number % 64);
    if (const std::uint64_t rest = words_[at] << above >> above; rest != 0)
      return highest(at, rest);
    if (at == 0)
      return -1;
    --at;
    std::size_t group = at / 64;
    const auto over = static_cast<unsigned>(63 - at % 64);
    for (std::uint64_t rest = full_[group] << over >> over;; rest = full_[group]) {
      if (rest != 0) {
        at = group * 64 + 63 - static_cast<std::size_t>(std::countl_zero(rest));
        return highest(at, words_[at]);
      }
      if (group-- == 0)
        return -1;
    }
  }

 private:
  static std::size_t word(std::int64_t number) { return static_cast<std::size_t>(number) / 64; }
  static std::uint64_t bit(std::int64_t number) { return std::uint64_t{1} << (number % 64); }
  static std::int64_t lowest(std::size_t at, std::uint64_t bits) {
    return static_cast<std::int64_t>(at) * 64 + std::countr_zero(bits);
  }
  static std::int64_t highest(std::size_t at, std::uint64_t bits) {
    return static_cast<std::int64_t>(at) * 64 + 63 - std::countl_zero(bits);
  }

  std::vector<std::uint64_t> words_;
  std::vector<std::uint64_t> full_;
};

// The member with so many below it, from the one asked for before: windows that move by a row
// change it by a step or two.
class Selection {
 public:
  explicit Selection(std::int64_t size) : members_(size) {}

  void insert(std::int64_t number) {
    members_.insert(number);
    below_ += number < at_ ? 1 : 0;
  }
  void erase(std::int64_t number) {
    members_.erase(number);
    below_ -= number < at_ ? 1 : 0;
  }
  // There are more members than `place`, which is not negative.
  std::int64_t member(std::int64_t place) {
    if (!members_.has(at_)) {
      const std::int64_t found = members_.next(at_);
      if (found >= 0) {
        at_ = found;
      } else {
        at_ = members_.previous(at_);
        --below_;
      }
    }
    for (; below_ < place; ++below_) at_ = members_.next(at_ + 1);
    for (; below_ > place; --below_) at_ = members_.previous(at_ - 1);
    return at_;
  }
  std::int64_t after(std::int64_t number) const { return members_.next(number + 1); }

 private:
  Members members_;
  std::int64_t at_ = 0;
  std::int64_t below_ = 0;  // members less than at_
};

// Counts of numbers, and their sums below one (Fenwick, "A new data structure for cumulative
// frequency tables", 1994).
class Cumulated {
 public:
  explicit Cumulated(std::int64_t size) : sums_(static_cast<std::size_t>(size) + 1) {}

  void add(std::int64_t number, std::int64_t change) {
    for (auto i = static_cast<std::size_t>(number) + 1; i < sums_.size(); i += i & -i)
      sums_[i] += change;
  }
  std::int64_t below(std::int64_t number) const {
    std::int64_t sum = 0;
    for (auto i = static_cast<std::size_t>(number); i > 0; i -= i & -i) sum += sums_[i];
    return sum;
  }

 private:
  std::vector<std::int64_t> sums_;
};

}  // namespace phalanx::frames::windows
