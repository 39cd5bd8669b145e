// What C++ programs make kernels and launches of: IR that is at hand, numbers, device arrays.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <type_traits>

#include "phalanx/base/dtype.h"
#include "phalanx/base/export.h"
#include "phalanx/jit/argument.h"
#include "phalanx/jit/kernel.h"
#include "phalanx/jit/module.h"
#include "phalanx/views/device_array.h"

namespace phalanx::jit {

// The one kernel of a module. The disk cache knows it by the module's text: other IR of the same
// name is other code. Throws ValueError for a module that has not one kernel or that has globals,
// and ir::VerifyError for IR that breaks the rules.
PHX_API std::shared_ptr<Kernel> make_kernel(
    Engine& engine, std::shared_ptr<ir::Module> module, const codegen::Options& options = {});

// All kernels of a module, and its globals. Throws ValueError for a module without kernels, and
// ir::VerifyError for IR that breaks the rules.
PHX_API std::shared_ptr<Module> make_module(
    Engine& engine,
    const std::shared_ptr<const ir::Module>& module,
    const codegen::Options& options = {});

// The element type of a C++ number; std::complex counts as one.
template <typename Number>
consteval DType dtype_of() {
  const DTypeKind kind = std::is_same_v<Number, bool>       ? DTypeKind::boolean
                         : std::is_floating_point_v<Number> ? DTypeKind::floating
                         : !std::is_integral_v<Number>      ? DTypeKind::complex_floating
                         : std::is_signed_v<Number>         ? DTypeKind::signed_integer
                                                            : DTypeKind::unsigned_integer;
  std::size_t found = 0;
  while (dtype_table.at(found).kind != kind || dtype_table.at(found).bytes != sizeof(Number))
    ++found;  // past the table's end, where there is no such type: no constant expression
  return static_cast<DType>(found);
}

// An argument of a launch.
template <typename Number>
Argument argument_of(const Number& value) {
  Argument row{.key = ir::key::scalar(dtype_of<Number>())};
  std::memcpy(row.bits, &value, sizeof(value));
  return row;
}
// Borrows the array.
inline Argument argument_of(const views::DeviceArray& array) {
  Argument row{.key = array.key};
  set_array(row, array);
  return row;
}

}  // namespace phalanx::jit
