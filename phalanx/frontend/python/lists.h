// Growing lists of CPU functions: ir/lists.h in terms of values. What can be made of these is
// written in Python (python/phalanx/_library/lists.py).
#pragma once

#include <optional>
#include <vector>

#include "phalanx/frontend/python/emitter.h"

namespace phalanx::frontend::python {

bool is_list(const Value& value);

// The type of the elements of a list that such values are put into; nothing where a list cannot
// hold them, or not together.
std::optional<ir::Type> common_element(const std::vector<Value>& items);

// A new list of the items. Fails in kernels.
ir::Operation* new_list(
    Emitter& emitter, const ir::Type& element, const std::vector<Value>& items = {});

// A new list of the numbers in a vector.
ir::Operation* list_of_array(Emitter& emitter, ir::Operation* array);

Value list_length(Emitter& emitter, const Value& list);

// Raise IndexError for an index outside of the list.
Value list_item(Emitter& emitter, const Value& list, const Value& index);
void set_list_item(Emitter& emitter, const Value& list, const Value& index, const Value& value);

// The element at a position that is known to be one.
Value list_element_at(Emitter& emitter, const Value& list, ir::Operation* position);

// True if the function, or one that it calls, makes a list longer or puts arrays or lists into one.
bool may_grow_lists(const ir::Function& function);

}  // namespace phalanx::frontend::python
