// What check mode looks for, and the places in a kernel that can report a fault or raise.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "phalanx/base/source.h"

namespace phalanx {

enum class Check : std::uint8_t {
#define CHECK(name, is_default, doc) name,
#include "phalanx/base/checks.def"
#undef CHECK
};

struct CheckInfo {
  std::string_view name;
  bool is_default;
  std::string_view doc;
};

inline constexpr std::array check_table = {
#define CHECK(name, is_default, doc) CheckInfo{#name, is_default, doc},
#include "phalanx/base/checks.def"
#undef CHECK
};

// A set of categories: one bit each.
class Checks {
 public:
  constexpr Checks() = default;
  constexpr explicit Checks(std::uint32_t bits) : bits_(bits) {}
  constexpr Checks(std::initializer_list<Check> checks) {
    for (const Check check : checks) bits_ |= std::uint32_t{1} << static_cast<unsigned>(check);
  }
  constexpr bool has(Check check) const {
    return (bits_ >> static_cast<unsigned>(check) & 1U) != 0;
  }
  constexpr bool any() const { return bits_ != 0; }
  constexpr std::uint32_t bits() const { return bits_; }
  constexpr bool operator==(const Checks&) const = default;

 private:
  std::uint32_t bits_ = 0;
};

std::optional<Check> check_from_name(std::string_view name);

// A place in a kernel that raises, or where check mode tracks an access.
struct FaultSite {
  std::optional<Check> check;  // none: a raise
  std::string path;
  Location place;           // its `file` is not set: `path` is
  std::string source_line;  // "" if it is not known
  // raise: the exception's type, a colon, its message. Else what happens to whom: "write tile".
  std::string text;
  unsigned dimensions = 0;  // of the array: how many of the record's values are indices
  unsigned wraps = 0;       // bit of each dimension whose index counts from the end below 0

  bool operator==(const FaultSite&) const = default;
};

// As it is shown in one line: "file:line: text".
std::string to_string(const FaultSite& site);

// The site of an operation that is in a function of the source `own`.
FaultSite fault_site(const SourceFile* own, const Location& place, std::string text);

}  // namespace phalanx
