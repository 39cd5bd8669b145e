#include "phalanx/base/fault.h"

#include <algorithm>

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

Verb verb_from_name(std::string_view name) {
  const auto found = std::ranges::find(verb_names, name);
  return found == verb_names.end() ? Verb::none : static_cast<Verb>(found - verb_names.begin());
}

std::string to_string(const Report& report) {
  const std::string verb(name_of(report.verb));
  return verb.empty() || report.subject.empty() ? verb + report.subject
                                                : verb + " " + report.subject;
}

std::string to_string(const Raise& raise) { return raise.type + ": " + raise.message; }

std::string location_of(const FaultSite& site) {
  return site.path + ":" + std::to_string(site.location.line);
}

std::string to_string(const FaultSite& site) {
  return location_of(site) + ": " +
         std::visit([](const auto& alternative) { return to_string(alternative); }, site.what);
}

FaultSite fault_site(
    const SourceFile* own, const Location& location, std::variant<Raise, Report> what) {
  const SourceFile* source = location.file == nullptr ? own : location.file;
  FaultSite site;
  site.path = source == nullptr ? "<unknown>" : source->path;
  site.location = location;
  site.location.file = nullptr;
  if (source != nullptr)
    site.source_line = without_spaces_at_end(text_of_line(*source, location.line));
  site.what = std::move(what);
  return site;
}

}  // namespace phalanx
