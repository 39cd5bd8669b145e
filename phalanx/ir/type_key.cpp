#include "phalanx/ir/type_key.h"

#include <algorithm>
#include <string>
#include <utility>

#include "phalanx/base/errors.h"

namespace phalanx::ir {

std::uint32_t TypeTable::number(const Type& type) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(types_, type);
  const auto number = static_cast<std::uint32_t>(found - types_.begin());
  if (found == types_.end())
    types_.push_back(type);
  return number;
}

Type TypeTable::type(std::uint32_t number) const {
  const std::lock_guard lock(mutex_);
  return types_.at(number);
}

TypeKey TypeTable::array_key(const Type& element, unsigned ndim, Layout layout, bool is_mutable) {
  if (element.is_scalar())
    return key::array(element.dtype(), ndim, layout, is_mutable);
  return key::array(number(element), ndim, layout, is_mutable);
}

Type TypeTable::decode_one(std::span<const TypeKey>& keys) const {
  PHX_ASSERT(!keys.empty());
  const TypeKey first = keys.front();
  keys = keys.subspan(1);
  switch (key::kind(first)) {
    case KeyKind::none:
      return Type::none();
    case KeyKind::scalar:
      return key::dtype(first);
    case KeyKind::array: {
      const Type element =
          (first & key::numbered) != 0 ? type(key::number(first)) : Type(key::dtype(first));
      if (key::is_record(first))
        return Type::pointer(element, Space::global);
      const auto layout = static_cast<Layout>(first >> 24U & 3U);
      const bool is_mutable = (first >> 26U & 1U) == 0;
      return Type::array(element, key::ndim(first), layout, Space::global, is_mutable);
    }
    case KeyKind::other:
      return type(key::number(first));
    case KeyKind::tuple:
      break;
  }
  std::vector<Field> fields(key::elements(first));
  std::string name;
  if (key::number(first) != 0) {
    const Type names = type(key::number(first) - 1);
    name = names.name();
    fields = names.fields();
  }
  for (Field& field : fields) field.type = decode_one(keys);
  return Type::named_tuple(std::move(name), std::move(fields));
}

std::vector<Type> TypeTable::decode(std::span<const TypeKey> keys) const {
  std::vector<Type> types;
  while (!keys.empty()) types.push_back(decode_one(keys));
  return types;
}

}  // namespace phalanx::ir
