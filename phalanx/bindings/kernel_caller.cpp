#include "phalanx/bindings/kernel_caller.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <span>
#include <string>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/bind.h"
#include "phalanx/bindings/cpython.h"
#include "phalanx/bindings/gil.h"

namespace nb = nanobind;

namespace phalanx::bindings {

namespace {

struct CallerObject {
  PyObject_HEAD KernelCallerState* state;
};

CallerObject& caller_in(PyObject* self) { return *reinterpret_cast<CallerObject*>(self); }

[[gnu::hot]] KernelCallerState& state_in(PyObject* self) {
  KernelCallerState* const state = caller_in(self).state;
  if (state == nullptr)
    throw TypeError("a KernelCaller was not initialised: call super().__init__(launcher, ...)");
  return *state;
}

PyObject* none() { return nb::none().release().ptr(); }

// The items of a tuple, borrowed; without an allocation where they are few.
class Items {
 public:
  explicit Items(PyObject* tuple) : count_(static_cast<std::size_t>(PyTuple_Size(tuple))) {
    if (count_ > few_.size())
      many_.resize(count_);
    PyObject** const items = many_.empty() ? few_.data() : many_.data();
    for (std::size_t i = 0; i < count_; ++i)
      items[i] = PyTuple_GetItem(tuple, static_cast<Py_ssize_t>(i));
  }

  void pass_to(KernelCall& call) const {
    call.arguments = many_.empty() ? few_.data() : many_.data();
    call.count = count_;
  }

 private:
  std::array<PyObject*, 16> few_;  // of which the first are set
  std::vector<PyObject*> many_;
  std::size_t count_;
};

// Deleted by caller_dealloc. Not set twice: a call may be in progress, by what its arguments do.
int caller_init(PyObject* self, PyObject* args, PyObject* /*kwargs*/) {
  PyObject* const done = guarded([&]() -> PyObject* {
    PyObject* launcher = nullptr;
    PyObject* types = nullptr;
    PyObject* context = nullptr;
    if (PyArg_ParseTuple(args, "OOO", &launcher, &types, &context) == 0)
      return nullptr;
    if (caller_in(self).state != nullptr)
      throw TypeError("a KernelCaller is initialised once");
    if (!nb::isinstance(launcher, nb::module_::import_("phalanx._engine").attr("Launcher")))
      throw TypeError("a KernelCaller is made for a Launcher");
    auto made = std::make_unique<KernelCallerState>();
    made->launcher = nb::borrow(launcher);
    made->context = nb::borrow(context);
    made->changes_extents = has_attribute(self, "_extents_of");
    for (const ir::Type& type : nb::cast<std::vector<ir::Type>>(nb::handle(types)))
      made->parameters.emplace_back(type);
    caller_in(self).state = made.release();
    return none();
  });
  Py_XDECREF(done);
  return done == nullptr ? -1 : 0;
}

// ---- Prepared calls ----

// Which arguments come before the kernel's; the last one of a call may be named `shared_size`.
struct Form {
  const char* function;
  std::span<const char* const> leading;
};

constexpr std::size_t most_leading = 3;

// The place of a named argument; one after the leading ones for `shared_size`.
std::size_t place_of(const Form& form, PyObject* name) {
  for (std::size_t i = 0; i < form.leading.size(); ++i) {
    if (PyUnicode_CompareWithASCIIString(name, form.leading[i]) == 0)
      return i;
  }
  if (PyUnicode_CompareWithASCIIString(name, "shared_size") == 0)
    return form.leading.size();
  throw TypeError(
      std::string(form.function) + "() got an unexpected keyword argument '" +
      nb::cast<std::string>(nb::handle(name)) + "'");
}

// A vectorcall's arguments: the leading ones, what `shared_size` is, and the kernel's.
class Given {
 public:
  Given(const Form& form, PyObject* const* args, Py_ssize_t count, PyObject* names)
      : kernel_(args), kernel_count_(static_cast<std::size_t>(count)) {
    const std::size_t leading = form.leading.size();
    for (std::size_t i = 0; i < leading && kernel_count_ != 0; ++i, --kernel_count_)
      values_[i] = *kernel_++;
    if (names == nullptr && values_[leading - 1].is_valid())
      values_[leading] = no_bytes();
    else
      add_named(form, args + count, names);
  }

  nb::handle operator[](std::size_t i) const { return values_[i]; }

  KernelCall call(nb::handle grid, nb::handle block, nb::handle shared) const {
    return {
        .grid = grid,
        .block = block,
        .stream = Py_None,
        .shared = shared,
        .arguments = kernel_,
        .count = kernel_count_};
  }

  static nb::handle no_bytes() {
    static const nb::handle zero = nb::object(nb::int_(0)).release();
    return zero;
  }

 private:
  void add_named(const Form& form, PyObject* const* values, PyObject* names) {
    const std::size_t leading = form.leading.size();
    const Py_ssize_t named = names == nullptr ? 0 : PyTuple_Size(names);
    for (Py_ssize_t i = 0; i < named; ++i) {
      const std::size_t place = place_of(form, PyTuple_GetItem(names, i));
      if (values_.at(place).is_valid())
        throw TypeError(
            std::string(form.function) + "() got multiple values for argument '" +
            form.leading[place] + "'");
      values_.at(place) = values[i];
    }
    for (std::size_t i = 0; i < leading; ++i) {
      if (!values_.at(i).is_valid())
        throw TypeError(
            std::string(form.function) + "() missing the argument '" + form.leading[i] + "'");
    }
    if (!values_.at(leading).is_valid())
      values_.at(leading) = no_bytes();
  }

  std::array<nb::handle, most_leading + 1> values_;
  PyObject* const* kernel_;
  std::size_t kernel_count_;
};

[[gnu::hot]] PyObject* prepared_call(
    PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  static constexpr std::array<const char*, 2> leading = {"grid", "block"};
  return guarded([&] {
    const Given given({"prepared_call", leading}, args, count, names);
    launch_declared(self, state_in(self), given.call(given[0], given[1], given[2]), true);
    return none();
  });
}

[[gnu::hot]] PyObject* prepared_async_call(
    PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  static constexpr std::array<const char*, 3> leading = {"grid", "block", "stream"};
  return guarded([&] {
    const Given given({"prepared_async_call", leading}, args, count, names);
    KernelCall call = given.call(given[0], given[1], given[3]);
    call.stream = given[2];
    launch_declared(self, state_in(self), call, true);
    return none();
  });
}

PyObject* prepared_call_after(
    PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  static constexpr std::array<const char*, 3> leading = {"before", "grid", "block"};
  return guarded([&] {
    const Given given({"_prepared_call_after", leading}, args, count, names);
    KernelCall call = given.call(given[1], given[2], given[3]);
    call.before = given[0];
    launch_declared(self, state_in(self), call, true);
    return none();
  });
}

// The kernel's arguments are a sequence.
[[gnu::hot]] PyObject* caller_launch(PyObject* self, PyObject* const* args, Py_ssize_t count) {
  return guarded([&]() -> PyObject* {
    if (count != 5)
      throw TypeError("_launch takes a grid, a block, arguments, a stream and a size");
    const auto arguments = nb::steal(PySequence_Tuple(args[2]));
    if (!arguments.is_valid())
      throw nb::python_error();
    const Items items(arguments.ptr());
    KernelCall call = {.grid = args[0], .block = args[1], .stream = args[3], .shared = args[4]};
    items.pass_to(call);
    launch_declared(self, state_in(self), call, true);
    return none();
  });
}

// ---- Calls with names ----

// Made once: the names of a call are these objects, as Python makes each such text only once.
struct CallNames {
  nb::object block = nb::steal(PyUnicode_InternFromString("block"));
  nb::object grid = nb::steal(PyUnicode_InternFromString("grid"));
  nb::object shared = nb::steal(PyUnicode_InternFromString("shared"));
  nb::object stream = nb::steal(PyUnicode_InternFromString("stream"));
  nb::object one_block = nb::make_tuple(1, 1);
};

const CallNames& call_names() {
  static const auto* const made = new CallNames();
  return *made;
}

// False for what Python decides about.
bool take_named(PyObject* kwargs, KernelCall& call) {
  const CallNames& names = call_names();
  PyObject* name = nullptr;
  PyObject* value = nullptr;
  Py_ssize_t position = 0;
  while (kwargs != nullptr && PyDict_Next(kwargs, &position, &name, &value) != 0) {
    if (name == names.block.ptr())
      call.block = value;
    else if (name == names.grid.ptr())
      call.grid = value;
    else if (name == names.shared.ptr())
      call.shared = value;
    else if (name == names.stream.ptr())
      call.stream = value;
    else
      return false;
  }
  return call.block.is_valid() && !call.block.is_none();
}

// Copies to and from arrays of the host, and what is wrong, are Python's: `self._call`.
[[gnu::hot]] PyObject* caller_call(PyObject* self, PyObject* args, PyObject* kwargs) {
  return guarded([&]() -> PyObject* {
    KernelCall call = {
        .grid = call_names().one_block, .stream = Py_None, .shared = Given::no_bytes()};
    const Items items(args);
    items.pass_to(call);
    if (take_named(kwargs, call) && launch_declared(self, state_in(self), call, false))
      return none();
    const nb::object in_python = nb::handle(self).attr("_call");
    return outlive([&] { return PyObject_Call(in_python.ptr(), args, kwargs); });
  });
}

PyObject* caller_forget(PyObject* self, PyObject* /*unused*/) {
  return guarded([&] {
    KernelCallerState& state = state_in(self);
    LastConfiguration dropped;  // after the lock
    const nb::ft_lock_guard lock(state.mutex);
    std::swap(dropped, state.last);
    return none();
  });
}

// ---- The type ----

int caller_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (const KernelCallerState* state = caller_in(self).state) {
    const LastConfiguration& last = state->last;
    const std::array held = {
        state->launcher.ptr(),
        state->context.ptr(),
        last.grid.ptr(),
        last.block.ptr(),
        last.stream.ptr(),
        last.configured.ptr()};
    for (PyObject* each : held) Py_VISIT(each);
  }
  return 0;
}

// The launcher stays: a call that comes from a finalizer needs it.
int caller_clear(PyObject* self) {
  if (KernelCallerState* state = caller_in(self).state)
    const LastConfiguration dropped = std::exchange(state->last, {});
  return 0;
}

void caller_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  delete std::exchange(caller_in(self).state, nullptr);
  free_object(self);
}

template <typename Method>
constexpr PyCFunction as_method(Method* method) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(method));
}

PyMethodDef methods[] = {
    {"prepared_call",
     as_method(prepared_call),
     METH_FASTCALL | METH_KEYWORDS,
     "Launches the kernel: prepared_call(grid, block, *args, shared_size=0)."},
    {"prepared_async_call",
     as_method(prepared_async_call),
     METH_FASTCALL | METH_KEYWORDS,
     "Launches it on a stream: prepared_async_call(grid, block, stream, *args, shared_size=0)."},
    {"_prepared_call_after",
     as_method(prepared_call_after),
     METH_FASTCALL | METH_KEYWORDS,
     "prepared_call after a function, called when the arguments are converted, which comes first."},
    {"_forget_configuration",
     caller_forget,
     METH_NOARGS,
     "The next call asks the context, and makes its launch configuration anew."},
    {"_launch",
     as_method(caller_launch),
     METH_FASTCALL,
     "Launches the kernel: _launch(grid, block, args, stream, shared_size)."},
    {nullptr, nullptr, 0, nullptr}};

PyType_Slot slots[] = {
    {Py_tp_doc, const_cast<char*>("Calls of a kernel whose parameters have declared types.")},
    {Py_tp_init, reinterpret_cast<void*>(caller_init)},
    {Py_tp_call, reinterpret_cast<void*>(caller_call)},
    {Py_tp_traverse, reinterpret_cast<void*>(caller_traverse)},
    {Py_tp_clear, reinterpret_cast<void*>(caller_clear)},
    {Py_tp_dealloc, reinterpret_cast<void*>(caller_dealloc)},
    {Py_tp_methods, methods},
    {0, nullptr}};

PyType_Spec spec = {
    "phalanx._engine.KernelCaller",
    sizeof(CallerObject),
    0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    slots};

}  // namespace

void bind_kernel_caller(nb::module_& module) {
  nb::object type = nb::steal(PyType_FromSpec(&spec));
  if (!type.is_valid())
    throw nb::python_error();
  module.attr("KernelCaller") = type;
}

}  // namespace phalanx::bindings
