// The kernels and plans of a launcher.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/gil.h"
#include "phalanx/bindings/kernel.h"
#include "phalanx/bindings/launcher.h"

namespace nb = nanobind;

namespace phalanx::bindings {

namespace {

// True if two configurations are the same numbers. False negatives only cost time.
bool is_same(PyObject* first, PyObject* second) {
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
    if (!is_same(PyTuple_GetItem(first, i), PyTuple_GetItem(second, i)))
      return false;
  }
  return true;
}

}  // namespace

nb::object LauncherState::kernel_for(nb::handle launcher, const std::vector<ir::Type>& types) {
  const auto find = [&] {
    return std::find_if(
        entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.types == types; });
  };
  if (const auto known = find(); known != entries_.end())
    return known->kernel;
  nb::list given;
  for (const ir::Type& type : types) given.append(type);
  const nb::tuple tuple(given);
  nb::object made = outlive([&] { return launcher.attr("_compile")(tuple); });
  if (!nb::isinstance<KernelHandle>(made))
    throw TypeError("_compile of " + name_ + " must return a Kernel");
  // Another thread may have been here while Python ran; the first one stays.
  if (const auto known = find(); known != entries_.end())
    return known->kernel;
  entries_.push_back({types, made});
  return made;
}

std::shared_ptr<const jit::Plan> LauncherState::plan_for(
    nb::handle launcher, std::span<const jit::Argument> arguments) {
  for (const auto& plan : plans_) {
    if (plan->fits(arguments))
      return plan;
  }
  std::vector<jit::TypeKey> keys;
  for (const jit::Argument& argument : arguments) keys.push_back(argument.key);
  std::vector<ir::Type> types = engine().types().decode(keys);
  if (!signatures_.empty())
    types = signatures_[jit::choose_signature(name_, types, signatures_)];
  const std::uint64_t generation = generation_;
  const nb::object kernel = kernel_for(launcher, types);
  auto plan = std::make_shared<const jit::Plan>(
      std::move(keys), nb::inst_ptr<KernelHandle>(kernel)->kernel);
  if (generation == generation_)
    plans_.push_back(plan);
  return plan;
}

nb::object LauncherState::handle_of(const jit::Kernel& kernel) const {
  for (const Entry& entry : entries_) {
    if (nb::inst_ptr<KernelHandle>(entry.kernel)->kernel.get() == &kernel)
      return entry.kernel;
  }
  return nb::none();
}

void LauncherState::set_signatures(std::vector<jit::Signature> signatures) {
  forget();
  signatures_ = std::move(signatures);
}

void LauncherState::forget() {
  ++generation_;
  plans_.clear();
  // Python code may run while kernels, and the configurations that hold their code, are dropped.
  const auto dropped = std::exchange(entries_, {});
  const auto configurations = std::exchange(recent_, {});
}

nb::list LauncherState::kernels() const {
  nb::list rows;
  for (const Entry& entry : entries_) {
    nb::list types;
    for (const ir::Type& type : entry.types) types.append(type);
    rows.append(nb::make_tuple(nb::tuple(types), entry.kernel));
  }
  return rows;
}

int LauncherState::traverse(visitproc visit, void* arg) const {
  for (const Entry& entry : entries_) Py_VISIT(entry.kernel.ptr());
  for (const Recent& recent : recent_) {
    Py_VISIT(recent.configuration.ptr());
    Py_VISIT(recent.configured.ptr());
  }
  return 0;
}

void LauncherState::clear() { forget(); }

PyObject* LauncherState::recent(PyObject* configuration) const {
  for (const Recent& entry : recent_) {
    if (entry.configuration.is_valid() && is_same(entry.configuration.ptr(), configuration))
      return entry.configured.ptr();
  }
  return nullptr;
}

void LauncherState::remember(PyObject* configuration, PyObject* configured) {
  const auto dropped = std::exchange(
      recent_.at(next_recent_), Recent{nb::borrow(configuration), nb::borrow(configured)});
  next_recent_ = (next_recent_ + 1) % recent_.size();
}

}  // namespace phalanx::bindings
