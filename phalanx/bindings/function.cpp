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
#include "phalanx/bindings/compile_thread.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/cpython.h"
#include "phalanx/bindings/gil.h"
#include "phalanx/bindings/made_once.h"
#include "phalanx/ir/lists.h"
#include "phalanx/ir/parser.h"
#include "phalanx/runtime/function_call.h"

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace)

namespace phalanx::bindings {

namespace {

constexpr std::size_t stack_bytes = 512;  // of parameters or of a result

FunctionObject& function_in(PyObject* self) { return *reinterpret_cast<FunctionObject*>(self); }

// Deleted by function_dealloc.
FunctionState& state_in(PyObject* self) { return made_in(function_in(self).state); }

// Calls the function by `body(is_ready)`. Where that ends before the code is ready, because the
// arguments or the source are refused, `call(fallback, error)` may do it another way.
template <typename Body, typename Call>
PyObject* called(PyObject* self, const Body& body, const Call& call) noexcept {
  bool is_ready = false;
  PyObject* const result = guarded([&] { return body(is_ready); });
  if (result != nullptr || is_ready || !state_in(self).falls_back)
    return result;
  return guarded([&]() -> PyObject* {
    const nb::object error = take_error();
    return outlive([&] { return call(nb::handle(self).attr("_fall_back"), error); })
        .release()
        .ptr();
  });
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

// Arrays, or lists that were arguments: the objects of the arguments are needed.
bool has_arrays(const ir::Type& type) {
  if (ir::is_list(type))
    return has_arrays(ir::list_element(type));
  if (!type.is_tuple())
    return type.is_array();
  return type.name() == ir::reflected_name ||
         std::ranges::any_of(
             type.fields(), [](const ir::Field& field) { return has_arrays(field.type); });
}

std::shared_ptr<const FunctionCode> make_code(
    PyObject* self, std::span<const jit::Argument> arguments) {
  auto plan = state_of_launcher(self).dispatch()->plan_for(arguments);
  if (!plan->kernel().is_function())
    throw TypeError("_compile of " + plan->kernel().name() + " must return a function's Kernel");
  auto code = std::make_shared<FunctionCode>();
  code->executable = executable_of(plan->kernel(), plan, engine().runtime().cpu(), {});
  const ir::Type result = ir::parse_type(code->executable->entry().result);
  code->result = ResultPlan(result);
  code->has_arrays = has_arrays(result);
  code->has_lists = result.is_tuple() && result.name() == ir::reflected_name;
  code->plan = std::move(plan);
  return code;
}

// Null if there is none yet, or not of that generation.
std::shared_ptr<const FunctionCode> known_code(
    FunctionState& state, std::uint64_t generation, std::span<const jit::Argument> arguments) {
  std::vector<std::shared_ptr<const FunctionCode>> dropped;  // after the lock: Python may run
  const nb::ft_lock_guard lock(state.mutex);
  if (state.generation < generation) {
    dropped.swap(state.codes);
    state.generation = generation;
  }
  if (state.generation != generation)
    return nullptr;
  for (auto& code : state.codes) {
    if (code->plan->fits(arguments)) {
      std::swap(code, state.codes.front());
      return state.codes.front();
    }
  }
  return nullptr;
}

std::shared_ptr<const FunctionCode> code_for(
    PyObject* self, std::span<const jit::Argument> arguments) {
  FunctionState& state = state_in(self);
  const std::uint64_t generation = state_of_launcher(self).dispatch()->generation();
  if (auto known = known_code(state, generation, arguments))
    return known;
  auto made = make_code(self, arguments);
  const nb::ft_lock_guard lock(state.mutex);
  const auto has_plan = [&](const auto& code) { return code->plan == made->plan; };
  // Another thread may have made the same meanwhile.
  if (state.generation == generation && std::ranges::none_of(state.codes, has_plan))
    state.codes.insert(state.codes.begin(), made);
  return made;
}

// Arrays in a GPU's memory cannot be read here.
void check_arrays(const FunctionCode& code, std::span<const jit::Argument> arguments) {
  for (const std::uint32_t row : code.plan->arrays()) {
    const jit::Argument& argument = arguments[row];
    const bool is_reached =
        argument.device == nullptr || argument.device->is_host() ||
        (argument.device_array != nullptr && argument.device_array->host != nullptr);
    if (!is_reached)
      throw TypeError(
          code.plan->kernel().name() +
          "(): an array argument lies in a GPU's memory; copy it to the host first");
  }
}

// `objects` makes the tuple of the arguments, which few calls need.
template <typename Objects>
PyObject* run(PyObject* self, Arguments& arguments, bool& is_ready, const Objects& objects) {
  const std::span<jit::Argument> rows = arguments.rows();
  // Held on to: another thread may forget the code meanwhile.
  const std::shared_ptr<const FunctionCode> code = code_for(self, rows);
  const nb::object given = code->has_arrays ? objects() : nb::object();
  is_ready = true;
  check_arrays(*code, rows);
  const jit::Plan& plan = *code->plan;
  Bytes parameters(plan.parameter_bytes());
  Bytes result(code->result.bytes());
  runtime::Device& cpu = engine().runtime().cpu();
  plan.pack(rows, parameters.data(), cpu);
  std::byte* const address = result.data();
  if (code->has_lists)
    std::fill_n(address, code->result.bytes(), std::byte{0});
  const std::size_t offset = plan.kernel().layout().slots.back().offset;
  std::memcpy(parameters.data() + offset, &address, sizeof(address));
  ErrorLog errors;
  runtime::FunctionCall call;
  if (state_in(self).releases_gil) {
    const GilReleased no_gil;
    call.run(cpu, *code->executable, parameters.data(), errors);
  } else {
    call.run(cpu, *code->executable, parameters.data(), errors);
  }
  ResultSources sources = {
      self, call, given, arguments, code->has_arrays ? code->executable : nullptr};
  if (const std::uint32_t raised = errors.records[0].site; raised != 0) {
    if (code->has_lists)
      code->result.reflect(address, sources);
    const FaultSite& site = code->executable->binary().fault_sites.at(raised - 1);
    outlive([&] {
      const auto& raise = std::get<Raise>(site.what);
      nb::handle(self).attr("_raise")(
          location_of(site), raise.type, raise.message, numbers_of(errors.records[0]));
    });
    throw nb::python_error();
  }
  return code->result.make(address, sources).release().ptr();
}

// Arguments with names, defaults or a `*rest`, which Python's `_bind` has put in order.
PyObject* run_bound(PyObject* self, const nb::object& bound, bool& is_ready) {
  const auto count = static_cast<std::size_t>(PyTuple_Size(bound.ptr()));
  Arguments arguments(count, self, Callee::function);
  for (std::size_t i = 0; i < count; ++i)
    arguments.add(PyTuple_GetItem(bound.ptr(), static_cast<Py_ssize_t>(i)));
  return run(self, arguments, is_ready, [&] { return bound; });
}

// True if the code takes this number of arguments without names; it knows the defaults.
bool is_in_order(PyObject* self, Py_ssize_t count) {
  const FunctionState& state = state_in(self);
  return state.least <= count && count <= state.arity;
}

// A call with all arguments in a tuple and a dictionary.
PyObject* call_with(PyObject* self, const nb::object& args, const nb::dict& named, bool& is_ready) {
  const Py_ssize_t count = PyTuple_Size(args.ptr());
  if (PyDict_Size(named.ptr()) != 0 || !is_in_order(self, count))
    return run_bound(
        self, outlive([&] { return nb::handle(self).attr("_bind")(args, named); }), is_ready);
  return run_bound(self, args, is_ready);
}

PyTypeObject*& function_type() {
  static PyTypeObject* type = nullptr;  // set by bind_function
  return type;
}

// An argument as the other compiler knows it.
nb::object as_counterpart(nb::handle argument) {
  const bool is_function = PyType_IsSubtype(Py_TYPE(argument.ptr()), function_type()) != 0;
  return is_function ? nb::object(argument.attr("counterpart")) : nb::borrow(argument);
}

// A copy, as its call may replace it.
Substitute substitute_in(FunctionState& state) {
  if (!state.is_handed_over.load(std::memory_order_relaxed))
    return {};
  const nb::ft_lock_guard lock(state.mutex);
  return state.substitute;
}

// A call of what a function was handed over to; `named` may be invalid.
PyObject* call_substitute(const Substitute& substitute, nb::object given, nb::object named) {
  return outlive([&] {
    if (substitute.takes_counterparts) {
      nb::list counterparts;
      for (const nb::handle each : given) counterparts.append(as_counterpart(each));
      given = nb::tuple(counterparts);
      nb::dict named_counterparts;
      for (const auto [name, value] : named.is_valid() ? nb::borrow<nb::dict>(named) : nb::dict())
        named_counterparts[name] = as_counterpart(value);
      named = named_counterparts;
    }
    return PyObject_Call(substitute.callable.ptr(), given.ptr(), named.ptr());
  });
}

PyObject* function_call(PyObject* self, PyObject* args, PyObject* kwargs) {
  if (const Substitute known = substitute_in(state_in(self)); known.callable.is_valid())
    return guarded([&] { return call_substitute(known, nb::borrow(args), nb::borrow(kwargs)); });
  const nb::object given = nb::borrow(args);
  const nb::dict named = kwargs == nullptr ? nb::dict() : nb::borrow<nb::dict>(kwargs);
  return called(
      self,
      [&](bool& is_ready) { return call_with(self, given, named, is_ready); },
      [&](const nb::object& fallback, const nb::object& error) {
        return fallback(error, given, named);
      });
}

nb::tuple tuple_of(PyObject* const* args, Py_ssize_t count) {
  nb::list objects;
  for (Py_ssize_t i = 0; i < count; ++i) objects.append(nb::borrow(args[i]));
  return nb::tuple(objects);
}

// The arguments with names of a vectorcall, whose values follow those without.
nb::dict named_of(PyObject* const* values, PyObject* names) {
  nb::dict named;
  const Py_ssize_t count = names == nullptr ? 0 : PyTuple_Size(names);
  for (Py_ssize_t i = 0; i < count; ++i)
    named[nb::handle(PyTuple_GetItem(names, i))] = nb::borrow(values[i]);
  return named;
}

PyObject* call_vector(
    PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names, bool& is_ready) {
  const bool has_names = names != nullptr && PyTuple_Size(names) != 0;
  if (has_names || !is_in_order(self, count))
    return run_bound(self, in_order(self, args, static_cast<std::size_t>(count), names), is_ready);
  Arguments arguments(static_cast<std::size_t>(count), self, Callee::function);
  for (Py_ssize_t i = 0; i < count; ++i) arguments.add(args[i]);
  return run(self, arguments, is_ready, [&] { return nb::object(tuple_of(args, count)); });
}

PyObject* function_vectorcall(
    PyObject* self, PyObject* const* args, std::size_t flagged_count, PyObject* names) {
  const auto count = static_cast<Py_ssize_t>(flagged_count & ~offset_flag);
  if (const Substitute known = substitute_in(state_in(self)); known.callable.is_valid()) {
    return guarded([&] {
      nb::object named = names == nullptr ? nb::object() : named_of(args + count, names);
      return call_substitute(known, tuple_of(args, count), std::move(named));
    });
  }
  return called(
      self,
      [&](bool& is_ready) { return call_vector(self, args, count, names, is_ready); },
      [&](const nb::object& fallback, const nb::object& error) {
        return fallback(error, tuple_of(args, count), named_of(args + count, names));
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
    int falls_back = 0;
    FunctionState& state = state_in(self);
    if (PyArg_ParseTuple(args, "nnp|p", &state.arity, &state.least, &releases_gil, &falls_back) ==
        0)
      return nullptr;
    state.releases_gil = releases_gil != 0;
    state.falls_back = falls_back != 0;
    function_in(self).vectorcall = function_vectorcall;
    Py_INCREF(Py_None);
    return Py_None;
  });
}

// From now on calls go to another callable.
PyObject* function_hand_over(PyObject* self, PyObject* args) {
  return guarded([&]() -> PyObject* {
    PyObject* substitute = nullptr;
    int takes_counterparts = 0;
    if (PyArg_ParseTuple(args, "Op", &substitute, &takes_counterparts) == 0)
      return nullptr;
    Substitute changed = {
        substitute == Py_None ? nb::object() : nb::borrow(substitute), takes_counterparts != 0};
    FunctionState& state = state_in(self);
    const nb::ft_lock_guard lock(state.mutex);
    std::swap(state.substitute, changed);
    state.is_handed_over = state.substitute.callable.is_valid();
    Py_INCREF(Py_None);
    return Py_None;
  });
}

PyObject* function_bind(PyObject* self, PyObject* /*args*/) {
  return PyErr_Format(PyExc_TypeError, "%R takes positional arguments only", self);
}

int function_traverse(PyObject* self, visitproc visit, void* arg) {
  if (const FunctionState* state = function_in(self).state)
    Py_VISIT(state->substitute.callable.ptr());
  return traverse_launcher(self, visit, arg);
}

int function_clear(PyObject* self) {
  if (FunctionState* state = function_in(self).state)
    const Substitute dropped = std::exchange(state->substitute, {});
  return clear_launcher(self);
}

void function_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);  // dropping the substitute may run Python, and a collection
  delete std::exchange(function_in(self).state, nullptr);
  dealloc_launcher(self);
}

PyMethodDef methods[] = {
    {"_set_calling",
     function_set_calling,
     METH_VARARGS,
     "Number of parameters (-1: bind each call), of those without default, whether calls release "
     "the GIL, and whether those "
     "that cannot be compiled go to _fall_back(error, args, named)."},
    {"_hand_over",
     function_hand_over,
     METH_VARARGS,
     "Lets another callable answer all calls, and whether it gets the counterparts of functions."},
    {"_bind", function_bind, METH_VARARGS, "The arguments of a call, in order."},
    {nullptr, nullptr, 0, nullptr}};

PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(FunctionObject, vectorcall), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};

PyType_Slot slots[] = {
    {Py_tp_doc, const_cast<char*>("A function that is compiled for the types it is called with.")},
    {Py_tp_call, reinterpret_cast<void*>(function_call)},
    {Py_tp_traverse, reinterpret_cast<void*>(function_traverse)},
    {Py_tp_clear, reinterpret_cast<void*>(function_clear)},
    {Py_tp_dealloc, reinterpret_cast<void*>(function_dealloc)},
    {Py_mp_subscript, reinterpret_cast<void*>(function_subscript)},
    {Py_tp_methods, methods},
    {Py_tp_members, members},
    {0, nullptr}};

PyType_Spec spec = {
    "phalanx._engine.Function",
    sizeof(FunctionObject),
    0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC | has_vectorcall,
    slots};

}  // namespace

void bind_function(nb::module_& module) {
  const nb::tuple bases = nb::make_tuple(nb::object(module.attr("Launcher")));
  nb::object type = nb::steal(PyType_FromSpecWithBases(&spec, bases.ptr()));
  if (!type.is_valid())
    throw nb::python_error();
  module.attr("Function") = type;
  function_type() = reinterpret_cast<PyTypeObject*>(type.release().ptr());
}

}  // namespace phalanx::bindings
