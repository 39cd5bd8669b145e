// Reading environment variables. Ours all start with PHALANX_.
#pragma once

#include <optional>
#include <string>

namespace phalanx {

// Nothing when the variable is not set, or is set to the empty string.
std::optional<std::string> environment(const char* name);

// As a whole number that is not negative. Throws ValueError, naming the variable, for anything
// else.
std::optional<unsigned> environment_number(const char* name);

}  // namespace phalanx
