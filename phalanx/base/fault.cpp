#include "phalanx/base/fault.h"

namespace phalanx {

std::optional<Check> check_from_name(std::string_view name) {
  for (std::size_t i = 0; i < check_table.size(); ++i) {
    if (check_table.at(i).name == name)
      return static_cast<Check>(i);
  }
  return std::nullopt;
}

std::string to_string(const FaultSite& site) {
  return site.path + ":" + std::to_string(site.place.line) + ": " + site.text;
}

std::string line_of(const SourceFile& source, std::uint32_t number) {
  if (number < source.first_line)
    return {};
  std::size_t begin = 0;
  for (std::uint32_t line = source.first_line; line < number; ++line) {
    begin = source.text.find('\n', begin);
    if (begin == std::string::npos)
      return {};
    ++begin;
  }
  std::string text = source.text.substr(begin, source.text.find('\n', begin) - begin);
  while (!text.empty() && (text.back() == '\r' || text.back() == ' ')) text.pop_back();
  return text;
}

FaultSite fault_site(const SourceFile* own, const Location& place, std::string text) {
  const SourceFile* source = place.file == nullptr ? own : place.file;
  FaultSite site;
  site.path = source == nullptr ? "<unknown>" : source->path;
  site.place = place;
  site.place.file = nullptr;
  if (source != nullptr)
    site.source_line = line_of(*source, place.line);
  site.text = std::move(text);
  return site;
}

}  // namespace phalanx
