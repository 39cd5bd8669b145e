#include "phalanx/bindings/context.h"

#include <nanobind/stl/shared_ptr.h>

#include <array>
#include <string>

#include "phalanx/base/errors.h"

namespace nb = nanobind;

namespace phalanx::bindings {

namespace {

thread_local runtime::Device* thread_device = nullptr;

// Asked by the thread that launched, which has given the GIL away for the time.
bool is_interrupted() {
  const nb::gil_scoped_acquire gil;
  // The signal's exception stays set, and is what the launch raises.
  return PyErr_Occurred() != nullptr || PyErr_CheckSignals() != 0;
}

jit::Engine* make_engine() {
  auto made = std::make_unique<jit::Engine>();
  made->runtime().set_interrupt_check(is_interrupted);
  return made.release();
}

}  // namespace

jit::Engine& engine() {
  static jit::Engine* const made = make_engine();
  return *made;
}

runtime::Device& current_device() {
  if (thread_device == nullptr)
    thread_device = &engine().runtime().default_device();
  return *thread_device;
}

void set_current_device(runtime::Device& device) { thread_device = &device; }

std::shared_ptr<runtime::Stream> stream_or_default(
    runtime::Device& device, const std::shared_ptr<runtime::Stream>& stream) {
  return stream ? stream : device.default_stream();
}

std::shared_ptr<runtime::Stream> stream_from(nb::handle given, runtime::Device& device) {
  if (given.is_none())
    return nullptr;
  std::shared_ptr<runtime::Stream> stream;
  if (nb::try_cast(given, stream))
    return stream;
  if (PyLong_Check(given.ptr())) {
    const auto number = nb::cast<std::uintptr_t>(given);
    return number == 0 ? nullptr : device.external_stream(number);
  }
  const nb::object inner = nb::getattr(given, "_stream", nb::none());
  if (nb::try_cast(inner, stream) && stream)
    return stream;
  throw TypeError(
      "a stream is None, 0, a stream of this package or a driver's handle, not " +
      std::string(nb::repr(given).c_str()));
}

runtime::MemoryKind memory_kind(std::string_view name) {
  constexpr std::array<std::string_view, 4> names = {"device", "pinned", "mapped", "managed"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (name == names.at(i))
      return static_cast<runtime::MemoryKind>(i);
  }
  throw ValueError("there is no kind of memory '" + std::string(name) + "'");
}

std::shared_ptr<void> keep_alive(nb::handle object) {
  return {object.inc_ref().ptr(), [](void* held) {
            const nb::gil_scoped_acquire gil;
            Py_DECREF(static_cast<PyObject*>(held));
          }};
}

std::atomic<bool>& has_callbacks() {
  static std::atomic<bool> callbacks = false;
  return callbacks;
}

Advice& advice() {
  static Advice settings;
  return settings;
}

void warn(const char* category, const char* text) {
  const nb::object type = nb::module_::import_("phalanx.errors").attr(category);
  // Functions in C have no frame: the caller's line is one level up.
  if (PyErr_WarnEx(type.ptr(), text, 1) != 0)
    throw nb::python_error();
}

void flush_warnings() {
  for (const std::string& text : engine().take_warnings()) warn("CacheWarning", text.c_str());
}

}  // namespace phalanx::bindings
