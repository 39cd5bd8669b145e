#include "phalanx/ir/libdevice.h"

#include <algorithm>
#include <array>

#include "phalanx/base/errors.h"

namespace phalanx::ir {

namespace {

// Sorted by name, as bitcode tools list them.
constexpr std::array table = {
#define LIBDEVICE(name, signature, op) LibraryFunction{#name, signature, op},
#include "phalanx/ir/libdevice.def"
#undef LIBDEVICE
};
static_assert(std::ranges::is_sorted(table, {}, &LibraryFunction::name));

DType dtype_of(char letter) {
  switch (letter) {
    case 'h':
      return DType::int16;
    case 'i':
      return DType::int32;
    case 'l':
      return DType::int64;
    case 'f':
      return DType::float32;
    default:
      PHX_ASSERT(letter == 'd');
      return DType::float64;
  }
}

std::vector<DType> dtypes_of(std::string_view letters) {
  std::vector<DType> dtypes;
  for (const char letter : letters) {
    if (letter != '>')
      dtypes.push_back(dtype_of(letter));
  }
  return dtypes;
}

}  // namespace

std::vector<DType> LibraryFunction::parameters() const {
  const std::size_t open = signature.find('(');
  return dtypes_of(signature.substr(open + 1, signature.size() - open - 2));
}

std::vector<DType> LibraryFunction::results() const {
  return dtypes_of(signature.substr(0, signature.find('(')));
}

Type LibraryFunction::result() const {
  const std::vector<DType> all = results();
  return all.size() == 1 ? Type(all[0]) : Type::tuple({all.begin(), all.end()});
}

std::span<const LibraryFunction> library_functions() { return table; }

const LibraryFunction* find_library_function(std::string_view name) {
  const auto* row = std::ranges::lower_bound(table, name, {}, &LibraryFunction::name);
  return row != table.end() && row->name == name ? row : nullptr;
}

}  // namespace phalanx::ir
