// compile_for_items, compile_item_loop: what the engine makes around functions of elements.
#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/bind.h"
#include "phalanx/bindings/keywords.h"
#include "phalanx/bindings/object_resolver.h"
#include "phalanx/frontend/item_function.h"
#include "phalanx/frontend/item_kernels.h"
#include "phalanx/frontend/item_loops.h"
#include "phalanx/numpy/reduction_kernel.h"

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace): the "name"_a of arguments

namespace phalanx::bindings {
namespace {

// `form` is "flat", "rows" or "items" for a function of numbers, "stacked" for one of small arrays,
// "reduce" or "reduce rows" for one that combines two elements.
std::shared_ptr<ir::Module> compile_for_items(
    nb::handle function,
    const std::vector<ir::Type>& types,
    std::string name,
    std::string_view form,
    const nb::kwargs& given) {
  Keywords keywords("compile_for_items", given);
  frontend::KernelHead head = {.name = std::move(name), .types = types, .options = {}};
  keywords.take("debug", head.options.debug);
  keywords.take("unassigned", head.options.finds_unassigned);
  keywords.take("bounds", head.options.checks_bounds);
  keywords.refuse_others();
  const auto entity = python_entity(function);
  const auto* called = std::get_if<frontend::FunctionEntity>(&entity->value);
  const auto is_array = [](const ir::Type& type) { return type.is_array(); };
  if (called == nullptr || std::ranges::none_of(types, is_array))
    throw TypeError("compile_for_items takes a function, and types of which one is an array");
  if (form == "reduce" && types.size() == numpy::reduction_parameters)
    return frontend::compile_reduction(*called, head, frontend::ReductionForm::all);
  if (form == "reduce rows" && types.size() == numpy::row_reduction_parameters)
    return frontend::compile_reduction(*called, head, frontend::ReductionForm::rows);
  const auto* of_items = dynamic_cast<const frontend::ItemFunction*>(called->function.get());
  if (form == "stacked" && of_items != nullptr && of_items->items().operands.size() == types.size())
    return frontend::compile_stacked(*called, of_items->items(), head);
  const auto traversal = numpy::traversal_named(form);
  if (!traversal)
    throw ValueError("no kernel has the form " + std::string(form));
  return frontend::compile_elementwise(*called, head, *traversal);
}

std::vector<frontend::ItemLayout> layouts_of(std::string_view letters) {
  std::vector<frontend::ItemLayout> layouts;
  for (const char letter : letters) {
    const auto layout = frontend::item_layout_named(letter);
    if (!layout)
      throw ValueError("no layout of a loop's operand has the letter " + std::string(1, letter));
    layouts.push_back(*layout);
  }
  return layouts;
}

// `operands` has for each operand: its core dimensions, whether the function takes an array, and
// the number of its memory.
std::shared_ptr<ir::Module> compile_item_loop(
    nb::handle function,
    const std::vector<ir::Type>& types,
    std::string name,
    std::string_view layouts,
    const nb::kwargs& given) {
  Keywords keywords("compile_item_loop", given);
  frontend::ItemLoop loop = {
      .name = std::move(name),
      .types = types,
      .operands = {},
      .layouts = layouts_of(layouts),
      .options = {.debug = true, .is_function = true}};
  std::uint32_t fastmath = 0;
  keywords.take("elementwise", loop.is_elementwise);
  keywords.take("raises_on_zero_division", loop.options.raises_on_zero_division);
  keywords.take("checks_bounds", loop.options.checks_bounds);
  keywords.take("parallel", loop.options.is_parallel);
  keywords.take("fastmath", fastmath);  // bits of fast_math_flags()
  loop.options.fast_math = FastMath(fastmath);
  for (const nb::handle each : nb::list(keywords.take("operands"))) {
    const auto row = nb::cast<nb::tuple>(each);
    loop.operands.push_back(
        {.core = nb::cast<std::vector<std::size_t>>(row[0]),
         .is_array = nb::cast<bool>(row[1]),
         .memory = nb::cast<std::int64_t>(row[2])});
  }
  keywords.refuse_others();
  const auto entity = python_entity(function);
  const auto* called = std::get_if<frontend::FunctionEntity>(&entity->value);
  if (called == nullptr || loop.operands.size() != loop.layouts.size())
    throw TypeError("compile_item_loop takes a function, and a layout for each operand");
  return frontend::compile_item_loop(*called, loop);
}

}  // namespace

void bind_item_kernels(nb::module_& module) {
  module.def(
      "compile_for_items",
      &compile_for_items,
      "function"_a,
      "types"_a,
      "name"_a,
      "form"_a,
      "options"_a,
      "The IR of a kernel that calls a function for each item of arrays: of a ufunc or a gufunc.");
  module.def(
      "reduction_block",
      [] { return nb::make_tuple(numpy::reduction_block, numpy::reduction_tile); },
      "The threads of a block of a reduction's kernel, and how many elements it takes at once.");
  module.def(
      "compile_item_loop",
      &compile_item_loop,
      "function"_a,
      "types"_a,
      "name"_a,
      "layouts"_a,
      "options"_a,
      "The IR of an inner loop of a NumPy ufunc, which calls a function for each item.");
}

}  // namespace phalanx::bindings
