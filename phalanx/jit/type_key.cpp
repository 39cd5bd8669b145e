#include "phalanx/jit/type_key.h"

#include <algorithm>
#include <string>
#include <utility>

#include "phalanx/base/errors.h"

namespace phalanx::jit {

std::uint32_t TypeTable::number(const ir::Type& type) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find(types_.begin(), types_.end(), type);
  const auto number = static_cast<std::uint32_t>(found - types_.begin());
  if (found == types_.end())
    types_.push_back(type);
  return number;
}

ir::Type TypeTable::type(std::uint32_t number) const {
  const std::lock_guard lock(mutex_);
  return types_.at(number);
}

TypeKey TypeTable::array_key(
    const ir::Type& element, unsigned ndim, ir::Layout layout, bool is_mutable) {
  if (element.is_scalar())
    return key::array(element.dtype(), ndim, layout, is_mutable);
  return key::array(number(element), ndim, layout, is_mutable);
}

ir::Type TypeTable::decode_one(std::span<const TypeKey>& keys) const {
  PHX_ASSERT(!keys.empty());
  const TypeKey first = keys.front();
  keys = keys.subspan(1);
  switch (key::kind(first)) {
    case KeyKind::none:
      return ir::Type::none();
    case KeyKind::scalar:
      return key::dtype(first);
    case KeyKind::array: {
      const ir::Type element =
          (first & key::numbered) != 0 ? type(key::number(first)) : ir::Type(key::dtype(first));
      if (key::is_record(first))
        return ir::Type::pointer(element, ir::Space::global);
      const auto layout = static_cast<ir::Layout>(first >> 24U & 3U);
      const bool is_mutable = (first >> 26U & 1U) == 0;
      return ir::Type::array(element, key::ndim(first), layout, ir::Space::global, is_mutable);
    }
    case KeyKind::other:
      return type(key::number(first));
    case KeyKind::tuple:
      break;
  }
  std::vector<ir::Field> fields(key::elements(first));
  std::string name;
  if (key::number(first) != 0) {
    const ir::Type names = type(key::number(first) - 1);
    name = names.name();
    fields = names.fields();
  }
  for (ir::Field& field : fields) field.type = decode_one(keys);
  return ir::Type::named_tuple(std::move(name), std::move(fields));
}

std::vector<ir::Type> TypeTable::decode(std::span<const TypeKey> keys) const {
  std::vector<ir::Type> types;
  while (!keys.empty()) types.push_back(decode_one(keys));
  return types;
}

}  // namespace phalanx::jit
