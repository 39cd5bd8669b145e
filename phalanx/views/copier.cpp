#include "phalanx/views/copier.h"

#include <bit>
#include <string>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/runtime/runtime.h"
#include "phalanx/views/copy_kernels.h"
#include "phalanx/views/copy_plan.h"
#include "phalanx/views/host_copy.h"

namespace phalanx::views {

namespace {

runtime::Address address_of(const void* host) { return reinterpret_cast<runtime::Address>(host); }
void* host_pointer(runtime::Address address) {
  return reinterpret_cast<void*>(address);  // NOLINT(performance-no-int-to-ptr)
}

Elements elements_of(const DeviceArray& array) { return {array.address, array.strides}; }
Elements host_elements_of(const DeviceArray& array) {
  return {address_of(array.host), array.strides};
}
Elements elements_of(const HostArray& array) { return {address_of(array.data), array.strides}; }

// What all arrays of a copy share.
struct Items {
  const Extents& shape;
  std::size_t bytes;  // of one

  CopyPlan plan(const Elements& to, const Elements& from) const {
    return plan_copy(shape, to, from, bytes);
  }
  Extents packed(const Extents& strides) const { return packed_strides(shape, strides, bytes); }
  bool may_overlap(const Elements& a, const Elements& b) const {
    return views::may_overlap(shape, a, b, bytes);
  }
  // The first element's distance from the lowest byte.
  runtime::Address first(const Extents& strides) const {
    return static_cast<runtime::Address>(-byte_range(shape, strides, bytes).low);
  }
  std::size_t all_bytes() const { return static_cast<std::size_t>(element_count(shape)) * bytes; }
};

// Memory without gaps that elements are in for a while.
struct Temporary {
  Temporary(
      const Items& items,
      const Extents& strides,
      runtime::Stream& stream,
      runtime::MemoryKind kind = runtime::MemoryKind::device)
      : buffer(stream.device().allocate(items.all_bytes(), kind, stream.shared_from_this())) {
    const bool is_host = kind == runtime::MemoryKind::pinned;
    const runtime::Address start = is_host ? address_of(buffer.host()) : buffer.address();
    elements = {start + items.first(strides), strides};
  }

  runtime::Buffer buffer;
  Elements elements;
};

bool is_recording(const runtime::Stream& stream) {
  return stream.kind() == runtime::StreamKind::recording;
}

// A recorded copy runs later: what needs the host's help or more memory cannot be one.
void check_can_wait(const runtime::Stream& stream) {
  if (is_recording(stream))
    throw ValueError(
        "a graph cannot copy between arrays whose elements lie in different orders; copy to an "
        "array of the same strides");
}

void check_same_shape(const Extents& other, std::size_t other_item, const DeviceArray& array) {
  if (other != array.shape)
    throw ValueError("a copy needs two arrays of one shape");
  if (other_item != array.item_bytes())
    throw ValueError(
        "a copy needs two arrays of one item size: the host's items have " +
        std::to_string(other_item) + " bytes, the device's " + std::to_string(array.item_bytes()));
}

void use(const DeviceArray& array, runtime::Stream& stream) {
  array.memory->buffer.used_on(stream.shared_from_this());
}

std::shared_ptr<runtime::Event> record(runtime::Stream& stream) {
  auto event = stream.device().create_event(false);
  event->record(stream);
  return event;
}

// Between two streams: the copy comes after what the source's stream has now, and that stream's
// later work, which may write to the source, after the copy. A recording has no such stream.
class Ordered {
 public:
  Ordered(runtime::Stream& giving, runtime::Stream& copying)
      : giving_(&giving), copying_(&copying), needs_events_(needs_events(giving, copying)) {
    if (needs_events_)
      copying.wait(*record(giving));
  }
  void finish() {
    if (needs_events_)
      giving_->wait(*record(*copying_));
  }

 private:
  static bool needs_events(const runtime::Stream& giving, const runtime::Stream& copying) {
    return &giving != &copying && !is_recording(giving) && !is_recording(copying);
  }

  runtime::Stream* giving_;
  runtime::Stream* copying_;
  bool needs_events_;
};

}  // namespace

// One copy: the steps that its sides and their strides need.
class Copier::Steps {
 public:
  Steps(Copier& copier, const DeviceArray& array)
      : copier_(copier), items_{array.shape, array.item_bytes()} {}

  // Both sides are the host's.
  void on_host(const Elements& to, const Elements& from) const {
    const CopyPlan plan = items_.plan(to, from);
    if (plan.is_one_run() || !items_.may_overlap(to, from))
      return copy_on_host(*copier_.runtime_, plan);
    const Temporary temporary(
        items_, items_.packed(to.strides), *copier_.runtime_->cpu().default_stream());
    copy_on_host(*copier_.runtime_, items_.plan(temporary.elements, from));
    copy_on_host(*copier_.runtime_, items_.plan(to, temporary.elements));
  }

  // Both sides are the memory of the stream's device, a GPU.
  void on_gpu(const Elements& to, const Elements& from, runtime::Stream& stream) const {
    if (!items_.may_overlap(to, from))
      return queue(items_.plan(to, from), stream);
    check_can_wait(stream);
    const Temporary temporary(items_, items_.packed(to.strides), stream);
    queue(items_.plan(temporary.elements, from), stream);
    queue(items_.plan(to, temporary.elements), stream);
  }

  // From the host. The GPU changes the order of the elements, and the host leaves out the gaps.
  void to_gpu(const Elements& to, const Elements& from, runtime::Stream& stream) const {
    const Extents packed = items_.packed(from.strides);
    if (packed == from.strides)
      return send(to, from, stream);
    check_can_wait(stream);
    const Temporary host(items_, packed, stream, runtime::MemoryKind::pinned);
    stream.synchronize();  // what is queued may write to the source
    on_host(host.elements, from);
    send(to, host.elements, stream);
  }

  void to_host(const Elements& to, const Elements& from, runtime::Stream& stream) const {
    const Extents packed = items_.packed(to.strides);
    if (packed == to.strides)
      return receive(to, from, stream);
    check_can_wait(stream);
    const Temporary host(items_, packed, stream, runtime::MemoryKind::pinned);
    receive(host.elements, from, stream);
    stream.synchronize();
    on_host(to, host.elements);
  }

  // From GPU to GPU, each of which packs and unpacks its own side.
  void to_peer(
      const DeviceArray& target, const DeviceArray& source, runtime::Stream& stream) const {
    runtime::Stream& giving = source.queue();
    const Extents packed = items_.packed(target.strides);
    const auto transfer = [&](const Elements& to, const Elements& from) {
      Ordered order(giving, stream);
      const CopyPlan plan = items_.plan(to, from);
      PHX_ASSERT(plan.is_one_run());
      target.device->cuda()->copy_from_peer(plan.to, *source.device, plan.from, plan.run, stream);
      order.finish();
    };
    const auto receive_from = [&](const Elements& from) {
      if (packed == target.strides)
        return transfer(elements_of(target), from);
      const Temporary here(items_, packed, stream);
      transfer(here.elements, from);
      queue(items_.plan(elements_of(target), here.elements), stream);
    };
    if (items_.plan({0, packed}, {0, source.strides}).is_one_run())
      return receive_from(elements_of(source));
    const Temporary there(items_, packed, giving);
    queue(items_.plan(there.elements, elements_of(source)), giving);
    receive_from(there.elements);
  }

 private:
  void queue(const CopyPlan& plan, runtime::Stream& stream) const {
    if (plan.is_one_run())
      stream.device().copy(plan.to, plan.from, plan.run, stream);
    else
      copier_.kernels_->launch(plan, stream);
  }

  // `from`, on the host, has no gaps.
  void send(const Elements& to, const Elements& from, runtime::Stream& stream) const {
    const auto transfer = [&](const CopyPlan& plan) {
      stream.device().copy_to_device(plan.to, host_pointer(plan.from), plan.run, stream);
    };
    const CopyPlan plan = items_.plan(to, from);
    if (plan.is_one_run())
      return transfer(plan);
    check_can_wait(stream);
    const Temporary here(items_, from.strides, stream);
    transfer(items_.plan(here.elements, from));
    queue(items_.plan(to, here.elements), stream);
  }

  // `to`, on the host, has no gaps.
  void receive(const Elements& to, const Elements& from, runtime::Stream& stream) const {
    const auto transfer = [&](const CopyPlan& plan) {
      stream.device().copy_to_host(host_pointer(plan.to), plan.from, plan.run, stream);
    };
    const CopyPlan plan = items_.plan(to, from);
    if (plan.is_one_run())
      return transfer(plan);
    check_can_wait(stream);
    const Temporary here(items_, to.strides, stream);
    queue(items_.plan(here.elements, from), stream);
    transfer(items_.plan(to, here.elements));
  }

  Copier& copier_;
  Items items_;
};

Copier::Copier(runtime::Runtime& runtime, PrepareKernel prepare)
    : runtime_(&runtime), kernels_(std::make_unique<CopyKernels>(std::move(prepare))) {}
Copier::~Copier() = default;

void Copier::from_host(
    const DeviceArray& target, const HostArray& source, runtime::Stream& stream, bool wait) {
  check_same_shape(source.shape, source.item_bytes, target);
  if (target.bytes() == 0)
    return;
  const Steps steps(*this, target);
  const CopyPlan plan =
      plan_copy(target.shape, elements_of(target), elements_of(source), target.item_bytes());
  use(target, stream);
  if (plan.is_one_run()) {
    target.device->copy_to_device(plan.to, host_pointer(plan.from), plan.run, stream);
  } else if (target.host != nullptr) {
    check_can_wait(stream);
    stream.synchronize();
    steps.on_host(host_elements_of(target), elements_of(source));
  } else {
    steps.to_gpu(elements_of(target), elements_of(source), stream);
  }
  if (wait)
    stream.synchronize();
}

void Copier::to_host(
    const DeviceArray& source, const HostArray& target, runtime::Stream& stream, bool wait) {
  check_same_shape(target.shape, target.item_bytes, source);
  if (source.bytes() == 0)
    return;
  const Steps steps(*this, source);
  const CopyPlan plan =
      plan_copy(source.shape, elements_of(target), elements_of(source), source.item_bytes());
  use(source, stream);
  if (plan.is_one_run()) {
    source.device->copy_to_host(host_pointer(plan.to), plan.from, plan.run, stream);
  } else if (source.host != nullptr) {
    check_can_wait(stream);
    stream.synchronize();
    steps.on_host(elements_of(target), host_elements_of(source));
  } else {
    steps.to_host(elements_of(target), elements_of(source), stream);
  }
  if (wait)
    stream.synchronize();
}

void Copier::copy_within(
    const DeviceArray& target, const DeviceArray& source, runtime::Stream& stream) {
  const Elements to = elements_of(target);
  const Elements from = elements_of(source);
  Ordered order(source.queue(), stream);
  use(target, stream);
  use(source, stream);
  const Steps steps(*this, target);
  if (!target.device->is_host()) {
    steps.on_gpu(to, from, stream);
  } else if (const CopyPlan plan = plan_copy(target.shape, to, from, target.item_bytes());
             plan.is_one_run()) {
    target.device->copy(plan.to, plan.from, plan.run, stream);
  } else {
    check_can_wait(stream);
    stream.synchronize();
    steps.on_host(to, from);
  }
  order.finish();
}

void Copier::copy(const DeviceArray& target, const DeviceArray& source, runtime::Stream& stream) {
  check_same_shape(source.shape, source.item_bytes(), target);
  if (target.bytes() == 0)
    return;
  if (target.device == source.device)
    return copy_within(target, source, stream);
  check_can_wait(stream);
  if (source.device->is_host()) {
    source.queue().synchronize();
    return from_host(
        target, {source.host, source.shape, source.strides, source.item_bytes()}, stream, true);
  }
  if (target.device->is_host()) {
    stream.synchronize();
    return to_host(
        source,
        {target.host, target.shape, target.strides, target.item_bytes()},
        source.queue(),
        true);
  }
  use(source, source.queue());
  use(target, stream);
  Steps(*this, target).to_peer(target, source, stream);
}

void Copier::fill(
    const DeviceArray& target, std::span<const std::byte> item, runtime::Stream& stream) {
  if (item.size() != target.item_bytes())
    throw ValueError("a fill needs the bytes of one item");
  if (target.bytes() == 0)
    return;
  // Every element of the source is the one item.
  const Elements one{address_of(item.data()), Extents(target.shape.size(), 0)};
  CopyPlan plan = plan_copy(target.shape, elements_of(target), one, item.size());
  const bool has_gaps =
      !plan.is_one_run() &&
      (plan.loops.size() > 1 || plan.loops.front().to != static_cast<std::int64_t>(item.size()));
  const bool is_pattern =
      item.size() <= 16 && std::has_single_bit(item.size()) && plan.to % item.size() == 0;
  use(target, stream);
  if (!has_gaps && is_pattern)
    return target.device->fill(plan.to, item, static_cast<std::size_t>(plan.runs()), stream);
  check_can_wait(stream);
  if (target.host != nullptr) {
    stream.synchronize();
    return Steps(*this, target).on_host(host_elements_of(target), one);
  }
  const runtime::Buffer there =
      stream.device().allocate(item.size(), runtime::MemoryKind::device, stream.shared_from_this());
  stream.device().copy_to_device(there.address(), item.data(), item.size(), stream);
  plan.from = there.address();
  kernels_->launch(plan, stream);
}

}  // namespace phalanx::views
