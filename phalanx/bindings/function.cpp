#include "phalanx/bindings/function.h"

#include <nanobind/stl/string.h>
#include <structmember.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/bind.h"
#include "phalanx/bindings/context.h"
#include "phalanx/ir/parser.h"
#include "phalanx/runtime/function_call.h"

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace)

namespace phalanx::bindings {

namespace {

constexpr unsigned long has_vectorcall = 1UL << 11;
constexpr std::size_t offset_flag = std::size_t{1} << (8 * sizeof(std::size_t) - 1);
constexpr std::size_t stack_bytes = 512;  // of parameters or of a result

FunctionObject& function_in(PyObject* self) { return *reinterpret_cast<FunctionObject*>(self); }

FunctionState& state_in(PyObject* self) {
  FunctionState*& state = function_in(self).state;
  if (state == nullptr)
    state = new FunctionState();  // deleted by function_dealloc
  return *state;
}

template <typename Body>
PyObject* guarded(const Body& body) noexcept {
  try {
    return body();
  } catch (...) {
    set_python_error();
    return nullptr;
  }
}

// Bytes on the stack, or on the heap where there are many.
class Bytes {
 public:
  explicit Bytes(std::size_t count) {
    if (count > stack_bytes)
      large_.resize(count);
  }
  std::byte* data() { return large_.empty() ? small_.data() : large_.data(); }

 private:
  alignas(16) std::array<std::byte, stack_bytes> small_;
  std::vector<std::byte> large_;
};

bool has_arrays(const ir::Type& type) {
  if (!type.is_tuple())
    return type.is_array();
  return std::ranges::any_of(
      type.fields(), [](const ir::Field& field) { return has_arrays(field.type); });
}

std::shared_ptr<const FunctionCode> make_code(
    PyObject* self, std::span<const jit::Argument> arguments) {
  auto plan = state_of_launcher(self).plan_for(self, arguments);
  if (!plan->kernel().is_function())
    throw TypeError("_compile of " + plan->kernel().name() + " must return a function's Kernel");
  auto code = std::make_shared<FunctionCode>();
  {
    const nb::gil_scoped_release no_gil;
    code->executable = plan->kernel().executable(engine().runtime().cpu(), {});
  }
  flush_warnings();
  const ir::Type result = ir::parse_type(code->executable->binary().result);
  code->result = ResultPlan(result);
  code->has_arrays = has_arrays(result);
  code->plan = std::move(plan);
  return code;
}

std::shared_ptr<const FunctionCode> code_for(
    PyObject* self, std::span<const jit::Argument> arguments) {
  FunctionState& state = state_in(self);
  const std::uint64_t generation = state_of_launcher(self).generation();
  if (state.generation != generation) {
    state.codes.clear();
    state.generation = generation;
  }
  for (auto& code : state.codes) {
    if (code->plan->fits(arguments)) {
      std::swap(code, state.codes.front());
      return state.codes.front();
    }
  }
  auto made = make_code(self, arguments);
  if (state.generation == generation)
    state.codes.insert(state.codes.begin(), made);
  return made;
}

// Arrays in a GPU's memory cannot be read here.
void check_arrays(const FunctionCode& code, std::span<const jit::Argument> arguments) {
  for (const std::uint32_t row : code.plan->arrays()) {
    const jit::Argument& argument = arguments[row];
    const bool is_reached =
        argument.device == nullptr || argument.device->kind() == DeviceKind::cpu ||
        (argument.device_array != nullptr && argument.device_array->host != nullptr);
    if (!is_reached)
      throw TypeError(
          code.plan->kernel().name() +
          "(): an array argument lies in a GPU's memory; copy it to the host first");
  }
}

// `objects` makes the tuple of the arguments, which few calls need.
template <typename Objects>
PyObject* run(PyObject* self, Arguments& arguments, const Objects& objects) {
  const std::span<jit::Argument> rows = arguments.rows();
  // Held on to: another thread may forget the code meanwhile.
  const std::shared_ptr<const FunctionCode> code = code_for(self, rows);
  check_arrays(*code, rows);
  const jit::Plan& plan = *code->plan;
  Bytes parameters(plan.parameter_bytes());
  Bytes result(code->result.bytes());
  plan.pack(rows, parameters.data());
  std::byte* const place = result.data();
  const std::size_t offset = plan.kernel().layout().slots.back().offset;
  std::memcpy(parameters.data() + offset, &place, sizeof(place));
  ErrorLog errors;
  runtime::FunctionCall call;
  runtime::Device& cpu = engine().runtime().cpu();
  if (state_in(self).releases_gil) {
    const nb::gil_scoped_release no_gil;
    call.run(cpu, *code->executable, parameters.data(), errors);
  } else {
    call.run(cpu, *code->executable, parameters.data(), errors);
  }
  if (const std::uint32_t raised = errors.records[0].site; raised != 0) {
    const FaultSite& site = code->executable->binary().fault_sites.at(raised - 1);
    nb::handle(self).attr("_raise")(to_string(site));
    throw nb::python_error();
  }
  if (!code->has_arrays) {
    ResultSources sources = {self, call, nb::handle(), nullptr};
    return code->result.make(place, sources).release().ptr();
  }
  const nb::object given = objects();
  ResultSources sources = {self, call, given, code->executable};
  return code->result.make(place, sources).release().ptr();
}

// Arguments with names, defaults or a `*rest`, which Python's `_bind` has put in order.
PyObject* run_bound(PyObject* self, const nb::object& bound) {
  const auto count = static_cast<std::size_t>(PyTuple_Size(bound.ptr()));
  Arguments arguments(count, self);
  for (std::size_t i = 0; i < count; ++i)
    arguments.add(PyTuple_GetItem(bound.ptr(), static_cast<Py_ssize_t>(i)));
  return run(self, arguments, [&] { return bound; });
}

PyObject* function_call(PyObject* self, PyObject* args, PyObject* kwargs) {
  return guarded([&] {
    const Py_ssize_t count = PyTuple_Size(args);
    const bool has_names = kwargs != nullptr && PyDict_Size(kwargs) != 0;
    if (has_names || count != state_in(self).arity) {
      const nb::dict named = kwargs == nullptr ? nb::dict() : nb::borrow<nb::dict>(kwargs);
      return run_bound(self, nb::handle(self).attr("_bind")(nb::handle(args), named));
    }
    Arguments arguments(static_cast<std::size_t>(count), self);
    for (Py_ssize_t i = 0; i < count; ++i) arguments.add(PyTuple_GetItem(args, i));
    return run(self, arguments, [&] { return nb::borrow(args); });
  });
}

PyObject* function_vectorcall(
    PyObject* self, PyObject* const* args, std::size_t flagged_count, PyObject* names) {
  return guarded([&] {
    const auto count = static_cast<Py_ssize_t>(flagged_count & ~offset_flag);
    const bool has_names = names != nullptr && PyTuple_Size(names) != 0;
    if (!has_names && count == state_in(self).arity) {
      Arguments arguments(static_cast<std::size_t>(count), self);
      for (Py_ssize_t i = 0; i < count; ++i) arguments.add(args[i]);
      return run(self, arguments, [&] {
        nb::list objects;
        for (Py_ssize_t i = 0; i < count; ++i) objects.append(nb::borrow(args[i]));
        return nb::object(nb::tuple(objects));
      });
    }
    return run_bound(self, in_order(self, args, static_cast<std::size_t>(count), names));
  });
}

PyObject* function_subscript(PyObject* self, PyObject* /*configuration*/) {
  return PyErr_Format(
      PyExc_TypeError, "%R is a CPU function: it is called, and has no launch configuration", self);
}

// The launcher's part was set up by its own __init__.
PyObject* function_set_calling(PyObject* self, PyObject* args) {
  return guarded([&]() -> PyObject* {
    int releases_gil = 0;
    FunctionState& state = state_in(self);
    if (PyArg_ParseTuple(args, "np", &state.arity, &releases_gil) == 0)
      return nullptr;
    state.releases_gil = releases_gil != 0;
    function_in(self).vectorcall = function_vectorcall;
    Py_INCREF(Py_None);
    return Py_None;
  });
}

PyObject* function_bind(PyObject* self, PyObject* /*args*/) {
  return PyErr_Format(PyExc_TypeError, "%R takes positional arguments only", self);
}

void function_dealloc(PyObject* self) {
  delete std::exchange(function_in(self).state, nullptr);
  dealloc_launcher(self);
}

PyMethodDef methods[] = {
    {"_set_calling",
     function_set_calling,
     METH_VARARGS,
     "Number of parameters (-1: bind each call), and whether calls release the GIL."},
    {"_bind", function_bind, METH_VARARGS, "The arguments of a call, in order."},
    {nullptr, nullptr, 0, nullptr}};

PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(FunctionObject, vectorcall), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};

PyType_Slot slots[] = {
    {Py_tp_doc, const_cast<char*>("A function that is compiled for the types it is called with.")},
    {Py_tp_call, reinterpret_cast<void*>(function_call)},
    {Py_tp_dealloc, reinterpret_cast<void*>(function_dealloc)},
    {Py_mp_subscript, reinterpret_cast<void*>(function_subscript)},
    {Py_tp_methods, methods},
    {Py_tp_members, members},
    {0, nullptr}};

// The garbage collector's part is inherited whole: nothing here holds Python objects.
PyType_Spec spec = {
    "phalanx._engine.Function",
    sizeof(FunctionObject),
    0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | has_vectorcall,
    slots};

}  // namespace

void bind_function(nb::module_& module) {
  const nb::tuple bases = nb::make_tuple(nb::object(module.attr("Launcher")));
  nb::object type = nb::steal(PyType_FromSpecWithBases(&spec, bases.ptr()));
  if (!type.is_valid())
    throw nb::python_error();
  module.attr("Function") = type;
}

}  // namespace phalanx::bindings
