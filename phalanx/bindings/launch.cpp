// The launch itself, from typed arguments on.
#include <string>
#include <utility>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/base/thread_local.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/gil.h"
#include "phalanx/bindings/launcher.h"
#include "phalanx/bindings/warnings.h"

namespace nb = nanobind;

namespace phalanx::bindings {

namespace {

// griddim or blockdim: an int or up to three of them, in numba.cuda's words where they are wrong.
std::vector<std::int64_t> extents_from(nb::handle given, const char* what) {
  const bool is_sequence = PyTuple_Check(given.ptr()) || PyList_Check(given.ptr());
  const nb::list items =
      is_sequence ? nb::list(given) : nb::steal<nb::list>(Py_BuildValue("[O]", given.ptr()));
  const std::string shown = nb::repr(items).c_str();
  if (nb::len(items) == 0 || nb::len(items) > 3)
    throw ValueError(std::string(what) + " must be a sequence of 1, 2 or 3 integers, got " + shown);
  std::vector<std::int64_t> extents;
  for (nb::handle item : items) {
    const nb::object number = nb::steal(PyNumber_Index(item.ptr()));
    if (!number.is_valid()) {
      PyErr_Clear();
      const char* const advice = PyFloat_Check(item.ptr()) ? "; divide with // or use int()" : "";
      throw TypeError(std::string(what) + " must be a sequence of integers, got " + shown + advice);
    }
    extents.push_back(PyLong_AsLongLong(number.ptr()));
    if (extents.back() == -1 && PyErr_Occurred() != nullptr)
      throw nb::python_error();
  }
  return extents;
}

// The dynamic shared memory of a block, in bytes.
std::int64_t shared_bytes_from(nb::handle given) {
  const nb::object number = nb::steal(PyNumber_Index(given.ptr()));
  if (!number.is_valid()) {
    PyErr_Clear();
    throw TypeError(
        "sharedmem must be an integer number of bytes, got " +
        std::string(nb::repr(given).c_str()));
  }
  const long long bytes = PyLong_AsLongLong(number.ptr());
  if (bytes == -1 && PyErr_Occurred() != nullptr)
    throw nb::python_error();
  return bytes;
}

[[noreturn]] void raise_launch_error(const ValueError& error) {
  const nb::object type = nb::module_::import_("phalanx.errors").attr("LaunchError");
  PyErr_SetString(type.ptr(), error.what());
  throw nb::python_error();
}

runtime::LaunchConfig config_from(
    const std::vector<std::int64_t>& grid,
    const std::vector<std::int64_t>& block,
    std::int64_t shared_bytes) {
  try {
    return runtime::make_launch_config(grid, block, shared_bytes);
  } catch (const ValueError& error) {
    raise_launch_error(error);
  }
}

// Borrowed: the launch holds it.
PHX_THREAD_LOCAL PyObject* compiled_for = nullptr;

// While one lives, the thread compiles for a launch of that configuration.
class CompilingFor {
 public:
  explicit CompilingFor(ConfiguredObject& configured)
      : before_(std::exchange(compiled_for, reinterpret_cast<PyObject*>(&configured))) {}
  CompilingFor(const CompilingFor&) = delete;
  CompilingFor& operator=(const CompilingFor&) = delete;
  ~CompilingFor() { compiled_for = before_; }

 private:
  PyObject* before_;
};

std::shared_ptr<const jit::PreparedLaunch> prepare(
    ConfiguredObject& configured, Arguments& arguments) {
  const CompilingFor compiling(configured);
  return configured.state->configuration.prepare(arguments.rows());
}

void start(ConfiguredObject& configured, const jit::PreparedLaunch& ready, Arguments& arguments) {
  const jit::LaunchSite& site = ready.site;
  const jit::Plan& plan = *ready.plan;
  if (site.graph == nullptr)
    arguments.order_before(*site.stream);
  const bool reports = plan.kernel().options().reports();
  if (needs_copies(plan, site, arguments.rows())) {
    jit::refuse_while_recording("copy host arrays for a kernel; pass device arrays");
    if (const auto advice = configured.state->configuration.dispatch().advise_on_copies())
      warn("CopyWarning", *advice);
    const GilReleased no_gil;
    launch_with_copies(plan, *ready.executable, site, arguments.rows());
  } else if (site.device->is_host()) {
    const GilReleased no_gil;
    launch(plan, *ready.executable, site, arguments.rows());
  } else if (reports || has_callbacks()) {
    const GilReleased no_gil;
    launch(plan, *ready.executable, site, arguments.rows());
    // As numba.cuda's, debug kernels raise at their launch; so do those of check mode.
    if (reports && site.graph == nullptr)
      site.stream->synchronize();
  } else {
    // Queuing work on a GPU is over in a few microseconds.
    launch(plan, *ready.executable, site, arguments.rows());
  }
}

void call_before_launch(
    ConfiguredObject& configured, nb::handle before_launch, const jit::Kernel& launched) {
  const nb::object kernel = state_of_launcher(configured.launcher).handle_of(launched);
  const nb::handle self(reinterpret_cast<PyObject*>(&configured));
  const nb::list functions(before_launch);  // as they are now
  for (nb::handle function : functions) outlive([&] { function(kernel, self); });
}

}  // namespace

[[gnu::hot]] void launch_configured(ConfiguredObject& configured, Arguments& arguments) {
  try {
    auto ready = prepare(configured, arguments);
    if (PyObject* const functions =
            configured.state->before_launch.load(std::memory_order_acquire)) {
      call_before_launch(configured, functions, ready->plan->kernel());
      ready = prepare(configured, arguments);  // they may have changed what runs
    }
    start(configured, *ready, arguments);
  } catch (const ShapeError&) {
    throw;
  } catch (const ValueError& error) {
    raise_launch_error(error);
  }
  arguments.call_after();
}

PyObject* configured_being_compiled() { return compiled_for; }

nb::object make_configured(PyObject* launcher, PyObject* configuration) {
  const bool is_tuple = PyTuple_Check(configuration) != 0;
  const Py_ssize_t count = is_tuple ? PyTuple_Size(configuration) : 1;
  if (count < 2)
    throw ValueError("must specify at least the griddim and blockdim");
  if (count > 4)
    throw ValueError("must specify at most the griddim, blockdim, stream and sharedmem");
  const auto item = [&](Py_ssize_t i) { return nb::handle(PyTuple_GetItem(configuration, i)); };

  const auto grid = extents_from(item(0), "griddim");
  const auto block = extents_from(item(1), "blockdim");
  const std::int64_t shared = count > 3 ? shared_bytes_from(item(3)) : 0;
  const runtime::LaunchConfig config = config_from(grid, block, shared);
  const auto stream = count > 2 ? stream_from(item(2), current_device()) : nullptr;
  const auto& dispatch = state_of_launcher(launcher).dispatch();
  runtime::Device& device = stream ? stream->device() : current_device();
  if (const auto advice = dispatch->advise_on_occupancy(device, config))
    warn("OccupancyWarning", *advice);
  using Allocate = PyObject* (*)(PyTypeObject*, Py_ssize_t);
  const auto allocate = reinterpret_cast<Allocate>(PyType_GetSlot(configured_type(), Py_tp_alloc));
  nb::object made = nb::steal(allocate(configured_type(), 0));
  if (!made.is_valid())
    throw nb::python_error();
  auto* object = reinterpret_cast<ConfiguredObject*>(made.ptr());
  Py_INCREF(launcher);
  object->vectorcall = call_configured;
  object->launcher = launcher;
  object->state = new ConfiguredState{.configuration = {dispatch, config, stream}};
  return made;
}

}  // namespace phalanx::bindings
