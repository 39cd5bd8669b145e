#include "phalanx/bindings/loaded_module.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <string>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/bind.h"
#include "phalanx/bindings/compile_thread.h"
#include "phalanx/bindings/gil.h"
#include "phalanx/codegen/codegen.h"

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace)

namespace phalanx::bindings {

namespace {

// The module in Python's hands, where it may live longer than the code.
class LoadedModule {
 public:
  explicit LoadedModule(const runtime::Executable& kernel)
      : module_(&kernel.module()), handle_(module_->handle()), name_(kernel.name()) {}

  std::uintptr_t handle() const { return handle_; }
  const std::string& name() const { return name_; }
  void close() {
    const nb::ft_lock_guard lock(mutex_);
    module_ = nullptr;
  }

  std::pair<std::uintptr_t, std::size_t> global(const std::string& name) const {
    const nb::ft_lock_guard lock(mutex_);
    if (module_ == nullptr)
      throw ValueError("the module of kernel " + name_ + " is not loaded any more");
    // Of a source that phalanx has compiled, else of other linked code.
    auto found = module_->global(std::string(codegen::global_prefix) + name);
    if (!found)
      found = module_->global(name);
    if (!found)
      throw ValueError("the module of kernel " + name_ + " has no global variable '" + name + "'");
    return {found->address, found->bytes};
  }

 private:
  mutable nb::ft_mutex mutex_;  // of module_, where there is no GIL
  runtime::Module* module_;
  std::uintptr_t handle_;
  std::string name_;
};

class Companion {
 public:
  Companion(std::shared_ptr<LoadedModule> module, nb::object before_unload)
      : module_(std::move(module)), before_unload_(std::move(before_unload)) {}
  Companion(const Companion&) = delete;
  Companion& operator=(const Companion&) = delete;
  ~Companion() {
    if (Py_IsInitialized() == 0) {
      before_unload_.release();  // Python is gone, and has called it when it went
      return;
    }
    const GilHeld gil;
    try {
      if (!before_unload_.is_none())
        outlive([&] { before_unload_(); });
    } catch (nb::python_error& error) {
      error.discard_as_unraisable("the teardown callback of linked code");
    }
    module_->close();
    before_unload_.reset();
  }

 private:
  std::shared_ptr<LoadedModule> module_;
  nb::object before_unload_;
};

}  // namespace

std::shared_ptr<void> tell_loaded(const Producer& producer, runtime::Executable& module) {
  std::shared_ptr<void> companion;
  with_python([&] {
    if (!producer.loaded.is_valid() || producer.loaded.is_none())
      return;
    auto handle = std::make_shared<LoadedModule>(module);
    nb::object before_unload = producer.loaded(handle);
    companion = std::make_shared<Companion>(std::move(handle), std::move(before_unload));
  });
  return companion;
}

void bind_loaded_module(nb::module_& module) {
  nb::class_<LoadedModule> type(module, "LoadedModule");
  type.doc() = "The code of a kernel on a GPU: what callbacks of linked code get.";
  type.def_prop_ro("name", &LoadedModule::name, "The kernel's name.");
  type.def_prop_ro("handle", &LoadedModule::handle, "The driver's CUmodule, as a number.");
  type.def(
      "get_global",
      &LoadedModule::global,
      "name"_a,
      "The address and the bytes of a global variable; ValueError where there is none.");
}

}  // namespace phalanx::bindings
