// The two classes of `kernel[grid, block](...)`, written against CPython itself: this is the
// hot path, and a launch through it makes no Python object.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>

#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "phalanx/bindings/arguments.h"
#include "phalanx/jit/dispatch.h"

namespace phalanx::bindings {

// True if two configurations, or parts of them, are the same numbers. False negatives only cost
// time.
bool is_same_configuration(PyObject* first, PyObject* second);

// What a Launcher object holds: its dispatch, and what Python knows of its kernels. Thread-safe.
class LauncherState {
 public:
  // Kernels are made by `launcher._compile(types)`.
  LauncherState(PyObject* launcher, std::string name);

  const std::shared_ptr<jit::Dispatch>& dispatch() const { return dispatch_; }

  nanobind::object kernel_for(const std::vector<ir::Type>& types);
  // What Python holds of a kernel that was made by `_compile`; None where it was forgotten.
  nanobind::object handle_of(const jit::Kernel& kernel) const;
  nanobind::list kernels() const;
  void set_signatures(std::vector<jit::Signature> signatures);
  void forget();

  int traverse(visitproc visit, void* arg) const;

  // The last few configurations, so that `kernel[grid, block]` in a loop makes nothing.
  nanobind::object recent(PyObject* configuration) const;  // invalid if it is not among them
  void remember(PyObject* configuration, PyObject* configured);

 private:
  struct Recent {
    nanobind::object configuration;
    nanobind::object configured;
  };

  std::shared_ptr<jit::Kernel> make(PyObject* launcher, const std::vector<ir::Type>& types);

  std::shared_ptr<jit::Dispatch> dispatch_;
  // Guards what follows where there is no GIL. What leaves is handed out and dropped after it, and
  // the garbage collector, which has stopped the other threads, does without.
  mutable nanobind::ft_mutex mutex_;
  std::vector<nanobind::object> handles_;  // of its kernels, for the garbage collector too
  std::array<Recent, 4> recent_;
  std::size_t next_recent_ = 0;
};

struct LauncherObject {
  PyObject_HEAD LauncherState* state;
};

struct ConfiguredState {
  jit::ConfiguredDispatch configuration;
  std::atomic<PyObject*> before_launch = nullptr;  // a list of functions, once it was requested
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
