// Where the disk cache is and how large it may grow, from the environment.
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "phalanx/jit/cache.h"
#include "phalanx/jit/shipped_kernels.h"

namespace phalanx::jit {

namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

std::string home() {
  if (const auto value = variable("HOME"); !value.empty())
    return std::string(value);
  passwd entry{};
  passwd* found = nullptr;
  std::string buffer(4096, '\0');
  if (::getpwuid_r(::geteuid(), &entry, buffer.data(), buffer.size(), &found) != 0 ||
      found == nullptr || found->pw_dir == nullptr)
    return {};
  return found->pw_dir;
}

std::string default_directory() {
  if (const auto chosen = variable("PHALANX_CACHE_DIR"); !chosen.empty())
    return std::string(chosen);
  // The XDG specification: relative paths there are to be ignored.
  if (const auto base = variable("XDG_CACHE_HOME"); base.starts_with('/'))
    return std::string(base) + "/phalanx";
  const std::string base = home();
  return base.starts_with('/') ? base + "/.cache/phalanx" : std::string();
}

std::optional<std::uint64_t> parse_size(std::string_view text) {
  unsigned shift = 0;
  if (!text.empty()) {
    constexpr std::string_view units = "KMGkmg";
    if (const auto at = units.find(text.back()); at != std::string_view::npos) {
      shift = 10 * static_cast<unsigned>(at % 3 + 1);
      text.remove_suffix(1);
    }
  }
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() ||
      value > std::numeric_limits<std::uint64_t>::max() >> shift)
    return std::nullopt;
  return value << shift;
}

// The folders of a list like PATH's.
std::vector<std::string> folders_of(std::string_view list) {
  std::vector<std::string> folders;
  while (!list.empty()) {
    const std::string_view folder = list.substr(0, list.find(':'));
    if (!folder.empty())
      folders.emplace_back(folder);
    list.remove_prefix(std::min(folder.size() + 1, list.size()));
  }
  return folders;
}

}  // namespace

CacheOptions CacheOptions::from_environment() {
  CacheOptions options;
  options.enabled = variable("PHALANX_CACHE") != "0";
  options.directory = default_directory();
  options.layers = folders_of(variable("PHALANX_CACHE_LAYERS"));
  options.shipped = options.enabled ? folder_of_shipped_kernels() : std::string();
  if (const auto size = variable("PHALANX_CACHE_SIZE"); !size.empty()) {
    if (const auto bytes = parse_size(size))
      options.cap = *bytes;
    else
      options.problem = "PHALANX_CACHE_SIZE=" + std::string(size) +
                        " is not a number of bytes (K, M or G may follow): the cap stays at 1G";
  }
  return options;
}

}  // namespace phalanx::jit
