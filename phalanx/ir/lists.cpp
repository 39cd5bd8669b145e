#include "phalanx/ir/lists.h"

#include <string_view>

#include "phalanx/ir/abi.h"

namespace phalanx::ir {

namespace {

constexpr std::string_view elements_name = "<list>";  // no record of NumPy's has such a field
constexpr std::size_t word = 8;

}  // namespace

Type list_of(const Type& element) {
  std::vector<Field> fields;
  fields.push_back(
      {.name = std::string(elements_name),
       .type = Type::pointer(element, Space::global),
       .offset = 0});
  fields.push_back({.name = "length", .type = DType::int64, .offset = word});
  fields.push_back({.name = "capacity", .type = DType::int64, .offset = 2 * word});
  return Type::pointer(Type::record(std::move(fields), 3 * word, word), Space::global);
}

bool is_list(const Type& type) {
  if (!type.is_pointer() || !type.element().is_record())
    return false;
  const auto& fields = type.element().fields();
  return !fields.empty() && fields.front().name == elements_name;
}

const Type& list_element(const Type& list) {
  return list.element().fields().front().type.element();
}

Type list_storage(const Type& element) {
  if (element.is_scalar())
    return element;
  const std::size_t bytes = (layout_parameters({element}).bytes + word - 1) / word * word;
  const Field slots = {
      .name = "<slots>",
      .type = DType::uint8,
      .offset = 0,
      .shape = {static_cast<std::int64_t>(bytes)}};
  return Type::record({slots}, bytes, word);
}

}  // namespace phalanx::ir
