// Python functions to IR: the front end's entry.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "phalanx/frontend/environment.h"
#include "phalanx/ir/ir.h"

namespace phalanx::frontend {

struct Options {
  bool debug = false;  // keep assert and raise
  ir::FunctionKind kind = ir::FunctionKind::kernel;
  bool finds_unassigned = false;  // check mode's category
  // Checks arrays in CPU functions, and in kernels tuples: arrays are check mode's there.
  bool checks_bounds = false;
  // For CPU functions only:
  bool is_function = false;
  bool raises_on_zero_division = false;  // as Python; else as NumPy
  bool is_parallel = false;              // prange runs on all cores
  FastMath fast_math = {};               // its own; what it calls may have others
  std::shared_ptr<const LocalTypes> locals = {};
  // Exported functions: the name where it is not Python's, what the result is converted to, and how
  // the function is called (see ir::Function).
  std::string symbol = {};
  std::optional<ir::Type> result = {};
  bool returns_status = false;
};

struct CompiledModule {
  std::unique_ptr<ir::Module> module;
  ir::Function* function = nullptr;  // the one that was asked for
  ir::Type result;                   // none for a kernel
};

// Compiles `function` for arguments of these types. An argument of type none is Python's None.
// A named tuple is typed as one. Throws CompileError with the whole message.
CompiledModule compile(
    const FunctionSource& function, const std::vector<ir::Type>& arguments, const Options& options);

// The same for a CPU function. The module's kernel takes a pointer after the arguments and stores
// the result there, laid out as ir/abi.h lays out a parameter block of that type; `result` is its
// type.
CompiledModule compile_function(
    const FunctionSource& function, const std::vector<ir::Type>& arguments, const Options& options);

// What the front end knows of NumPy besides the ufuncs: "numpy.sum", and as "array.T" the
// attributes and methods of arrays.
std::vector<std::string> numpy_names();

}  // namespace phalanx::frontend
