// The two classes of `kernel[grid, block](...)`, written against CPython itself: this is the
// hot path, and a launch through it makes no Python object.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "phalanx/bindings/arguments.h"
#include "phalanx/jit/launch.h"
#include "phalanx/jit/plan.h"
#include "phalanx/jit/signature.h"

namespace phalanx::bindings {

// The kernels of one function, by argument types. Guarded by the GIL.
class LauncherState {
 public:
  explicit LauncherState(std::string name) : name_(std::move(name)) {}

  const std::string& name() const { return name_; }
  std::uint64_t generation() const { return generation_; }

  // Calls `launcher._compile(types)` for types that were not seen before.
  std::shared_ptr<const jit::Plan> plan_for(
      nanobind::handle launcher, std::span<const jit::Argument> arguments);
  nanobind::object kernel_for(nanobind::handle launcher, const std::vector<ir::Type>& types);

  // What Python holds of a kernel that was made by `_compile`; None where it was forgotten.
  nanobind::object handle_of(const jit::Kernel& kernel) const;

  void set_signatures(std::vector<jit::Signature> signatures);
  // True if small grids are warned of: not those of the library's own kernels.
  void set_advises(bool advises) { told_of_occupancy_ = !advises; }
  // False the first time: each is reported once.
  bool told_of_occupancy() { return std::exchange(told_of_occupancy_, true); }
  bool told_of_copies() { return std::exchange(told_of_copies_, true); }
  void forget();
  nanobind::list kernels() const;

  int traverse(visitproc visit, void* arg) const;
  void clear();

  // The last few configurations, so that `kernel[grid, block]` in a loop makes nothing.
  PyObject* recent(PyObject* configuration) const;  // borrowed; null if it is not among them
  void remember(PyObject* configuration, PyObject* configured);

 private:
  struct Entry {
    std::vector<ir::Type> types;
    nanobind::object kernel;
  };
  struct Recent {
    nanobind::object configuration;
    nanobind::object configured;
  };

  std::string name_;
  std::vector<jit::Signature> signatures_;
  std::vector<Entry> entries_;
  std::vector<std::shared_ptr<const jit::Plan>> plans_;
  std::array<Recent, 4> recent_;
  std::size_t next_recent_ = 0;
  std::uint64_t generation_ = 1;
  bool told_of_occupancy_ = false;
  bool told_of_copies_ = false;
};

struct LauncherObject {
  PyObject_HEAD LauncherState* state;
};

// One launch configuration of a launcher, and what its last launch used.
struct ConfiguredState {
  jit::LaunchSite site;
  std::shared_ptr<runtime::Stream> given_stream;  // null: the current device's default stream
  std::shared_ptr<const jit::Plan> plan;
  std::shared_ptr<runtime::Executable> executable;
  std::uint64_t generation = 0;
  nanobind::object before_launch;  // a list of functions, once it was requested
};

struct ConfiguredObject {
  PyObject_HEAD PyObject* (*vectorcall)(PyObject*, PyObject* const*, std::size_t, PyObject*);
  PyObject* launcher;
  ConfiguredState* state;
};

LauncherState& state_of_launcher(PyObject* launcher);

// Launcher's slots, for classes derived from it.
int traverse_launcher(PyObject* self, visitproc visit, void* arg);
int clear_launcher(PyObject* self);
void dealloc_launcher(PyObject* self);

// The arguments of a vectorcall (`names` null: all are positional) as the launcher's `_bind` puts
// them in order.
nanobind::object in_order(
    PyObject* launcher, PyObject* const* args, std::size_t count, PyObject* names);

// Launches with these arguments. Throws whatever goes wrong.
void launch_configured(ConfiguredObject& configured, Arguments& arguments);

// `launcher[configuration]`, not looked up among the recent ones.
nanobind::object make_configured(PyObject* launcher, PyObject* configuration);

// The configuration whose launch makes the calling thread compile, borrowed; null if none does.
PyObject* configured_being_compiled();

PyTypeObject* configured_type();  // set by bind_launcher

// What a Configured's vectorcall slot holds.
PyObject* call_configured(
    PyObject* self, PyObject* const* args, std::size_t flagged_count, PyObject* names);

}  // namespace phalanx::bindings
