#include "phalanx/frames/text/texts.h"

#include <numeric>

namespace phalanx::frames::text {

WrittenTexts gather(
    runtime::Runtime& runtime,
    const Parts& parts,
    const std::vector<Appender>& written,
    Memory<std::int64_t> offsets) {
  std::vector<std::int64_t> before(written.size() + 1);
  for (std::size_t part = 0; part < written.size(); ++part)
    before[part + 1] = before[part] + written[part].size();
  WrittenTexts made = {std::move(offsets), Memory<char>(runtime, before.back()), {}};
  made.offsets[0] = 0;
  for_each_task(runtime, parts.count(), [&](std::int64_t part) {
    const auto at = static_cast<std::size_t>(part);
    std::int64_t end = before[at];
    std::int64_t* const sizes = made.offsets.data() + 1;
    for (std::int64_t row = parts.begin(part); row < parts.end(part); ++row)
      sizes[row] = end += sizes[row];
    if (written[at].size() != 0)
      std::memcpy(
          made.bytes.data() + before[at],
          written[at].data(),
          static_cast<std::size_t>(written[at].size()));
  });
  return made;
}

}  // namespace phalanx::frames::text
