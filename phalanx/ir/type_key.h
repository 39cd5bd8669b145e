// Types of arguments as 64-bit keys, cheap to make and to compare on every launch.
//
// An argument is a sequence of keys: one for most types, and for a tuple its own key followed by
// those of its elements. What does not fit into 64 bits (records, the names of a named tuple) is a
// number in the type table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "phalanx/base/export.h"
#include "phalanx/ir/types.h"

namespace phalanx::ir {

using TypeKey = std::uint64_t;

enum class KeyKind : std::uint8_t { none, scalar, array, tuple, other };

// kind: bits 0-7; dtype: 8-15; dimensions: 16-23; layout: 24-25; read-only: 26; has number: 27;
// elements of a tuple: 8-31; number in the type table: 32-63.
namespace key {

inline constexpr TypeKey numbered = TypeKey{1} << 27U;

constexpr TypeKey none() { return 0; }
constexpr TypeKey scalar(DType dtype) {
  return static_cast<TypeKey>(KeyKind::scalar) | static_cast<TypeKey>(dtype) << 8U;
}
constexpr TypeKey array_form(unsigned ndim, Layout layout, bool is_mutable) {
  return static_cast<TypeKey>(KeyKind::array) | TypeKey{ndim} << 16U |
         static_cast<TypeKey>(layout) << 24U | TypeKey{is_mutable ? 0U : 1U} << 26U;
}
constexpr TypeKey array(DType dtype, unsigned ndim, Layout layout, bool is_mutable) {
  return array_form(ndim, layout, is_mutable) | static_cast<TypeKey>(dtype) << 8U;
}
constexpr TypeKey array(std::uint32_t element, unsigned ndim, Layout layout, bool is_mutable) {
  return array_form(ndim, layout, is_mutable) | numbered | TypeKey{element} << 32U;
}
// A record by its address: an array without dimensions whose layout is no layout.
inline constexpr TypeKey record_layout = TypeKey{3} << 24U;
constexpr TypeKey record(std::uint32_t number, bool is_mutable) {
  return array(number, 0, Layout::c, is_mutable) | record_layout;
}
constexpr bool is_record(TypeKey key) { return (key & record_layout) == record_layout; }
constexpr TypeKey tuple(std::size_t elements) {
  return static_cast<TypeKey>(KeyKind::tuple) | TypeKey{elements} << 8U;
}
// `names` is the number of a named tuple with the same field names, of any types.
constexpr TypeKey named_tuple(std::size_t elements, std::uint32_t names) {
  return tuple(elements) | (TypeKey{names} + 1) << 32U;
}
constexpr TypeKey other(std::uint32_t number) {
  return static_cast<TypeKey>(KeyKind::other) | TypeKey{number} << 32U;
}

constexpr KeyKind kind(TypeKey key) { return static_cast<KeyKind>(key & 0xffU); }
constexpr DType dtype(TypeKey key) { return static_cast<DType>(key >> 8U & 0xffU); }
constexpr unsigned ndim(TypeKey key) { return static_cast<unsigned>(key >> 16U & 0xffU); }
constexpr std::size_t elements(TypeKey key) { return key >> 8U & 0xffffffU; }
constexpr std::uint32_t number(TypeKey key) { return static_cast<std::uint32_t>(key >> 32U); }

}  // namespace key

class PHX_API TypeTable {
 public:
  // Equal types have equal numbers. Thread-safe.
  std::uint32_t number(const Type& type);
  Type type(std::uint32_t number) const;

  TypeKey array_key(const Type& element, unsigned ndim, Layout layout, bool is_mutable);

  // The types of arguments whose keys follow each other. Arrays are in global memory, and so are
  // records: an argument is a pointer to one.
  std::vector<Type> decode(std::span<const TypeKey> keys) const;

 private:
  Type decode_one(std::span<const TypeKey>& keys) const;

  mutable std::mutex mutex_;
  std::vector<Type> types_;
};

}  // namespace phalanx::ir
