// The functions of libdevice: their names, types and what equals them among the operations.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "phalanx/ir/op.h"
#include "phalanx/ir/types.h"

namespace phalanx::ir {

struct LibraryFunction {
  std::string_view name;       // without __nv_
  std::string_view signature;  // see libdevice.def
  std::string_view equal;      // name of an elementwise operation, or empty

  std::vector<DType> parameters() const;
  bool returns_value() const { return signature.front() != '>'; }
  // What is returned, then what is written through pointers.
  std::vector<DType> results() const;
  Type result() const;  // the one result, or a tuple of them
  std::optional<Op> operation() const { return op_from_name(equal); }
};

std::span<const LibraryFunction> library_functions();
// nullptr if there is no such function.
const LibraryFunction* find_library_function(std::string_view name);

}  // namespace phalanx::ir
