// The inner loops of NumPy's ufuncs as CPU functions, which call a function written in Python for
// each item.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "phalanx/frontend/environment.h"
#include "phalanx/frontend/python.h"

namespace phalanx::frontend {

struct LoopOperand {
  std::vector<std::size_t> core;  // which of the ufunc's core dimensions an item has
  bool is_array = false;          // whether the function takes an array, or a number
  std::int64_t memory = 0;        // those of different numbers, other than 0, do not overlap
};

// It takes what NumPy gives a loop, one after the other: the number of items and the core
// dimensions, a pointer for each operand, its byte stride from item to item, and those of its core
// dimensions.
struct ItemLoop {
  std::string name;
  std::vector<ir::Type> types;  // of the parameters
  std::vector<LoopOperand> operands;
  // A letter for each operand says how it lies in memory (bindings/ufunc_loop.h):
  //   c  items follow each other; of operands with core dimensions: the elements of an item do
  //   s  one number for all items
  //   a  any strides
  //   t  of a reduction: the first input, which is the output too
  std::string layouts;
  bool is_elementwise = false;  // the function takes the inputs and returns the output
  Options options;
};

// Throws CompileError.
std::unique_ptr<ir::Module> compile_item_loop(const FunctionEntity& function, const ItemLoop& loop);

}  // namespace phalanx::frontend
