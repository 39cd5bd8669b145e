// Accesses to elements of arrays, as check mode tells of them.
#pragma once

#include <string>
#include <vector>

#include "phalanx/ir/ir.h"

namespace phalanx::passes {

using Values = std::vector<ir::Operation*>;

// The array as the user calls it; "" if it has no name.
std::string array_name(const ir::Operation& array, const ir::Function& function);

// What an operation does to an element: read, write, atomic, or access.
Verb verb_of(ir::Op op);

// True if the operation makes a pointer one of another type, and moves it nowhere.
bool is_same_address(const ir::Operation& pointer);

// The array_element, checked or not, that a pointer was made by; null for other pointers.
const ir::Operation* element_of(const ir::Operation* pointer);

// The indices of an operation on (array, indices, ...).
Values indices_of(const ir::Operation& access);

}  // namespace phalanx::passes
