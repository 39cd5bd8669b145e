#include "phalanx/runtime/library_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>

namespace phalanx::runtime {

SharedLibrary open_library(const LibraryChoice& choice) {
  std::vector<std::string> problems;
  for (const std::string& file : choice.files) {
    SharedLibrary library(file);
    if (library.is_open())
      return library;
    problems.push_back(library.problem());
  }
  throw LibraryError(
      fmt::format(
          "no {} was found ({}); {}", choice.title, fmt::join(problems, "; "), choice.remedy),
      choice);
}

OpenedLibrary::OpenedLibrary(
    const LibraryChoice& choice,
    std::span<const LibraryEntry> entries,
    std::span<std::byte> functions)
    : choice_(choice) {
  SharedLibrary library = open_library(choice);
  library.keep();
  std::size_t offset = 0;
  for (const LibraryEntry& entry : entries) {
    void* const function = library.find(entry.symbol);
    if (function == nullptr && missing_.empty())
      missing_ = entry.symbol;
    if (function != nullptr && path_.empty())
      path_ = library.path_of(function);
    std::memcpy(&functions[offset], &function, sizeof(function));
    offset += sizeof(function);
  }
}

void OpenedLibrary::require_all() const {
  if (missing_.empty())
    return;
  throw LibraryError(
      fmt::format(
          "{} is no {} that fits: it lacks {}; {}",
          path_.empty() ? choice_.files.front() : path_,
          choice_.title,
          missing_,
          choice_.remedy),
      choice_,
      missing_);
}

}  // namespace phalanx::runtime
