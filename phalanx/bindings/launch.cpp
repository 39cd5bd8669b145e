// The launch itself, from typed arguments on.
#include <string>
#include <utility>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/compile_thread.h"
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

void resolve_site(ConfiguredState& state) {
  runtime::Device& device = state.given_stream ? state.given_stream->device() : current_device();
  const Recording* const into = recording();
  jit::Graph* const graph = into == nullptr ? nullptr : into->graph.get();
  // For a graph the stream is compared, which the site keeps alive: a new graph may have the
  // address of one that is gone.
  const bool is_resolved =
      into == nullptr ? state.site.graph == nullptr : state.site.stream == into->stream;
  if (state.site.device == &device && is_resolved)
    return;
  if (state.site.device != &device)
    state.executable.reset();
  state.site.device = &device;
  state.site.graph = graph;
  state.site.stream = recorded_or(stream_or_default(device, state.given_stream));
}

void find_plan(ConfiguredObject& configured, std::span<const jit::Argument> arguments) {
  ConfiguredState& state = *configured.state;
  LauncherState& launcher = state_of_launcher(configured.launcher);
  const std::uint64_t generation = launcher.generation();
  auto plan = launcher.plan_for(configured.launcher, arguments);
  if (plan != state.plan)
    state.executable.reset();
  state.plan = std::move(plan);
  state.generation = generation;
}

// numba.cuda's words and its limit: fewer blocks leave multiprocessors of any GPU idle.
void warn_of_low_occupancy(
    LauncherState& launcher, const runtime::Device& device, const runtime::LaunchConfig& config) {
  constexpr std::uint64_t enough_blocks = 128;
  const std::uint64_t blocks = config.grid.count();
  if (device.kind() == DeviceKind::cpu || blocks >= enough_blocks || !advice().low_occupancy ||
      launcher.told_of_occupancy())
    return;
  const std::string text = "Grid size " + std::to_string(blocks) +
                           " will likely result in GPU under-utilization due to low occupancy";
  warn("OccupancyWarning", text.c_str());
}

void find_executable(ConfiguredState& state) {
  const auto plan = state.plan;
  runtime::Device& device = *state.site.device;
  const runtime::LaunchConfig config = state.site.config;
  auto made = executable_of(plan->kernel(), plan, device, config.block, config.grid);
  if (state.plan == plan && state.site.device == &device)
    state.executable = std::move(made);
}

void warn_of_copies(LauncherState& launcher) {
  if (advice().implicit_copies && !launcher.told_of_copies())
    warn("CopyWarning", "Host array used in CUDA kernel will incur copy overhead to/from device");
}

// Borrowed: the launch holds it.
thread_local PyObject* compiled_for = nullptr;

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

void start(ConfiguredObject& configured, Arguments& arguments) {
  const ConfiguredState& state = *configured.state;
  // Another thread may use this configuration while the GIL is away: hold on to what is used.
  const auto plan = state.plan;
  const auto executable = state.executable;
  const jit::LaunchSite site = state.site;
  if (site.graph == nullptr)
    arguments.order_before(*site.stream);
  if (needs_copies(*plan, site, arguments.rows())) {
    refuse_while_recording("copy host arrays for a kernel; pass device arrays");
    warn_of_copies(state_of_launcher(configured.launcher));
    const GilReleased no_gil;
    launch_with_copies(*plan, *executable, site, arguments.rows());
  } else if (site.device->kind() == DeviceKind::cpu) {
    const GilReleased no_gil;
    launch(*plan, *executable, site, arguments.rows());
  } else if (plan->kernel().options().reports() || has_callbacks()) {
    const GilReleased no_gil;
    launch(*plan, *executable, site, arguments.rows());
    // As numba.cuda's, debug kernels raise at their launch; so do those of check mode.
    if (plan->kernel().options().reports() && site.graph == nullptr)
      site.stream->synchronize();
  } else {
    // Queuing work on a GPU is over in a few microseconds.
    launch(*plan, *executable, site, arguments.rows());
  }
}

void call_before_launch(ConfiguredObject& configured) {
  const ConfiguredState& state = *configured.state;
  const nb::object kernel = state_of_launcher(configured.launcher).handle_of(state.plan->kernel());
  const nb::handle self(reinterpret_cast<PyObject*>(&configured));
  const nb::list functions(state.before_launch);  // as they are now
  for (nb::handle function : functions) outlive([&] { function(kernel, self); });
}

}  // namespace

void launch_configured(ConfiguredObject& configured, Arguments& arguments) {
  ConfiguredState& state = *configured.state;
  try {
    // Another thread may use the configuration while Python or the compiler runs: look again then.
    bool is_called = !state.before_launch.is_valid();
    for (;;) {
      resolve_site(state);
      const bool is_known =
          state.plan != nullptr &&
          state.generation == state_of_launcher(configured.launcher).generation() &&
          state.plan->fits(arguments.rows());
      if (is_known && state.executable != nullptr) {
        if (std::exchange(is_called, true))
          break;
        call_before_launch(configured);
        continue;
      }
      const CompilingFor compiling(configured);
      if (is_known)
        find_executable(state);
      else
        find_plan(configured, arguments.rows());
    }
    start(configured, arguments);
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

  auto state = std::make_unique<ConfiguredState>();
  const auto grid = extents_from(item(0), "griddim");
  const auto block = extents_from(item(1), "blockdim");
  std::int64_t shared = 0;
  if (count > 3)
    shared = shared_bytes_from(item(3));
  try {
    state->site.config = runtime::make_launch_config(grid, block, shared);
  } catch (const ValueError& error) {
    raise_launch_error(error);
  }
  if (count > 2)
    state->given_stream = stream_from(item(2), current_device());
  warn_of_low_occupancy(
      state_of_launcher(launcher),
      state->given_stream ? state->given_stream->device() : current_device(),
      state->site.config);

  using Allocate = PyObject* (*)(PyTypeObject*, Py_ssize_t);
  const auto allocate = reinterpret_cast<Allocate>(PyType_GetSlot(configured_type(), Py_tp_alloc));
  nb::object made = nb::steal(allocate(configured_type(), 0));
  if (!made.is_valid())
    throw nb::python_error();
  auto* object = reinterpret_cast<ConfiguredObject*>(made.ptr());
  Py_INCREF(launcher);
  object->vectorcall = call_configured;
  object->launcher = launcher;
  object->state = state.release();
  return made;
}

}  // namespace phalanx::bindings
