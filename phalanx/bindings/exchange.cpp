#include "phalanx/bindings/exchange.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <optional>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/gil.h"
#include "phalanx/views/device_array.h"

namespace nb = nanobind;

namespace phalanx::bindings {

namespace {

constexpr int on_cuda_host = 3;
constexpr int on_cuda_managed = 13;

const ExchangeApi* find_api(PyTypeObject* type) {
  const nb::object capsule =
      attribute_or_none(nb::handle(reinterpret_cast<PyObject*>(type)), "__dlpack_c_exchange_api__");
  if (capsule.is_none() || PyCapsule_IsValid(capsule.ptr(), "dlpack_exchange_api") == 0)
    return nullptr;
  const auto* api =
      static_cast<const ExchangeApi*>(PyCapsule_GetPointer(capsule.ptr(), "dlpack_exchange_api"));
  // Another major version may have another layout.
  if (api == nullptr || api->header.major != 1 || api->tensor_of == nullptr ||
      api->current_stream == nullptr)
    return nullptr;
  return api;
}

// Rows never change once they are counted, so that readers need no lock.
class KnownApis {
 public:
  std::optional<const ExchangeApi*> find(PyTypeObject* type) const {
    const std::size_t count = count_.load(std::memory_order_acquire);
    for (std::size_t i = 0; i < count; ++i) {
      if (rows_.at(i).type == type)
        return rows_.at(i).api;
    }
    return std::nullopt;
  }

  void add(PyTypeObject* type, const ExchangeApi* api) {
    const nb::ft_lock_guard lock(mutex_);
    const std::size_t count = count_.load(std::memory_order_relaxed);
    if (count == rows_.size() || find(type))
      return;
    Py_INCREF(reinterpret_cast<PyObject*>(type));
    rows_.at(count) = {type, api};
    count_.store(count + 1, std::memory_order_release);
  }

 private:
  struct Row {
    PyTypeObject* type = nullptr;  // held, so that its address stays its own
    const ExchangeApi* api = nullptr;
  };

  nb::ft_mutex mutex_;  // of those who add
  std::array<Row, 16> rows_;
  std::atomic<std::size_t> count_ = 0;
};

}  // namespace

const ExchangeApi* exchange_api_of(PyTypeObject* type) {
  static KnownApis known;
  if (const auto found = known.find(type))
    return *found;
  const ExchangeApi* api = find_api(type);
  known.add(type, api);
  return api;
}

std::uint8_t dlpack_code(DType dtype) {
  using nb::dlpack::dtype_code;
  if (dtype == DType::bfloat16)
    return static_cast<std::uint8_t>(dtype_code::Bfloat);
  switch (kind_of(dtype)) {
    case DTypeKind::boolean:
      return static_cast<std::uint8_t>(dtype_code::Bool);
    case DTypeKind::signed_integer:
      return static_cast<std::uint8_t>(dtype_code::Int);
    case DTypeKind::unsigned_integer:
      return static_cast<std::uint8_t>(dtype_code::UInt);
    case DTypeKind::floating:
      return static_cast<std::uint8_t>(dtype_code::Float);
    case DTypeKind::complex_floating:
      return static_cast<std::uint8_t>(dtype_code::Complex);
  }
  return 0;
}

ir::Type element_of(const nb::dlpack::dtype& given) {
  for (std::size_t i = 0; i < dtype_table.size(); ++i) {
    const auto dtype = static_cast<DType>(i);
    if (given.lanes == 1 && given.code == dlpack_code(dtype) && given.bits == bits_of(dtype))
      return dtype;
  }
  throw TypeError(
      "kernels have no element type for DLPack's type " + std::to_string(given.code) + " of " +
      std::to_string(given.bits) + " bits");
}

runtime::Device& device_of(const nb::dlpack::device& device) {
  runtime::Runtime& runtime = engine().runtime();
  if (device.device_type == row_of(DeviceKind::cpu).dlpack || device.device_type == on_cuda_host)
    return runtime.cpu();
  if (device.device_type == on_cuda_managed)
    return runtime.cuda(device.device_id);
  for (const DeviceRow& row : device_table) {
    if (row.dlpack == device.device_type)
      return runtime.device(row.kind, device.device_id);
  }
  throw TypeError("an array is on a device that this package does not know");
}

void fill_byte_strides(const nb::dlpack::dltensor& tensor, std::int64_t* strides) {
  const auto item = static_cast<std::int64_t>((tensor.dtype.bits + 7) / 8);
  std::int64_t stride = item;
  for (std::int32_t i = tensor.ndim - 1; i >= 0; --i) {
    strides[i] = tensor.strides != nullptr ? tensor.strides[i] * item : stride;
    stride *= std::max<std::int64_t>(tensor.shape[i], 1);
  }
}

ir::Layout layout_of(
    const std::int64_t* shape,
    const std::int64_t* strides,
    std::size_t ndim,
    std::size_t item_bytes) {
  if (ndim <= 1)
    return ndim == 0 || shape[0] <= 1 || strides[0] == static_cast<std::int64_t>(item_bytes)
               ? ir::Layout::c
               : ir::Layout::any;
  return views::layout_of(
      Extents(shape, shape + ndim), Extents(strides, strides + ndim), item_bytes);
}

}  // namespace phalanx::bindings
