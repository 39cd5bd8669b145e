#include "phalanx/frames/csv/missing.h"

#include <algorithm>

namespace phalanx::frames::csv {

Missing::Missing(const MissingValues& values, bool (*is_number)(std::string_view))
    : texts_(values.texts.begin(), values.texts.end()), numbers_(values.numbers) {
  for (const std::string& text : values.texts) {
    if (text.empty()) {
      has_empty_ = true;
      continue;
    }
    first_.set(static_cast<unsigned char>(text.front()));
    lengths_.set(text.size() < lengths_.size() ? text.size() : 0);
    has_number_texts_ |= is_number(text);
  }
}

bool Missing::contains(double number) const {
  return std::ranges::find(numbers_, number) != numbers_.end();
}

}  // namespace phalanx::frames::csv
