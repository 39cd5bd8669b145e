// CUDA C's names of libdevice's functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "phalanx/ir/libdevice.h"

namespace phalanx::cudac {

// What CUDA C calls a function of libdevice that is no function of the C library: fast_expf is
// __expf, fadd_rn is __fadd_rn. Nothing for the others, such as sinf, which have their own name.
std::optional<std::string> intrinsic_name(std::string_view library);

// The function of libdevice that a declaration without a body means; null where there is none.
const ir::LibraryFunction* library_function(std::string_view name);

// libdevice's table does not tell int from unsigned.
bool is_unsigned_result(std::string_view library);
bool is_unsigned_operand(std::string_view library);

}  // namespace phalanx::cudac
