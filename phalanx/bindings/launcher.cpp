#include "phalanx/bindings/launcher.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <structmember.h>

#include <optional>
#include <string>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/bind.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/cpython.h"
#include "phalanx/bindings/gil.h"

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace)

namespace phalanx::bindings {

namespace {

PyObject* none() {
  Py_INCREF(Py_None);
  return Py_None;
}

template <typename Object>
Object& as(PyObject* self) {
  return *reinterpret_cast<Object*>(self);
}

// ---- Launcher ----

int launcher_init(PyObject* self, PyObject* args, PyObject* kwargs) {
  const char* name = nullptr;
  static const char* const names[] = {"name", nullptr};
  if (PyArg_ParseTupleAndKeywords(args, kwargs, "s", const_cast<char**>(names), &name) == 0)
    return -1;
  PyObject* const done = guarded([&] {
    delete std::exchange(as<LauncherObject>(self).state, new LauncherState(self, name));
    return none();
  });
  Py_XDECREF(done);
  return done == nullptr ? -1 : 0;
}

PyObject* launcher_subscript(PyObject* self, PyObject* configuration) {
  return guarded([&] {
    LauncherState& state = state_of_launcher(self);
    if (nb::object known = state.recent(configuration); known.is_valid())
      return known.release().ptr();
    nb::object made = make_configured(self, configuration);
    state.remember(configuration, made.ptr());
    return made.release().ptr();
  });
}

PyObject* launcher_compile(PyObject* self, PyObject* /*types*/) {
  return PyErr_Format(PyExc_NotImplementedError, "%R does not say how it is compiled", self);
}

PyObject* launcher_set_signatures(PyObject* self, PyObject* signatures) {
  return guarded([&] {
    auto list = nb::cast<std::vector<jit::Signature>>(nb::handle(signatures));
    state_of_launcher(self).set_signatures(std::move(list));
    return none();
  });
}

PyObject* launcher_set_advises(PyObject* self, PyObject* advises) {
  return guarded([&] {
    state_of_launcher(self).dispatch()->set_advises(nb::cast<bool>(nb::handle(advises)));
    return none();
  });
}

PyObject* launcher_kernel_for(PyObject* self, PyObject* types) {
  return guarded([&] {
    const auto list = nb::cast<std::vector<ir::Type>>(nb::handle(types));
    return state_of_launcher(self).kernel_for(list).release().ptr();
  });
}

PyObject* launcher_kernels(PyObject* self, PyObject* /*unused*/) {
  return guarded([&] { return state_of_launcher(self).kernels().release().ptr(); });
}

PyObject* launcher_forget(PyObject* self, PyObject* /*unused*/) {
  return guarded([&] {
    state_of_launcher(self).forget();
    return none();
  });
}

PyMethodDef launcher_methods[] = {
    {"_compile", launcher_compile, METH_O, "The Kernel for a tuple of argument types."},
    {"set_signatures", launcher_set_signatures, METH_O, "Declares the only signatures there are."},
    {"set_advises", launcher_set_advises, METH_O, "Whether small grids are warned of."},
    {"kernel_for", launcher_kernel_for, METH_O, "The kernel for these types, compiled once."},
    {"kernels", launcher_kernels, METH_NOARGS, "Pairs of types and kernel."},
    {"forget", launcher_forget, METH_NOARGS, "Drops all kernels."},
    {nullptr, nullptr, 0, nullptr}};

PyType_Slot launcher_slots[] = {
    {Py_tp_doc,
     const_cast<char*>("A function that is compiled for the types it is launched with.")},
    {Py_tp_init, reinterpret_cast<void*>(launcher_init)},
    {Py_tp_traverse, reinterpret_cast<void*>(traverse_launcher)},
    {Py_tp_clear, reinterpret_cast<void*>(clear_launcher)},
    {Py_tp_dealloc, reinterpret_cast<void*>(dealloc_launcher)},
    {Py_mp_subscript, reinterpret_cast<void*>(launcher_subscript)},
    {Py_tp_methods, launcher_methods},
    {0, nullptr}};

PyType_Spec launcher_spec = {
    "phalanx._engine.Launcher",
    sizeof(LauncherObject),
    0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    launcher_slots};

// ---- Configured ----

// For callers that do not use vectorcall.
PyObject* configured_call(PyObject* self, PyObject* args, PyObject* kwargs) {
  std::vector<PyObject*> items;
  for (Py_ssize_t i = 0; i < PyTuple_Size(args); ++i) items.push_back(PyTuple_GetItem(args, i));
  const std::size_t count = items.size();
  nb::list names;
  if (kwargs != nullptr) {
    for (const auto& [name, value] : nb::borrow<nb::dict>(kwargs)) {
      names.append(name);
      items.push_back(value.ptr());
    }
  }
  return call_configured(self, items.data(), count, nb::tuple(names).ptr());
}

int configured_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(as<ConfiguredObject>(self).launcher);
  if (const ConfiguredState* state = as<ConfiguredObject>(self).state)
    Py_VISIT(state->before_launch.load());
  return 0;
}

int configured_clear(PyObject* self) {
  Py_CLEAR(as<ConfiguredObject>(self).launcher);
  if (ConfiguredState* state = as<ConfiguredObject>(self).state)
    Py_XDECREF(state->before_launch.exchange(nullptr));
  return 0;
}

void configured_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  auto& configured = as<ConfiguredObject>(self);
  configured_clear(self);
  delete std::exchange(configured.state, nullptr);
  free_object(self);
}

PyObject* to_tuple(const runtime::Dim3& dim) { return Py_BuildValue("(III)", dim.x, dim.y, dim.z); }

jit::ConfiguredDispatch& configuration_of(PyObject* self) {
  return as<ConfiguredObject>(self).state->configuration;
}

runtime::LaunchConfig config_of(PyObject* self) { return configuration_of(self).config(); }

PyObject* configured_grid(PyObject* self, void* /*unused*/) {
  return to_tuple(config_of(self).grid);
}
PyObject* configured_block(PyObject* self, void* /*unused*/) {
  return to_tuple(config_of(self).block);
}
PyObject* configured_shared(PyObject* self, void* /*unused*/) {
  return PyLong_FromUnsignedLong(config_of(self).dynamic_shared_bytes);
}
PyObject* configured_stream(PyObject* self, void* /*unused*/) {
  return guarded([&] { return nb::cast(configuration_of(self).stream()).release().ptr(); });
}
PyObject* configured_before_launch(PyObject* self, void* /*unused*/) {
  return guarded([&] {
    std::atomic<PyObject*>& functions = as<ConfiguredObject>(self).state->before_launch;
    if (functions == nullptr) {
      nb::object made = nb::list();
      PyObject* first = nullptr;
      if (functions.compare_exchange_strong(first, made.ptr()))
        made.release();  // the configuration's
    }
    return nb::borrow(functions.load()).release().ptr();
  });
}
PyObject* configured_launcher(PyObject* self, void* /*unused*/) {
  PyObject* const launcher = as<ConfiguredObject>(self).launcher;
  Py_INCREF(launcher);
  return launcher;
}
PyObject* configured_cooperative(PyObject* self, void* /*unused*/) {
  return PyBool_FromLong(config_of(self).cooperative ? 1 : 0);
}
int set_cooperative(PyObject* self, PyObject* value, void* /*unused*/) {
  const int truth = value == nullptr ? 0 : PyObject_IsTrue(value);
  if (truth < 0)
    return -1;
  configuration_of(self).set_cooperative(truth != 0);
  return 0;
}

PyGetSetDef configured_attributes[] = {
    {"grid", configured_grid, nullptr, "Blocks of the grid in x, y and z.", nullptr},
    {"griddim", configured_grid, nullptr, "`grid` as numba.cuda names it.", nullptr},
    {"blockdim", configured_block, nullptr, "`block` as numba.cuda names it.", nullptr},
    {"block", configured_block, nullptr, "Threads of a block in x, y and z.", nullptr},
    {"shared", configured_shared, nullptr, "Bytes of dynamic shared memory.", nullptr},
    {"stream", configured_stream, nullptr, "The stream, None for the default one.", nullptr},
    {"pre_launch_callbacks",
     configured_before_launch,
     nullptr,
     "A list of functions; before each launch each is called with the kernel and this object.",
     nullptr},
    {"launcher", configured_launcher, nullptr, "What is launched.", nullptr},
    {"cooperative",
     configured_cooperative,
     set_cooperative,
     "Whether all blocks run at once, so that they can wait for each other.",
     nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyMemberDef configured_members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(ConfiguredObject, vectorcall), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};

PyType_Slot configured_slots[] = {
    {Py_tp_doc, const_cast<char*>("A kernel with its launch configuration; calling it launches.")},
    {Py_tp_call, reinterpret_cast<void*>(configured_call)},
    {Py_tp_traverse, reinterpret_cast<void*>(configured_traverse)},
    {Py_tp_clear, reinterpret_cast<void*>(configured_clear)},
    {Py_tp_dealloc, reinterpret_cast<void*>(configured_dealloc)},
    {Py_tp_getset, configured_attributes},
    {Py_tp_members, configured_members},
    {0, nullptr}};

// Py_TPFLAGS_DISALLOW_INSTANTIATION: only a launcher makes them.
PyType_Spec configured_spec = {
    "phalanx._engine.Configured",
    sizeof(ConfiguredObject),
    0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION | has_vectorcall,
    configured_slots};

PyTypeObject*& configured_type_slot() {
  static PyTypeObject* type = nullptr;
  return type;
}

nb::object make_type(PyType_Spec& spec) {
  nb::object type = nb::steal(PyType_FromSpec(&spec));
  if (!type.is_valid())
    throw nb::python_error();
  return type;
}

}  // namespace

PyTypeObject* configured_type() { return configured_type_slot(); }

nb::object in_order(PyObject* launcher, PyObject* const* args, std::size_t count, PyObject* names) {
  nb::list positional;
  nb::dict named;
  for (std::size_t i = 0; i < count; ++i) positional.append(nb::handle(args[i]));
  for (Py_ssize_t i = 0; names != nullptr && i < PyTuple_Size(names); ++i)
    named[nb::handle(PyTuple_GetItem(names, i))] =
        nb::handle(args[count + static_cast<std::size_t>(i)]);
  const nb::tuple tuple(positional);
  return outlive([&] { return nb::handle(launcher).attr("_bind")(tuple, named); });
}

[[gnu::hot]] PyObject* call_configured(
    PyObject* self, PyObject* const* args, std::size_t flagged_count, PyObject* names) {
  return guarded([&] {
    auto& configured = as<ConfiguredObject>(self);
    const std::size_t count = flagged_count & ~offset_flag;
    Arguments arguments(count, configured.launcher, Callee::kernel);
    nb::object ordered;
    if (names != nullptr && PyTuple_Size(names) != 0) {
      ordered = in_order(configured.launcher, args, count, names);
      for (nb::handle value : ordered) arguments.add(value.ptr());
    } else {
      for (std::size_t i = 0; i < count; ++i) arguments.add(args[i]);
    }
    launch_configured(configured, arguments);
    if (const jit::Recording* const into = jit::recording()) {
      const std::size_t named =
          names == nullptr ? 0 : static_cast<std::size_t>(PyTuple_Size(names));
      for (std::size_t i = 0; i < count + named; ++i) into->graph->keep(keep_alive(args[i]));
      arguments.keep_temporaries(*into->graph);
    }
    return none();
  });
}

int traverse_launcher(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  const LauncherState* state = as<LauncherObject>(self).state;
  return state == nullptr ? 0 : state->traverse(visit, arg);
}

int clear_launcher(PyObject* self) {
  if (LauncherState* state = as<LauncherObject>(self).state)
    state->forget();
  return 0;
}

void dealloc_launcher(PyObject* self) {
  PyObject_GC_UnTrack(self);
  delete std::exchange(as<LauncherObject>(self).state, nullptr);
  free_object(self);
}

LauncherState& state_of_launcher(PyObject* launcher) {
  LauncherState* state = as<LauncherObject>(launcher).state;
  if (state == nullptr)
    throw TypeError("a Launcher was not initialised: its class must call super().__init__(name)");
  return *state;
}

void bind_launcher(nb::module_& module) {
  module.def(
      "current_configured",
      [] {
        PyObject* const found = configured_being_compiled();
        return found == nullptr ? nb::object(nb::none()) : nb::borrow(found);
      },
      "The Configured whose launch makes this thread compile, else None.");
  module.attr("Launcher") = make_type(launcher_spec);
  nb::object configured = make_type(configured_spec);
  module.attr("Configured") = configured;
  configured_type_slot() = reinterpret_cast<PyTypeObject*>(configured.release().ptr());
}

}  // namespace phalanx::bindings
