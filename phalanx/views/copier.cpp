#include "phalanx/views/copier.h"

#include <cstring>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/runtime/runtime.h"

namespace phalanx::views {

namespace {

// A recorded copy runs later: what needs the host's help cannot be one.
void check_can_wait(const runtime::Stream& stream) {
  if (stream.kind() == runtime::StreamKind::recording)
    throw ValueError(
        "a graph cannot copy between arrays whose elements lie in different orders; copy to an "
        "array of the same strides");
}

struct View {
  std::byte* data;
  const Extents* strides;
};

// Copies element by element; the innermost dimension is a loop of its own.
void copy_strided(
    const View& to,
    const View& from,
    const Extents& shape,
    std::size_t item_bytes,
    std::size_t dimension = 0) {
  if (dimension == shape.size()) {
    std::memcpy(to.data, from.data, item_bytes);
    return;
  }
  const std::int64_t to_step = (*to.strides)[dimension];
  const std::int64_t from_step = (*from.strides)[dimension];
  const std::int64_t extent = shape[dimension];
  const auto item = static_cast<std::int64_t>(item_bytes);
  if (dimension + 1 == shape.size() && to_step == item && from_step == item) {
    std::memcpy(to.data, from.data, static_cast<std::size_t>(extent * item));
    return;
  }
  for (std::int64_t i = 0; i < extent; ++i) {
    copy_strided(
        {to.data + i * to_step, to.strides},
        {from.data + i * from_step, from.strides},
        shape,
        item_bytes,
        dimension + 1);
  }
}

void check_same_shape(const Extents& host, std::size_t host_item, const DeviceArray& array) {
  if (host != array.shape)
    throw ValueError("a copy needs two arrays of one shape");
  if (host_item != array.item_bytes())
    throw ValueError(
        "a copy needs two arrays of one item size: the host's items have " +
        std::to_string(host_item) + " bytes, the device's " + std::to_string(array.item_bytes()));
}

// One memcpy does it: both sides are contiguous in the same order.
bool is_contiguous_copy(const DeviceArray& array, const Extents& other_strides) {
  for (const auto layout : {ir::Layout::c, ir::Layout::f}) {
    if (is_contiguous(array.shape, array.strides, array.item_bytes(), layout) &&
        is_contiguous(array.shape, other_strides, array.item_bytes(), layout))
      return true;
  }
  return false;
}

// The device's bytes from the array's first to its last, held on the host for a strided copy.
struct Staging {
  explicit Staging(const DeviceArray& array)
      : range(byte_range(array.shape, array.strides, array.item_bytes())),
        bytes(static_cast<std::size_t>(range.high - range.low)),
        address(array.address + static_cast<runtime::Address>(range.low)) {}

  std::byte* first_element() { return bytes.data() - range.low; }

  ByteRange range;
  std::vector<std::byte> bytes;
  runtime::Address address;
};

}  // namespace

// Kernels that copies need.
class CopyKernels {
 public:
  explicit CopyKernels(PrepareKernel prepare) : prepare_(std::move(prepare)) {}

 private:
  PrepareKernel prepare_;
};

Copier::Copier(runtime::Runtime& runtime, PrepareKernel prepare)
    : runtime_(&runtime), kernels_(std::make_unique<CopyKernels>(std::move(prepare))) {}
Copier::~Copier() = default;

void Copier::from_host(
    const DeviceArray& target, const HostArray& source, runtime::Stream& stream, bool wait) {
  check_same_shape(source.shape, source.item_bytes, target);
  if (target.bytes() == 0)
    return;
  target.memory->buffer.used_on(stream.shared_from_this());
  if (is_contiguous_copy(target, source.strides)) {
    target.device->copy_to_device(target.address, source.data, target.bytes(), stream);
  } else if (check_can_wait(stream); target.host != nullptr) {
    stream.synchronize();
    const View from{static_cast<std::byte*>(source.data), &source.strides};
    copy_strided(
        {static_cast<std::byte*>(target.host), &target.strides},
        from,
        target.shape,
        target.item_bytes());
  } else {
    Staging staging(target);
    // What lies between the elements of a strided target must stay as it is.
    if (staging.bytes.size() != target.bytes()) {
      target.device->copy_to_host(
          staging.bytes.data(), staging.address, staging.bytes.size(), stream);
      stream.synchronize();
    }
    const View from{static_cast<std::byte*>(source.data), &source.strides};
    copy_strided(
        {staging.first_element(), &target.strides}, from, target.shape, target.item_bytes());
    target.device->copy_to_device(
        staging.address, staging.bytes.data(), staging.bytes.size(), stream);
  }
  if (wait)
    stream.synchronize();
}

void Copier::to_host(
    const DeviceArray& source, const HostArray& target, runtime::Stream& stream, bool wait) {
  check_same_shape(target.shape, target.item_bytes, source);
  if (source.bytes() == 0)
    return;
  source.memory->buffer.used_on(stream.shared_from_this());
  const View to{static_cast<std::byte*>(target.data), &target.strides};
  if (is_contiguous_copy(source, target.strides)) {
    source.device->copy_to_host(target.data, source.address, source.bytes(), stream);
  } else if (check_can_wait(stream); source.host != nullptr) {
    stream.synchronize();
    const View from{static_cast<std::byte*>(source.host), &source.strides};
    copy_strided(to, from, source.shape, source.item_bytes());
  } else {
    Staging staging(source);
    source.device->copy_to_host(
        staging.bytes.data(), staging.address, staging.bytes.size(), stream);
    stream.synchronize();
    copy_strided(to, {staging.first_element(), &source.strides}, source.shape, source.item_bytes());
  }
  if (wait)
    stream.synchronize();
}

namespace {

std::shared_ptr<runtime::Event> record(runtime::Stream& stream) {
  auto event = stream.device().create_event(false);
  event->record(stream);
  return event;
}

// From GPU to GPU, after what the source's stream has now; that stream waits for the copy, so that
// the source's memory is not given back before.
void copy_from_peer(const DeviceArray& target, const DeviceArray& source, runtime::Stream& stream) {
  runtime::Stream& giving = source.queue();
  source.memory->buffer.used_on(giving.shared_from_this());
  target.memory->buffer.used_on(stream.shared_from_this());
  stream.wait(*record(giving));
  target.device->cuda()->copy_from_peer(
      target.address, *source.device, source.address, target.bytes(), stream);
  giving.wait(*record(stream));
}

}  // namespace

void Copier::copy(const DeviceArray& target, const DeviceArray& source, runtime::Stream& stream) {
  check_same_shape(source.shape, source.item_bytes(), target);
  if (target.bytes() == 0)
    return;
  if (target.device == source.device && is_contiguous_copy(target, source.strides)) {
    target.memory->buffer.used_on(stream.shared_from_this());
    source.memory->buffer.used_on(stream.shared_from_this());
    target.device->copy(target.address, source.address, target.bytes(), stream);
    return;
  }
  check_can_wait(stream);
  const bool are_gpus = target.device->cuda() != nullptr && source.device->cuda() != nullptr;
  if (are_gpus && is_contiguous_copy(target, source.strides))
    return copy_from_peer(target, source, stream);
  // The CPU device or another order: through the host.
  std::vector<std::byte> bytes(source.bytes());
  const HostArray host{
      bytes.data(),
      source.shape,
      contiguous_strides(source.shape, source.item_bytes(), ir::Layout::c),
      source.item_bytes()};
  to_host(source, host, source.queue(), true);
  from_host(target, host, stream, true);
}

void Copier::fill(
    const DeviceArray& target, std::span<const std::byte> item, runtime::Stream& stream) {
  if (item.size() != target.item_bytes())
    throw ValueError("a fill needs the bytes of one item");
  if (target.bytes() == 0)
    return;
  if (target.layout() != ir::Layout::any && item.size() <= 16 &&
      (item.size() & (item.size() - 1)) == 0) {
    const auto count = static_cast<std::size_t>(element_count(target.shape));
    target.memory->buffer.used_on(stream.shared_from_this());
    target.device->fill(target.address, item, count, stream);
    return;
  }
  check_can_wait(stream);
  // Zero strides: every element of the source is the one item.
  HostArray host{nullptr, target.shape, Extents(target.shape.size(), 0), item.size()};
  host.data = const_cast<std::byte*>(item.data());  // NOLINT: read only
  from_host(target, host, stream, true);
}

}  // namespace phalanx::views
