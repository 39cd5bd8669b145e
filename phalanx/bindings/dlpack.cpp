// DLPack for DeviceArray, both ways, through nanobind's implementation of the protocol.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/bind.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/exchange.h"
#include "phalanx/bindings/gil.h"
#include "phalanx/bindings/interchange.h"

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace)

namespace phalanx::bindings {

namespace {

using views::DeviceArray;

nb::dlpack::dtype dtype_for(const ir::Type& element) {
  if (!element.is_scalar())
    throw nb::buffer_error("DLPack has no type for records");
  const auto bits = static_cast<std::uint8_t>(bits_of(element.dtype()));
  return {dlpack_code(element.dtype()), bits, 1};
}

std::pair<int, int> dlpack_device(const DeviceArray& array) {
  // DLPack knows one device of the host.
  const int ordinal = array.device->is_host() ? 0 : array.device->ordinal();
  return {row_of(array.device->kind()).dlpack, ordinal};
}

// The consumer's stream must see what is queued for the array. -1: it does not care.
void order_streams(const DeviceArray& array, const std::optional<std::int64_t>& consumer) {
  runtime::Stream& queue = array.queue();
  if (array.device->is_host()) {
    queue.synchronize();
    return;
  }
  if (consumer == -1)
    return;
  // 1, and none, mean the legacy default stream.
  constexpr std::int64_t legacy = 1;
  const auto handle = static_cast<std::uintptr_t>(consumer.value_or(legacy));
  const auto event = array.device->create_event(false);
  event->record(queue);
  array.device->external_stream(handle)->wait(*event);
}

template <typename... Qualifiers>
nb::object wrapped(const DeviceArray& array, nb::handle owner) {
  const auto item = static_cast<std::int64_t>(array.item_bytes());
  std::vector<std::size_t> shape;
  std::vector<std::int64_t> strides;
  for (std::size_t i = 0; i < array.shape.size(); ++i) {
    if (array.strides[i] % item != 0)
      throw nb::buffer_error("DLPack needs strides that are multiples of the item size");
    shape.push_back(static_cast<std::size_t>(array.shape[i]));
    strides.push_back(array.strides[i] / item);
  }
  const auto [device_type, device_number] = dlpack_device(array);
  const nb::ndarray<nb::array_api, Qualifiers...> made(
      reinterpret_cast<void*>(array.address),  // NOLINT: the consumer's address on the device
      shape.size(),
      shape.data(),
      owner,
      strides.data(),
      dtype_for(array.element),
      device_type,
      device_number);
  return nb::cast(made);
}

nb::object to_dlpack(
    nb::handle self,
    const std::optional<std::int64_t>& stream,
    nb::handle max_version,
    const std::optional<std::pair<int, int>>& wanted_device,
    std::optional<bool> copy) {
  const auto& array = nb::cast<const DeviceArray&>(self);
  if (copy.value_or(false))
    throw nb::buffer_error("copies through DLPack are not supported; copy_to_host() makes one");
  if (wanted_device && *wanted_device != dlpack_device(array))
    throw nb::buffer_error("the array is on another device than the one asked for");
  order_streams(array, stream);
  const nb::object made =
      array.is_read_only ? wrapped<nb::ro>(array, self) : wrapped<>(array, self);
  return made.attr("__dlpack__")("max_version"_a = max_version);
}

template <typename Array>
DeviceArray adopt(Array given, bool is_read_only) {
  const ir::Type element = element_of(given.dtype());
  Extents shape;
  Extents strides;
  for (std::size_t i = 0; i < given.ndim(); ++i) {
    shape.push_back(static_cast<std::int64_t>(given.shape(i)));
    strides.push_back(given.stride(i) * static_cast<std::int64_t>(ir::size_of(element)));
  }
  const auto address = reinterpret_cast<std::uintptr_t>(given.data());
  runtime::Device& device = device_of(nb::dlpack::device{given.device_type(), given.device_id()});
  const std::shared_ptr<void> owner(new Array(std::move(given)), [](void* held) {
    const GilHeld gil;
    delete static_cast<Array*>(held);
  });
  return views::foreign_array(
      engine().types(),
      device,
      nullptr,
      {.address = address,
       .element = element,
       .shape = std::move(shape),
       .strides = std::move(strides),
       .is_read_only = is_read_only,
       .owner = owner});
}

}  // namespace

DeviceArray array_from_dlpack(nb::handle object) {
  nb::ndarray<> writable;
  if (nb::try_cast(object, writable, false))
    return adopt(std::move(writable), false);
  nb::ndarray<nb::ro> constant;
  if (nb::try_cast(object, constant, false))
    return adopt(std::move(constant), true);
  throw TypeError(
      std::string(nb::repr(object.type()).c_str()) + " does not give its memory through DLPack");
}

void bind_dlpack(nb::module_& module, nb::class_<DeviceArray>& type) {
  type.def(
      "__dlpack__",
      &to_dlpack,
      nb::kw_only(),
      "stream"_a = nb::none(),
      "max_version"_a = nb::none(),
      "dl_device"_a = nb::none(),
      "copy"_a = nb::none());
  type.def("__dlpack_device__", &dlpack_device);
  module.def(
      "from_dlpack",
      &array_from_dlpack,
      "object"_a,
      "An array over the memory that an object shares.");
}

}  // namespace phalanx::bindings
