// The names of the types by which the host passes what is neither a number nor an array: each is a
// named tuple.
#pragma once

#include <string_view>

namespace phalanx::frontend {

// A dtype, a string or a function is a tuple of one field, which is none: nothing is passed, and
// the field's name is the dtype's, the string, or one by which the environment knows the function.
inline constexpr std::string_view dtype_argument_name = "dtype_argument";
inline constexpr std::string_view text_argument_name = "text_argument";
inline constexpr std::string_view function_argument_name = "function_argument";
// A list of numbers is a tuple of an array.
inline constexpr std::string_view list_argument_name = "list_argument";

}  // namespace phalanx::frontend
