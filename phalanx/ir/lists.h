// Growing lists of CPU functions: a list is a pointer to the address of its elements, their number,
// and how many there is room for. The memory of the elements belongs to that pointer
// (Op::allocate).
#pragma once

#include <cstdint>
#include <string_view>

#include "phalanx/ir/types.h"

namespace phalanx::ir {

enum class ListField : std::uint8_t { elements, length, capacity };

Type list_of(const Type& element);
bool is_list(const Type& type);
const Type& list_element(const Type& list);

// How an element lies in the list: numbers as they are, anything else in the slots of abi.h.
Type list_storage(const Type& element);

// What a CPU function returns that was given lists: a named tuple of this name, of the lists as it
// left them, in the order of the arguments, and of its value.
inline constexpr std::string_view reflected_name = "reflected_lists";

}  // namespace phalanx::ir
