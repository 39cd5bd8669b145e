// The inner loops of NumPy's ufuncs as CPU functions, which call a function written in Python for
// each item.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "phalanx/frontend/environment.h"
#include "phalanx/frontend/python.h"

namespace phalanx::frontend {

// How an operand lies in memory; each has a letter (bindings/ufunc_loop.h).
enum class ItemLayout : std::uint8_t {
  contiguous,  // c: items follow each other; of operands with core dimensions: an item's elements
               // do
  same,        // s: one number for all items
  any,         // a: any strides
  total,       // t: of a reduction, the first input, which is the output too
};
std::optional<ItemLayout> item_layout_named(char letter);  // nothing for other letters

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
  std::vector<ItemLayout> layouts;  // of each operand
  bool is_elementwise = false;      // the function takes the inputs and returns the output
  Options options;
};

// Throws CompileError.
std::unique_ptr<ir::Module> compile_item_loop(const FunctionEntity& function, const ItemLoop& loop);

}  // namespace phalanx::frontend
