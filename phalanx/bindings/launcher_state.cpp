// What a launcher holds.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/compile_thread.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/gil.h"
#include "phalanx/bindings/kernel.h"
#include "phalanx/bindings/launcher.h"

namespace nb = nanobind;

namespace phalanx::bindings {

[[gnu::hot]] bool is_same_configuration(PyObject* first, PyObject* second) {
  if (first == second)
    return true;
  if (Py_TYPE(first) != Py_TYPE(second))
    return false;
  if (PyLong_CheckExact(first)) {
    const long a = PyLong_AsLong(first);
    const long b = PyLong_AsLong(second);
    if (a == -1 || b == -1)
      PyErr_Clear();  // numbers that do not fit are not remembered as equal
    return a == b && a != -1;
  }
  if (!PyTuple_CheckExact(first) || PyTuple_Size(first) != PyTuple_Size(second))
    return false;
  for (Py_ssize_t i = 0; i < PyTuple_Size(first); ++i) {
    if (!is_same_configuration(PyTuple_GetItem(first, i), PyTuple_GetItem(second, i)))
      return false;
  }
  return true;
}

LauncherState::LauncherState(PyObject* launcher, std::string name)
    : dispatch_(std::make_shared<jit::Dispatch>(
          engine,
          std::move(name),
          [this, launcher](const std::vector<ir::Type>& types) { return make(launcher, types); },
          [](const std::shared_ptr<const jit::Plan>& plan,
             runtime::Device& device,
             const runtime::LaunchConfig& config) {
            return executable_of(plan->kernel(), plan, device, config.block, config.grid);
          })) {
  dispatch_->set_callers_take_turns(has_gil);
}

std::shared_ptr<jit::Kernel> LauncherState::make(
    PyObject* launcher, const std::vector<ir::Type>& types) {
  nb::list given;
  for (const ir::Type& type : types) given.append(type);
  const nb::tuple tuple(given);
  nb::object made = outlive([&] { return nb::handle(launcher).attr("_compile")(tuple); });
  if (!nb::isinstance<KernelHandle>(made))
    throw TypeError("_compile of " + dispatch_->name() + " must return a Kernel");
  auto kernel = nb::inst_ptr<KernelHandle>(made)->kernel;
  const nb::ft_lock_guard lock(mutex_);
  handles_.push_back(std::move(made));
  return kernel;
}

nb::object LauncherState::kernel_for(const std::vector<ir::Type>& types) {
  return handle_of(*dispatch_->kernel_for(types));
}

nb::object LauncherState::handle_of(const jit::Kernel& kernel) const {
  const nb::ft_lock_guard lock(mutex_);
  for (const nb::object& handle : handles_) {
    if (nb::inst_ptr<KernelHandle>(handle)->kernel.get() == &kernel)
      return handle;
  }
  return nb::none();
}

void LauncherState::set_signatures(std::vector<jit::Signature> signatures) {
  forget();
  dispatch_->set_signatures(std::move(signatures));
}

void LauncherState::forget() {
  dispatch_->forget();
  // Python code may run while kernels, and the configurations that hold their code, are dropped.
  std::vector<nb::object> handles;
  std::array<Recent, 4> configurations;
  const nb::ft_lock_guard lock(mutex_);
  handles.swap(handles_);
  configurations.swap(recent_);
}

nb::list LauncherState::kernels() const {
  nb::list rows;
  for (const auto& [types, kernel] : dispatch_->kernels()) {
    nb::list list;
    for (const ir::Type& type : types) list.append(type);
    rows.append(nb::make_tuple(nb::tuple(list), handle_of(*kernel)));
  }
  return rows;
}

int LauncherState::traverse(visitproc visit, void* arg) const {
  for (const nb::object& handle : handles_) Py_VISIT(handle.ptr());
  for (const Recent& recent : recent_) {
    Py_VISIT(recent.configuration.ptr());
    Py_VISIT(recent.configured.ptr());
  }
  return 0;
}

nb::object LauncherState::recent(PyObject* configuration) const {
  const nb::ft_lock_guard lock(mutex_);
  for (const Recent& entry : recent_) {
    if (entry.configuration.is_valid() &&
        is_same_configuration(entry.configuration.ptr(), configuration))
      return entry.configured;
  }
  return {};
}

void LauncherState::remember(PyObject* configuration, PyObject* configured) {
  Recent changed = {nb::borrow(configuration), nb::borrow(configured)};
  const nb::ft_lock_guard lock(mutex_);
  std::swap(recent_.at(next_recent_), changed);
  next_recent_ = (next_recent_ + 1) % recent_.size();
}

}  // namespace phalanx::bindings
