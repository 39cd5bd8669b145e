// Type inference by text, so that tests can ask what the compiler would infer.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "phalanx/bindings/bind.h"
#include "phalanx/infer/conversion.h"
#include "phalanx/infer/functions.h"
#include "phalanx/infer/names.h"
#include "phalanx/infer/signature.h"
#include "phalanx/infer/ufuncs.h"
#include "phalanx/ir/libdevice.h"
#include "phalanx/ir/op.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace phalanx::bindings {
namespace {

using Names = std::vector<std::string>;

// declared operands, operands of the operation, what it yields, the results
using ElementwiseNames = std::tuple<Names, Names, std::string, Names>;

std::string name_of(DType dtype) { return infer::numba_name(dtype); }

std::optional<ElementwiseNames> infer_elementwise(
    std::string_view function, const Names& operand_names) {
  std::vector<DType> operands;
  for (const std::string& name : operand_names)
    operands.push_back(infer::parse_numba_type(name).dtype());
  const auto typing = infer::resolve(function, operands);
  if (!typing)
    return std::nullopt;
  ElementwiseNames result;
  auto& [declared, computed, yields, results] = result;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    declared.push_back(name_of(typing->declared.at(i)));
    computed.push_back(name_of(typing->operands.at(i)));
  }
  yields = name_of(typing->yields);
  results.push_back(name_of(typing->result));
  if (typing->second_result)
    results.push_back(name_of(*typing->second_result));
  return result;
}

std::optional<std::pair<Names, std::string>> infer_ufunc(
    std::string_view name, const Names& operand_names) {
  std::vector<DType> operands;
  for (const std::string& operand : operand_names)
    operands.push_back(infer::parse_numba_type(operand).dtype());
  const infer::Ufunc* ufunc = infer::find_ufunc(name);
  const auto typing = ufunc == nullptr ? std::nullopt : infer::resolve(*ufunc, operands);
  if (!typing)
    return std::nullopt;
  std::pair<Names, std::string> result;
  for (std::size_t i = 0; i < operands.size(); ++i)
    result.first.push_back(name_of(typing->operands.at(i)));
  result.second = name_of(typing->result);
  return result;
}

std::vector<std::pair<std::string, int>> infer_ufuncs() {
  std::vector<std::pair<std::string, int>> names;
  for (const infer::Ufunc& ufunc : infer::ufuncs()) names.emplace_back(ufunc.name, ufunc.arity);
  return names;
}

std::vector<std::pair<std::string, int>> infer_functions() {
  std::vector<std::pair<std::string, int>> names;
  for (const infer::Function& function : infer::functions())
    names.emplace_back(function.name, function.arity);
  return names;
}

Names functions_of(ir::Op op) {
  Names names;
  for (const infer::Function& function : infer::functions()) {
    if (function.op == op)
      names.emplace_back(function.name);
  }
  return names;
}

// NumPy's name and the types that it computes in, of each ufunc that is this operation.
std::vector<std::pair<std::string, Names>> ufuncs_of(ir::Op op) {
  std::vector<std::pair<std::string, Names>> rows;
  for (const infer::Ufunc& ufunc : infer::ufuncs()) {
    if (ufunc.op != op)
      continue;
    Names loops;
    for (const DType loop : infer::loops_of(ufunc)) loops.push_back(name_of(loop));
    rows.emplace_back(ufunc.name, std::move(loops));
  }
  return rows;
}

nb::list op_table() {
  nb::list rows;
  for (std::size_t i = 0; i < ir::op_table.size(); ++i) {
    const ir::OpInfo& info = ir::op_table.at(i);
    const auto op = static_cast<ir::Op>(i);
    nb::dict row;
    row["name"] = info.name;
    row["arity"] = info.arity;
    row["kinds"] = info.kinds;
    row["numpy"] = info.numpy;
    row["functions"] = functions_of(op);
    row["ufuncs"] = ufuncs_of(op);
    row["is_from_library"] = !info.nv.empty() || !info.sleef.empty();
    row["doc"] = info.doc;
    rows.append(row);
  }
  return rows;
}

std::optional<std::string> unify(const Names& names) {
  std::vector<ir::Type> types;
  for (const std::string& name : names) types.push_back(infer::parse_numba_type(name));
  const auto unified = infer::unify(types);
  return unified ? std::optional(infer::numba_name(*unified)) : std::nullopt;
}

std::string_view conversion(std::string_view from, std::string_view to) {
  switch (infer::conversion(infer::parse_numba_type(from), infer::parse_numba_type(to))) {
    case infer::Conversion::exact:
      return "exact";
    case infer::Conversion::promote:
      return "promote";
    case infer::Conversion::safe:
      return "safe";
    case infer::Conversion::unsafe:
      return "unsafe";
    case infer::Conversion::none:
      return "none";
  }
  return "";
}

std::pair<std::optional<std::string>, Names> parse_signature(std::string_view text) {
  const infer::ParsedSignature parsed = infer::parse_signature(text);
  std::pair<std::optional<std::string>, Names> result;
  if (parsed.result)
    result.first = infer::numba_name(*parsed.result);
  for (const ir::Type& type : parsed.arguments) result.second.push_back(infer::numba_name(type));
  return result;
}

std::vector<std::pair<std::string, std::string>> libdevice_functions() {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const ir::LibraryFunction& function : ir::library_functions())
    rows.emplace_back(function.name, function.signature);
  return rows;
}

}  // namespace

void bind_infer(nb::module_& module) {
  module.def(
      "infer_elementwise",
      &infer_elementwise,
      "function"_a,
      "operands"_a,
      "Numba's operand types, the operation's, what it yields, and the results; None if "
      "untypable.");
  module.def(
      "infer_ufunc",
      &infer_ufunc,
      "name"_a,
      "operands"_a,
      "The types a NumPy function computes in, and its result; None if untypable.");
  module.def("infer_ufuncs", &infer_ufuncs, "Name and arity of every NumPy function.");
  module.def("infer_functions", &infer_functions, "Name and arity of every scalar function.");
  module.def(
      "op_table",
      &op_table,
      "The elementwise operations: name, arity, kinds of dtype, functions and ufuncs that are it, "
      "NumPy's function of the same meaning, doc.");
  module.def("libdevice_functions", &libdevice_functions, "Name and signature, as libdevice.def.");
  module.def("infer_unify", &unify, "types"_a, "The type that holds them all, or None.");
  module.def(
      "infer_conversion",
      &conversion,
      "from_type"_a,
      "to_type"_a,
      "exact, promote, safe, unsafe or none.");
  module.def(
      "infer_signature", &parse_signature, "text"_a, "Return type (or None) and argument types.");
}

}  // namespace phalanx::bindings
