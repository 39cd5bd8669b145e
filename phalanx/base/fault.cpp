#include "phalanx/base/fault.h"

#include "phalanx/base/source_text.h"

namespace phalanx {

namespace {

std::string_view without_spaces_at_end(std::string_view line) {
  return line.substr(0, line.find_last_not_of(' ') + 1);  // npos + 1 is 0
}

}  // namespace

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

FaultSite fault_site(const SourceFile* own, const Location& place, std::string text) {
  const SourceFile* source = place.file == nullptr ? own : place.file;
  FaultSite site;
  site.path = source == nullptr ? "<unknown>" : source->path;
  site.place = place;
  site.place.file = nullptr;
  if (source != nullptr)
    site.source_line = without_spaces_at_end(text_of_line(*source, place.line));
  site.text = std::move(text);
  return site;
}

}  // namespace phalanx
