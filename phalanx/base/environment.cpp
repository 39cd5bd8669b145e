#include "phalanx/base/environment.h"

#include <charconv>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "phalanx/base/errors.h"

namespace phalanx {

std::optional<std::string> environment(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0')
    return std::nullopt;
  return std::string(value);
}

std::optional<unsigned> environment_number(const char* name) {
  const std::optional<std::string> text = environment(name);
  if (!text)
    return std::nullopt;
  unsigned number = 0;
  const char* end = text->data() + text->size();
  const auto [stop, error] = std::from_chars(text->data(), end, number);
  if (error != std::errc{} || stop != end)
    throw ValueError(std::string(name) + " must be a whole number, not '" + *text + "'");
  return number;
}

}  // namespace phalanx
