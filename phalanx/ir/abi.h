// How a kernel's arguments lie in the parameter block: one layout for both devices.
//
// Each parameter is flattened into slots, in order: a scalar is one slot; a complex number two
// (real, imaginary); a pointer one; an array view its data pointer, its shape (ndim x i64) and,
// only where the layout is `any`, its byte strides (ndim x i64); a tuple its elements in order; a
// small vector its lanes; a record one slot of its own size and alignment. Slots are placed at
// natural alignment, like C struct members and like PTX parameters, so one buffer serves the CPU
// and cuLaunchKernel.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "phalanx/base/export.h"
#include "phalanx/ir/types.h"

namespace phalanx::ir {

struct Function;

struct Slot {
  Type type;  // scalar (never complex), pointer or record
  std::size_t offset = 0;
};

struct ParameterLayout {
  std::vector<Slot> slots;
  std::vector<std::size_t> first_slot;  // of each parameter; one past the last at the end
  std::size_t bytes = 0;
};

// The types that `type` flattens into, in order.
PHX_API std::vector<Type> flatten(const Type& type);

PHX_API ParameterLayout layout_parameters(const std::vector<Type>& parameters);

// What a CPU function returns where that may be None: a named tuple of this name, of whether there
// is a value, and the value.
inline constexpr std::string_view optional_name = "optional_value";

// In check mode, the last parameter of a kernel that takes pointers: a named tuple of this name,
// of two i64 for each pointer among the others, in their order, those in tuples too: the bytes of
// its allocation that are before what it points to, and those from there on.
inline constexpr std::string_view bounds_name = "pointer_bounds";
// None where there are no pointers.
PHX_API Type bounds_type(const std::vector<Type>& parameters);
PHX_API bool is_bounds(const Type& type);
// Gives a kernel that parameter, where it has pointers.
PHX_API void add_bounds(Function& kernel);

}  // namespace phalanx::ir
