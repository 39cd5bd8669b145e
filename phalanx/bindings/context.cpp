#include "phalanx/bindings/context.h"

#include <nanobind/stl/shared_ptr.h>

#include <array>
#include <string>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/gil.h"

namespace nb = nanobind;

namespace phalanx::bindings {

namespace {

// Asked by the thread that launched, which has given the GIL away for the time.
bool is_interrupted() {
  const GilHeld gil;
  // The signal's exception stays set, and is what the launch raises.
  return outlive([] { return PyErr_Occurred() != nullptr || PyErr_CheckSignals() != 0; });
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
  const nb::object inner = attribute_or_none(given, "_stream");
  if (nb::try_cast(inner, stream) && stream)
    return stream;
  if (has_attribute(given, "_stream"))
    throw ValueError("the stream is closed: make another one with cuda.stream()");
  // Other libraries give (version, handle), by a method or a property.
  if (nb::object foreign = attribute_or_none(given, "__cuda_stream__"); !foreign.is_none()) {
    const nb::object pair = PyCallable_Check(foreign.ptr()) != 0 ? foreign() : foreign;
    const auto handle = nb::cast<std::uintptr_t>(nb::object(pair[1]));
    return handle == 0 ? nullptr : device.external_stream(handle);
  }
  throw TypeError(
      "a stream is None, 0, a stream of this package or a driver's handle, not " +
      std::string(nb::repr(given).c_str()));
}

runtime::MemoryKind memory_kind(std::string_view name) {
  constexpr std::array<std::string_view, 5> names = {
      "device", "pinned", "mapped", "managed", "shared"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (name == names.at(i))
      return static_cast<runtime::MemoryKind>(i);
  }
  throw ValueError("there is no kind of memory '" + std::string(name) + "'");
}

std::shared_ptr<void> keep_alive(nb::handle object) {
  return {object.inc_ref().ptr(), [](void* held) { drop_reference(static_cast<PyObject*>(held)); }};
}

std::atomic<bool>& has_callbacks() {
  static std::atomic<bool> callbacks = false;
  return callbacks;
}

}  // namespace phalanx::bindings
