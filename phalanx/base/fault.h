// What check mode looks for, and the locations in a kernel that can report a fault or raise.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
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
constexpr std::string_view name_of(Check check) {
  return check_table.at(static_cast<std::size_t>(check)).name;
}

// What a thread does to an element.
enum class Verb : std::uint8_t { none, read, write, atomic, access, view };
inline constexpr std::array<std::string_view, 6> verb_names = {
    "", "read", "write", "atomic", "access", "view"};
constexpr std::string_view name_of(Verb verb) {
  return verb_names.at(static_cast<std::size_t>(verb));
}
// Verb::none for other words.
Verb verb_from_name(std::string_view name);
// True if reports of the category say what a thread does; the others name its object only.
constexpr bool has_verb(Check check) {
  return check == Check::bounds || check == Check::races || check == Check::uninitialized;
}

// What check mode tells of an operation.
struct Report {
  Check check = Check::bounds;
  Verb verb = Verb::none;
  std::string subject;  // an array, a name, or an operator; "" where an array has no name

  bool operator==(const Report&) const = default;
};
// "write tile", without the category.
std::string to_string(const Report& report);

// An exception that a thread raises.
struct Raise {
  std::string type;
  std::string message;

  bool operator==(const Raise&) const = default;
};
// "ValueError: too small"
std::string to_string(const Raise& raise);

// A location in a kernel that raises, or where check mode tracks an access.
struct FaultSite {
  std::variant<Raise, Report> what;
  std::string path;
  Location location;        // its `file` is not set: `path` is
  std::string source_line;  // "" if it is not known
  unsigned dimensions = 0;  // of the array: how many of the record's values are indices
  unsigned wraps = 0;       // bit of each dimension whose index counts from the end below 0

  const Report* report() const { return std::get_if<Report>(&what); }  // null for a raise
  bool is_of(Check check) const { return report() != nullptr && report()->check == check; }

  bool operator==(const FaultSite&) const = default;
};

// "file:line"
std::string location_of(const FaultSite& site);
// As it is shown in one line: "file:line: ValueError: too small".
std::string to_string(const FaultSite& site);

// The site of an operation that is in a function of the source `own`.
FaultSite fault_site(
    const SourceFile* own, const Location& location, std::variant<Raise, Report> what);

}  // namespace phalanx
