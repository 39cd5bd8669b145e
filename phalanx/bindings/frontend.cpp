// compile_python: a Python function to IR.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "phalanx/bindings/bind.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/kernel.h"
#include "phalanx/bindings/python_world.h"
#include "phalanx/frontend/python.h"

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace): the "name"_a of arguments

namespace phalanx::bindings {
namespace {

frontend::CompiledModule compile(
    nb::handle function,
    const std::vector<ir::Type>& types,
    bool debug,
    bool device,
    bool unassigned = false) {
  const frontend::Options options = {
      .debug = debug,
      .kind = device ? ir::FunctionKind::device : ir::FunctionKind::kernel,
      .finds_unassigned = unassigned};
  return frontend::compile(*python_function(function), types, options);
}

std::shared_ptr<ir::Module> compile_python(
    nb::handle function,
    const std::vector<ir::Type>& types,
    bool debug,
    bool device,
    bool unassigned) {
  return std::shared_ptr<ir::Module>(compile(function, types, debug, device, unassigned).module);
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

// A text that begins with its place, "file.py:12: ...": the warning belongs to that line, not to
// ours that asked for the compilation.
void warn_at_its_place(const std::string& text) {
  const std::size_t end = text.find(": ");
  const std::size_t colon = end == std::string::npos ? end : text.rfind(':', end - 1);
  if (colon == std::string::npos) {
    warn("PerformanceWarning", text.c_str());
    return;
  }
  const nb::object type = nb::module_::import_("phalanx.errors").attr("PerformanceWarning");
  const std::string file = text.substr(0, colon);
  const int line = std::atoi(text.substr(colon + 1, end - colon - 1).c_str());
  if (PyErr_WarnExplicit(type.ptr(), text.c_str(), file.c_str(), line, nullptr, nullptr) != 0)
    throw nb::python_error();
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
      "The IR of a Python function for arguments of these types.");
  module.def(
      "compile_function",
      [](nb::handle function,
         const std::vector<ir::Type>& types,
         bool raises_on_zero_division,
         bool checks_bounds,
         bool parallel) {
        const frontend::Options options = {
            .debug = true,
            .is_function = true,
            .raises_on_zero_division = raises_on_zero_division,
            .checks_bounds = checks_bounds,
            .is_parallel = parallel};
        frontend::CompiledModule compiled =
            frontend::compile_function(*python_function(function), types, options);
        for (const std::string& text : compiled.warnings) warn_at_its_place(text);
        return std::shared_ptr<ir::Module>(std::move(compiled.module));
      },
      "function"_a,
      "types"_a,
      nb::kw_only(),
      "raises_on_zero_division"_a = true,
      "checks_bounds"_a = false,
      "parallel"_a = false,
      "The IR of a CPU function for arguments of these types.");
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
  module.def(
      "numpy_names",
      &frontend::numpy_names,
      "What the compiler knows of NumPy besides ufuncs: functions, and members of arrays.");
}

}  // namespace phalanx::bindings
