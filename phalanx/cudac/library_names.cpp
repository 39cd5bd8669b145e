#include "phalanx/cudac/library_names.h"

#include <algorithm>
#include <array>

namespace phalanx::cudac {

namespace {

constexpr std::string_view fast = "fast_";
constexpr std::string_view underscores = "__";

// Intrinsics, which begin with underscores in CUDA C, without a rounding mode in their name.
constexpr std::array<std::string_view, 26> plain_intrinsics = {
    "brev",         "brevll",  "byte_perm", "clz",      "clzll",          "double2hiint",
    "double2loint", "ffs",     "ffsll",     "hadd",     "hiloint2double", "mul24",
    "mul64hi",      "mulhi",   "popc",      "popcll",   "rhadd",          "sad",
    "saturatef",    "uhadd",   "umul24",    "umul64hi", "umulhi",         "urhadd",
    "usad",         "fdividef"};

// Those that name how they round: fadd_rn, double2int_rz.
bool has_rounding(std::string_view name) {
  constexpr std::array<std::string_view, 4> modes = {"_rn", "_rz", "_ru", "_rd"};
  return std::ranges::any_of(modes, [&](std::string_view mode) { return name.ends_with(mode); });
}

// What the header phalanx_math.h declares by another name.
struct Renamed {
  std::string_view in_c;
  std::string_view library;
};
constexpr std::array renamed = {
    Renamed{"__phx_isnan", "isnand"},
    Renamed{"__phx_isnanf", "isnanf"},
    Renamed{"__phx_isinf", "isinfd"},
    Renamed{"__phx_isinff", "isinff"},
    Renamed{"__phx_isfinite", "isfinited"},
    Renamed{"__phx_isfinitef", "finitef"},
};

}  // namespace

std::optional<std::string> intrinsic_name(std::string_view library) {
  if (library.starts_with(fast))
    return std::string(underscores) + std::string(library.substr(fast.size()));
  if (has_rounding(library) ||
      std::ranges::find(plain_intrinsics, library) != plain_intrinsics.end())
    return std::string(underscores) + std::string(library);
  return std::nullopt;
}

const ir::LibraryFunction* library_function(std::string_view name) {
  const auto* const other = std::ranges::find(renamed, name, &Renamed::in_c);
  if (other != renamed.end())
    return ir::find_library_function(other->library);
  if (!name.starts_with(underscores))
    return ir::find_library_function(name);
  name.remove_prefix(underscores.size());
  if (const auto* found = ir::find_library_function(std::string(fast) + std::string(name)))
    return found;
  return ir::find_library_function(name);
}

bool is_unsigned_result(std::string_view library) {
  return library.starts_with("u") || library.starts_with("brev") || library == "byte_perm" ||
         library.find("2uint") != std::string_view::npos ||
         library.find("2ull") != std::string_view::npos;
}

bool is_unsigned_operand(std::string_view library) {
  return library.starts_with("u") || library.starts_with("brev") || library == "byte_perm";
}

}  // namespace phalanx::cudac
