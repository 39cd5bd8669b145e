// Arrays that CPU functions make, and what they compute of whole arrays.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "phalanx/frontend/python/emitter.h"

namespace phalanx::frontend::python {

// A new C array. Extents below 0 raise ValueError, and MemoryError says that none is left; fails
// in kernels.
ir::Operation* new_array(
    Emitter& emitter, const ir::Type& element, const std::vector<Value>& extents, bool is_zeroed);

// A new C array with the elements of another.
Value copied(Emitter& emitter, ir::Operation* array);

// True if `array.name()` means numpy.name(array).
bool is_array_method(std::string_view name);

// The attributes and methods that arrays of numbers have without the library.
std::vector<std::string_view> array_members();

}  // namespace phalanx::frontend::python
