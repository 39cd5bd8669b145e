// Where operands go that are no arrays yet.
#include <nanobind/stl/shared_ptr.h>

#include <memory>

#include "phalanx/arrays/graph.h"
#include "phalanx/arrays/operands.h"
#include "phalanx/arrays/placement.h"
#include "phalanx/bindings/arrays.h"
#include "phalanx/bindings/context.h"

namespace nb = nanobind;

namespace phalanx::bindings {
namespace {

using DevicePtr = std::shared_ptr<runtime::Device>;

DevicePtr shared(runtime::Device* device) {
  return device != nullptr ? device->shared_from_this() : nullptr;
}

runtime::Device* tied_device(nb::handle object) {
  const arrays::Array* array = array_in(object);
  return array != nullptr ? array->value()->device.load() : nullptr;
}

DevicePtr place_of(const nb::args& values) {
  for (const nb::handle each : values) {
    if (runtime::Device* const device = tied_device(each))
      return shared(if_elsewhere(device));
  }
  return nullptr;
}

runtime::Device* common_device(nb::handle values) {
  runtime::Device* device = nullptr;
  for (const nb::handle each : values) {
    const bool is_sequence = nb::isinstance<nb::list>(each) || nb::isinstance<nb::tuple>(each);
    device = arrays::one_device(device, is_sequence ? common_device(each) : tied_device(each));
  }
  return device;
}

}  // namespace

DevicePtr known_device(const arrays::Array& self) {
  const arrays::NodePtr node = self.value();
  runtime::Device* device = node->device;
  if (device == nullptr) {
    const auto lock = graph().locked();
    device = arrays::device_now(*node);
  }
  return shared(device);
}

DevicePtr place(const arrays::Array& self) {
  const arrays::NodePtr node = self.value();
  runtime::Device* device = node->device;
  if (device == nullptr && !arrays::is_automatic(engine())) {
    const auto lock = graph().locked();
    device = arrays::device_now(*node) == nullptr ? &current_device() : nullptr;
  }
  return shared(device);
}

runtime::Device* if_elsewhere(runtime::Device* device) {
  return device == &current_device() || arrays::is_automatic(engine()) ? nullptr : device;
}

void bind_array_devices(nb::module_& module) {
  module.def(
      "array_place_of",
      &place_of,
      nb::sig("def array_place_of(*values: typing.Any) -> Device | None"),
      "Where the first array that is tied to a device is; None on the thread's current one.");
  module.def(
      "array_common_device",
      [](nb::handle values) { return shared(common_device(values)); },
      nb::sig("def array_common_device(values: typing.Iterable[typing.Any]) -> Device | None"),
      "The one device that arrays among the values, and in lists, are tied to; or None.");
}

}  // namespace phalanx::bindings
