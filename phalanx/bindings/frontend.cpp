// compile_python: a Python function to IR.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "phalanx/bindings/bind.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/kernel.h"
#include "phalanx/bindings/keywords.h"
#include "phalanx/bindings/object_resolver.h"
#include "phalanx/frontend/argument_names.h"
#include "phalanx/frontend/python.h"
#include "phalanx/ir/lists.h"

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace): the "name"_a of arguments

namespace phalanx::bindings {
namespace {

// The names of the types that represent what is neither a number nor an array.
nb::dict argument_names() {
  nb::dict names;
  const auto add = [&](const char* kind, std::string_view name) {
    names[kind] = nb::str(name.data(), name.size());
  };
  add("dtype", frontend::dtype_argument_name);
  add("text", frontend::text_argument_name);
  add("function", frontend::function_argument_name);
  add("list", frontend::list_argument_name);
  add("reflected", ir::reflected_name);
  return names;
}

frontend::CompiledModule compile(
    nb::handle function,
    const std::vector<ir::Type>& types,
    bool debug,
    bool device,
    bool unassigned = false,
    bool bounds = false) {
  const frontend::Options options = {
      .debug = debug,
      .kind = device ? ir::FunctionKind::device : ir::FunctionKind::kernel,
      .finds_unassigned = unassigned,
      .checks_bounds = bounds};
  return frontend::compile(*python_function(function), types, options);
}

std::shared_ptr<ir::Module> compile_python(
    nb::handle function,
    const std::vector<ir::Type>& types,
    bool debug,
    bool device,
    bool unassigned,
    bool bounds) {
  return std::shared_ptr<ir::Module>(
      compile(function, types, debug, device, unassigned, bounds).module);
}

std::shared_ptr<ir::Module> compile_function(
    nb::handle function, const std::vector<ir::Type>& types, const nb::kwargs& given) {
  Keywords keywords("compile_function", given);
  frontend::Options options = {.debug = true, .is_function = true, .raises_on_zero_division = true};
  std::uint32_t fastmath = 0;
  keywords.take("raises_on_zero_division", options.raises_on_zero_division);
  keywords.take("checks_bounds", options.checks_bounds);
  keywords.take("parallel", options.is_parallel);
  keywords.take("fastmath", fastmath);  // bits of fast_math_flags()
  options.fast_math = FastMath(fastmath);
  options.locals = local_types(keywords.take("locals"));
  keywords.take("result", options.result);
  keywords.refuse_others();
  return std::shared_ptr<ir::Module>(
      frontend::compile_function(*python_function(function), types, options).module);
}

std::shared_ptr<ir::Module> compile_exported(
    nb::handle function,
    const std::vector<ir::Type>& types,
    std::string symbol,
    const std::optional<ir::Type>& result,
    bool returns_status,
    bool debug) {
  const frontend::Options options = {
      .debug = debug,
      .kind = ir::FunctionKind::exported,
      .symbol = std::move(symbol),
      .result = result,
      .returns_status = returns_status};
  return std::shared_ptr<ir::Module>(
      frontend::compile(*python_function(function), types, options).module);
}

}  // namespace

void bind_frontend(nb::module_& module) {
  module.def(
      "compile_python",
      &compile_python,
      "function"_a,
      "types"_a,
      "debug"_a = false,
      "device"_a = false,
      "unassigned"_a = false,
      "bounds"_a = false,
      "The IR of a Python function for arguments of these types.");
  module.def(
      "compile_function",
      &compile_function,
      "function"_a,
      "types"_a,
      "options"_a,
      "The IR of a CPU function for arguments of these types, its result converted to `result`.");
  module.def(
      "compile_exported",
      &compile_exported,
      "function"_a,
      "types"_a,
      "symbol"_a = "",
      "result"_a = nb::none(),
      "returns_status"_a = false,
      "debug"_a = false,
      "The IR of a device function for other code to call.");
  module.def(
      "result_of_python",
      [](nb::handle function, const std::vector<ir::Type>& types) {
        return compile(function, types, false, true).result;
      },
      "function"_a,
      "types"_a,
      "The type of what a device function returns for arguments of these types.");
  module.def("argument_names", &argument_names);
  module.def(
      "numpy_names",
      &frontend::numpy_names,
      "What the compiler knows of NumPy besides ufuncs: functions, and members of arrays.");
}

}  // namespace phalanx::bindings
