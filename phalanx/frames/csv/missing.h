// The texts that count as missing values.
#pragma once

#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "phalanx/frames/csv_reader.h"

namespace phalanx::frames::csv {

class Missing {
 public:
  // `is_number`: says which texts numbers are read from.
  Missing(const MissingValues& values, bool (*is_number)(std::string_view));

  bool contains(std::string_view text) const {
    if (text.empty())
      return has_empty_;
    return first_[static_cast<unsigned char>(text.front())] &&
           lengths_[text.size() < lengths_.size() ? text.size() : 0] && texts_.contains(text);
  }
  bool contains(double number) const;
  // Fields that read as numbers may be missing.
  bool has_numbers() const { return has_number_texts_ || !numbers_.empty(); }

 private:
  std::unordered_set<std::string_view> texts_;
  std::vector<double> numbers_;
  std::bitset<256> first_;
  std::bitset<64> lengths_;  // bit 0: of those from 64
  bool has_empty_ = false;
  bool has_number_texts_ = false;
};

}  // namespace phalanx::frames::csv
