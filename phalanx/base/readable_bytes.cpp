#include "phalanx/base/readable_bytes.h"

#include <fmt/format.h>

#include <array>

namespace phalanx {

std::string readable_bytes(std::uint64_t bytes) {
  constexpr std::uint64_t kibi = 1024;
  if (bytes < kibi)
    return fmt::format("{} bytes", bytes);
  if (bytes < kibi * kibi)
    return fmt::format("{:.1f} KiB", static_cast<double>(bytes) / kibi);
  constexpr std::array units = {"MiB", "GiB", "TiB", "PiB"};
  double size = static_cast<double>(bytes) / (kibi * kibi);
  std::size_t unit = 0;
  for (; size >= kibi && unit + 1 < units.size(); ++unit) size /= kibi;
  return fmt::format("{:.1f} {}", size, units.at(unit));
}

}  // namespace phalanx
