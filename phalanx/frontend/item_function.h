// Functions of numbers, or of small arrays, that are called for each item of larger arrays: those
// of ufuncs and gufuncs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "phalanx/frontend/environment.h"
#include "phalanx/ir/types.h"

namespace phalanx::frontend {

// How a call goes through the arrays.
struct ItemCalls {
  struct Operand {
    std::vector<std::size_t> core;  // the dimensions of an item: which ones of the layout
    bool is_array = false;  // what the function takes: an array (of one element without a core)
    bool is_written = false;
    ir::Type element;
  };
  // Of a gufunc, whose function writes to its last arguments; none for a ufunc, which returns a
  // number.
  std::vector<Operand> operands;
  std::size_t inputs = 0;
  std::string layout;                 // for errors: "(n),(n)->()"
  std::vector<std::int64_t> extents;  // of each dimension of the layout; 0: the arrays say it
};

// The function that a FunctionEntity has where that is called so.
class ItemFunction : public FunctionReference {
 public:
  virtual const ItemCalls& items() const = 0;
};

}  // namespace phalanx::frontend
