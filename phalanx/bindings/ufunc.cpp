// Makes NumPy's ufuncs whose inner loops are compiled here.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/bind.h"
#include "phalanx/bindings/keywords.h"
#include "phalanx/bindings/numpy_ufunc.h"
#include "phalanx/bindings/ufunc_loop.h"

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace)

namespace phalanx::bindings {

namespace {

// What a NumPy ufunc points into.
struct UfuncCode {
  UfuncCode() = default;
  UfuncCode(UfuncCode&&) = default;
  UfuncCode(const UfuncCode&) = delete;
  UfuncCode& operator=(const UfuncCode&) = delete;
  UfuncCode& operator=(UfuncCode&&) = delete;
  ~UfuncCode() = default;

  std::shared_ptr<UfuncLayout> layout;
  std::vector<std::unique_ptr<UfuncLoop>> loops;
  std::vector<NumpyLoop> functions;
  std::vector<void*> data;
  std::string types;
  NumpyUfuncParts parts;
};

int traverse_code(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self))
    return 0;
  for (const auto& loop : nb::inst_ptr<UfuncCode>(self)->loops) {
    if (const int stop = loop->traverse(visit, arg); stop != 0)
      return stop;
  }
  return 0;
}

int clear_code(PyObject* self) {
  if (nb::inst_ready(self)) {
    for (const auto& loop : nb::inst_ptr<UfuncCode>(self)->loops) loop->clear();
  }
  return 0;
}

const PyType_Slot code_slots[] = {
    {Py_tp_traverse, reinterpret_cast<void*>(traverse_code)},
    {Py_tp_clear, reinterpret_cast<void*>(clear_code)},
    {0, nullptr}};

std::shared_ptr<UfuncLayout> make_layout(
    std::vector<std::vector<std::size_t>> cores, std::size_t inputs) {
  if (cores.size() > UfuncLoop::most_operands)
    throw ValueError(
        "a ufunc has at most " + std::to_string(UfuncLoop::most_operands) + " operands, not " +
        std::to_string(cores.size()));
  auto layout = std::make_shared<UfuncLayout>();
  layout->steps = cores.size();
  for (const auto& core : cores) {
    layout->steps += core.size();
    for (const std::size_t each : core) layout->dimensions = std::max(layout->dimensions, each + 1);
  }
  layout->cores = std::move(cores);
  layout->inputs = inputs;
  return layout;
}

// `rows` of (NumPy's type numbers, bytes of an item of each operand, compile, raise_site); see
// UfuncLoop for the last two.
void add_loops(UfuncCode& code, const nb::list& rows) {
  for (const nb::handle row : rows) {
    const auto numbers = nb::cast<nb::bytes>(row[0]);
    code.types.append(numbers.c_str(), numbers.size());
    code.loops.push_back(std::make_unique<UfuncLoop>(
        code.layout,
        nb::cast<std::vector<std::int64_t>>(row[1]),
        nb::object(row[2]),
        nb::object(row[3])));
    code.functions.push_back(&UfuncLoop::run);
    code.data.push_back(code.loops.back().get());
  }
}

nb::object make_ufunc(
    std::string name,
    std::vector<std::vector<std::size_t>> cores,
    std::size_t inputs,
    const nb::list& loops,
    const nb::kwargs& given) {
  const auto outputs = static_cast<int>(cores.size() - inputs);
  nb::object owner = nb::cast(UfuncCode(), nb::rv_policy::move);
  auto& code = nb::cast<UfuncCode&>(owner);
  code.layout = make_layout(std::move(cores), inputs);
  add_loops(code, loops);
  code.parts = {
      .loops = code.functions.data(),
      .data = code.data.data(),
      .types = code.types.data(),
      .count = static_cast<int>(code.loops.size()),
      .inputs = static_cast<int>(inputs),
      .outputs = outputs,
      .name = std::move(name)};
  Keywords keywords("make_ufunc", given);
  keywords.take("doc", code.parts.doc);
  keywords.take("signature", code.parts.signature);
  keywords.take("identity", code.parts.identity);
  keywords.take("may_split", code.layout->may_split);
  keywords.take("is_written_apart", code.layout->is_written_apart);
  keywords.refuse_others();
  code.layout->is_elementwise = code.parts.signature.empty();
  return make_numpy_ufunc(code.parts, owner);
}

}  // namespace

void bind_ufunc(nb::module_& module) {
  nb::class_<UfuncCode>(module, "UfuncCode", nb::type_slots(code_slots));
  module.def(
      "make_ufunc",
      &make_ufunc,
      "name"_a,
      "cores"_a,
      "inputs"_a,
      "loops"_a,
      "options"_a,
      "A ufunc of NumPy; `options`: doc, signature, identity, may_split, is_written_apart.");
}

}  // namespace phalanx::bindings
