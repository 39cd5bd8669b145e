// Kernels that call a function written in Python for each item of arrays: those of ufuncs and
// gufuncs. Around the call is code that C++ makes; no source is written for it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "phalanx/frontend/environment.h"
#include "phalanx/frontend/item_function.h"
#include "phalanx/frontend/python.h"
#include "phalanx/numpy/elementwise_kernel.h"

namespace phalanx::frontend {

struct KernelHead {
  std::string name;
  std::vector<ir::Type> types;  // of the parameters
  Options options;
};

// The kernel of a function of numbers that returns one. It takes the inputs, arrays of one shape or
// numbers, and then the output. Throws CompileError.
std::unique_ptr<ir::Module> compile_elementwise(
    const FunctionEntity& function, const KernelHead& head, numpy::Traversal traversal);

// The kernel of a gufunc's function. It takes stacks of items, of one shape, or numbers; the last
// is an array. Throws CompileError.
std::unique_ptr<ir::Module> compile_stacked(
    const FunctionEntity& function, const ItemCalls& items, const KernelHead& head);

// The kernels that combine the elements of an array by a function of two: see emit_reduction and
// emit_row_reduction. Throws CompileError.
enum class ReductionForm : std::uint8_t { all, rows };
std::unique_ptr<ir::Module> compile_reduction(
    const FunctionEntity& function, const KernelHead& head, ReductionForm form);

}  // namespace phalanx::frontend
