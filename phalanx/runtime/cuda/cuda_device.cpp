#include "phalanx/runtime/cuda/cuda_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/runtime/cuda/cuda_executable.h"
#include "phalanx/runtime/cuda/cuda_graph.h"
#include "phalanx/runtime/cuda/cuda_span.h"
#include "phalanx/runtime/cuda/device_copy.h"
#include "phalanx/runtime/cuda/launcher.h"
#include "phalanx/runtime/fork.h"
#include "phalanx/runtime/live_memory.h"
#include "phalanx/runtime/recording.h"

namespace phalanx::runtime::cuda {

namespace {

// The stream that memory used on `stream` is given back in. A thread's default stream is another
// one on the thread that drops the memory; the legacy one comes after all of them.
StreamHandle queue_of_free(Stream& stream) {
  return stream.kind() == StreamKind::per_thread_default
             ? legacy_stream()
             : static_cast<CudaStream&>(stream).native();
}

// The legacy default stream orders itself with all but the non-blocking ones. What another library
// made may be of either sort.
bool is_ordered_anyway(StreamKind a, StreamKind b) {
  const auto is_blocking = [](StreamKind kind) {
    return kind == StreamKind::blocking || kind == StreamKind::per_thread_default;
  };
  return (a == StreamKind::legacy_default && is_blocking(b)) ||
         (b == StreamKind::legacy_default && is_blocking(a));
}

// A recorded copy runs later, and the driver reads pageable memory at once.
void check_recorded_copy(const Driver& driver, const CudaStream& queue, const void* host) {
  if (queue.is_recording() && !is_pinned(driver, host))
    refuse_to_record("copy host memory that is not page-locked (see cuda.pinned_array)");
}

}  // namespace

CudaDevice::State::State(CudaDevice& device, const Driver& driver)
    : context(std::make_shared<Context>(driver, device.handle_)),
      pool(*context, device.handle_, device.ordinal_),
      pinned(*context),
      staging(*context, pinned),
      default_stream(std::make_shared<CudaStream>(
          device, context, StreamKind::legacy_default, legacy_stream(), nullptr)),
      textures(device, context) {}

CudaDevice::CudaDevice(const Driver& driver, int ordinal)
    : driver_(driver), ordinal_(ordinal), generation_(fork_generation()) {
  const LibraryCall call;
  CU(driver_, device_get(&handle_, ordinal));
  const auto extent = [this](DeviceAttribute attribute) {
    return static_cast<std::uint32_t>(number(attribute));
  };
  limits_.max_threads_per_block = extent(device_max_threads_per_block);
  limits_.max_block = {
      extent(device_max_block_x), extent(device_max_block_y), extent(device_max_block_z)};
  limits_.max_grid = {
      extent(device_max_grid_x), extent(device_max_grid_y), extent(device_max_grid_z)};
  limits_.default_shared_bytes = extent(device_shared_bytes);
  limits_.max_shared_bytes =
      std::max<std::uint64_t>(extent(device_max_shared_bytes), limits_.default_shared_bytes);
  limits_.warp_size = extent(device_warp_size);
  limits_.multiprocessors = extent(device_multiprocessors);
  limits_.max_threads_per_multiprocessor = extent(device_max_threads_per_multiprocessor);
  limits_.compute_capability =
      10 * extent(device_capability_major) + extent(device_capability_minor);
  std::size_t bytes = 0;
  CU(driver_, device_total_memory(&bytes, handle_));
  limits_.total_memory = bytes;
}

CudaDevice::~CudaDevice() = default;

int CudaDevice::number(DeviceAttribute attribute) const {
  int value = 0;
  CU(driver_, device_attribute(&value, attribute, handle_));
  return value;
}

CudaDevice::State& CudaDevice::state() {
  State* started = started_.load(std::memory_order_acquire);
  return started != nullptr ? *started : start();
}

CudaDevice::State& CudaDevice::start() {
  const std::lock_guard lock(mutex_);
  if (generation_ != fork_generation())
    throw_forked();
  if (!state_) {
    state_ = std::make_unique<State>(*this, driver_);
    started_.store(state_.get(), std::memory_order_release);
  }
  return *state_;
}

std::string CudaDevice::name() {
  char text[256] = {};
  const LibraryCall call;
  CU(driver_, device_name(text, sizeof(text) - 1, handle_));
  return text;
}

MemoryInfo CudaDevice::memory_info() {
  State& s = state();
  const auto scope = s.context->enter();
  std::size_t free = 0;
  std::size_t total = 0;
  CU_IN(*s.context, memory_info(&free, &total));
  return {free, total, s.pool.used(), s.pool.cached()};
}

void CudaDevice::trim_pool() {
  State& s = state();
  s.pool.trim();
  s.pinned.trim();
}

std::uint64_t CudaDevice::cached_memory() { return state().pool.cached(); }

Device::Memory CudaDevice::allocate_memory(std::size_t bytes, MemoryKind kind, Stream& stream) {
  State& s = state();
  const auto scope = s.context->enter();
  DevicePointer pointer = 0;
  switch (kind) {
    case MemoryKind::device:
      return {s.pool.allocate(bytes, as_cuda(stream, *this).native()), nullptr};
    case MemoryKind::shared:
      CU_IN(*s.context, memory_allocate(&pointer, bytes));
      return {pointer, nullptr};
    case MemoryKind::managed:
      CU_IN(*s.context, managed_allocate(&pointer, bytes, managed_global));
      return {pointer, reinterpret_cast<void*>(pointer)};
    case MemoryKind::pinned:
    case MemoryKind::mapped:
      break;
  }
  void* host = s.pinned.allocate(bytes);
  CU_IN(*s.context, host_device_pointer(&pointer, host, 0));
  return {pointer, host};
}

void CudaDevice::order(Stream& earlier, Stream& later) {
  if (is_ordered_anyway(earlier.kind(), later.kind()))
    return;
  State& s = state();
  const auto scope = s.context->enter();
  const std::array streams = {as_cuda(later, *this).native(), as_cuda(earlier, *this).native()};
  wait_for_streams(*s.context, streams);
}

void CudaDevice::free_memory(
    const Memory& memory,
    std::size_t bytes,
    MemoryKind kind,
    Stream& stream,
    std::span<const std::shared_ptr<Stream>> others) noexcept {
  State& s = *started_.load(std::memory_order_acquire);  // it gave the memory out
  const auto scope = s.context->try_enter();
  if (!scope)
    return;
  std::vector<StreamHandle> streams = {queue_of_free(stream)};
  for (const std::shared_ptr<Stream>& other : others) {
    if (!is_ordered_anyway(stream.kind(), other->kind()))
      streams.push_back(queue_of_free(*other));
  }
  switch (kind) {
    case MemoryKind::device:
      wait_for_streams(*s.context, streams);
      s.pool.free(memory.address, bytes, streams.front());
      return;
    case MemoryKind::shared:
    case MemoryKind::managed:
      note_returned(memory.address);
      driver_.memory_free(memory.address);  // waits for the device
      return;
    case MemoryKind::pinned:
    case MemoryKind::mapped:
      s.pinned.free(memory.host, bytes, streams);
      return;
  }
}

std::shared_ptr<void> CudaDevice::pin(void* host, std::size_t bytes, bool mapped) {
  State& s = state();
  const auto scope = s.context->enter();
  const unsigned flags = host_portable | (mapped ? host_mapped : 0);
  const Result outcome = driver_.host_register(host, bytes, flags);
  if (outcome == result::already_registered)
    return {shared_from_this(), host};
  s.context->check(outcome, "host_register");
  const auto unpin = [context = s.context, device = shared_from_this()](void* memory) {
    if (const auto inner = context->try_enter())
      context->driver().host_unregister(memory);
  };
  return {host, unpin};
}

void CudaDevice::copy_to_device(Address to, const void* from, std::size_t bytes, Stream& stream) {
  if (bytes == 0)
    return;
  State& s = state();
  const auto scope = s.context->enter();
  const CudaStream& queue = as_cuda(stream, *this);
  check_recorded_copy(driver_, queue, from);
  CudaSpan span(ProfileKind::to_device, queue, bytes);
  span.set_host(from, bytes);
  if (bytes >= Staging::worthwhile_bytes && !is_pinned(driver_, from))
    s.staging.copy_to_device(to, static_cast<const std::byte*>(from), bytes, queue.native());
  else
    CU_IN(*s.context, copy_to_device(to, from, bytes, queue.native()));
}

void CudaDevice::copy_to_host(void* to, Address from, std::size_t bytes, Stream& stream) {
  if (bytes == 0)
    return;
  State& s = state();
  const auto scope = s.context->enter();
  CudaStream& queue = as_cuda(stream, *this);
  check_recorded_copy(driver_, queue, to);
  CudaSpan span(ProfileKind::to_host, queue, bytes);
  if (is_pinned(driver_, to)) {
    CU_IN(*s.context, copy_to_host(to, from, bytes, queue.native()));
    return;
  }
  if (bytes >= Staging::worthwhile_bytes)
    s.staging.copy_to_host(static_cast<std::byte*>(to), from, bytes, queue.native());
  else
    CU_IN(*s.context, copy_to_host(to, from, bytes, queue.native()));
  span.set_host(to, bytes);
  queue.drain();  // the data is here: all work before it is done
}

void CudaDevice::copy(Address to, Address from, std::size_t bytes, Stream& stream) {
  if (bytes == 0)
    return;
  State& s = state();
  const auto scope = s.context->enter();
  const CudaStream& queue = as_cuda(stream, *this);
  const CudaSpan span(ProfileKind::copy, queue, bytes);
  CU_IN(*s.context, copy(to, from, bytes, queue.native()));
}

void CudaDevice::copy_rows(
    const CopyDescriptor& copy, const void* host, bool to_host, Stream& stream) {
  State& s = state();
  const auto scope = s.context->enter();
  CudaStream& queue = as_cuda(stream, *this);
  if (host != nullptr)
    check_recorded_copy(driver_, queue, host);
  const ProfileKind kind = host == nullptr ? ProfileKind::copy
                           : to_host       ? ProfileKind::to_host
                                           : ProfileKind::to_device;
  const CudaSpan span(kind, queue, copy.width_bytes * copy.height * copy.depth);
  CU_IN(*s.context, copy_rows(&copy, queue.native()));
  if (to_host && !is_pinned(driver_, host)) {
    CU_IN(*s.context, stream_synchronize(queue.native()));
    queue.drain();  // the data is here: all work before it is done
  }
}

void CudaDevice::fill(
    Address to, std::span<const std::byte> pattern, std::size_t count, Stream& stream) {
  if (count == 0)
    return;
  State& s = state();
  const auto scope = s.context->enter();
  const CudaStream& queue = as_cuda(stream, *this);
  const CudaSpan span(ProfileKind::fill, queue, pattern.size() * count);
  fill_device(*s.context, to, pattern, count, queue.native());
}

const std::shared_ptr<Stream>& CudaDevice::default_stream() { return state().default_stream; }

std::shared_ptr<Stream> CudaDevice::create_stream(StreamKind kind) {
  State& s = state();
  if (kind == StreamKind::legacy_default)
    return s.default_stream;
  if (kind == StreamKind::queued)
    kind = StreamKind::blocking;  // all work runs beside its caller here
  const StreamHandle handle =
      kind == StreamKind::per_thread_default ? per_thread_stream() : nullptr;
  return std::make_shared<CudaStream>(*this, s.context, kind, handle, shared_from_this());
}

std::shared_ptr<Event> CudaDevice::create_event(bool timing) {
  return std::make_shared<CudaEvent>(state().context, timing, shared_from_this());
}

std::shared_ptr<Stream> CudaDevice::start_recording() {
  return std::make_shared<CudaStream>(
      *this, state().context, StreamKind::recording, nullptr, shared_from_this());
}

std::shared_ptr<Graph> CudaDevice::finish_recording(Stream& stream) {
  CudaStream& queue = as_cuda(stream, *this);
  return std::make_shared<CudaGraph>(
      state().context, queue.take_graph(), queue.take_kernels(), shared_from_this());
}

void CudaDevice::synchronize() {
  State& s = state();
  const ProfileSpan span(ProfileKind::wait, *this);
  const auto scope = s.context->enter();
  s.context->synchronize();
  collect_reports(s.context->drain(), static_cast<CudaStream&>(*s.default_stream));
}

std::shared_ptr<Module> CudaDevice::load_module(Binary binary, const LoadOptions& options) {
  State& s = state();
  if (binary.kind == BinaryKind::object)
    throw TypeError("a GPU cannot run the CPU device's code");
  if (binary.kind == BinaryKind::ptx)
    binary = assemble(binary, options, {});
  return std::make_shared<CudaModule>(s.context, std::move(binary), shared_from_this());
}

[[gnu::hot]] CudaExecutable& CudaDevice::as_cuda_executable(Executable& executable) {
  if (executable.kind() != DeviceKind::cuda)
    throw TypeError("the kernel was made for the CPU device, not for a GPU");
  auto& kernel = static_cast<CudaExecutable&>(executable);
  if (&kernel.context() != state().context.get())
    throw TypeError("the kernel was loaded on another GPU");
  return kernel;
}

[[gnu::hot]] void CudaDevice::launch(
    Executable& executable,
    const LaunchConfig& requested,
    std::span<const std::byte> parameters,
    Stream& stream) {
  CudaExecutable& kernel = as_cuda_executable(executable);
  CudaStream& queue = as_cuda(stream, *this);
  const KernelAttributes& known = kernel.known_attributes();
  PHX_ASSERT(parameters.size() == kernel.entry().parameter_bytes);
  const LaunchConfig config = checked_launch(
      kernel,
      requested,
      parameters,
      {.fixed_shared_bytes = known.static_shared_bytes, .max_threads = known.max_threads_per_block},
      limits_);
  const auto scope = kernel.context().enter();
  kernel.allow_shared(config.dynamic_shared_bytes);
  const CudaSpan span(queue, kernel, config);
  start_kernel(kernel, config, parameters, queue);
  queue.note_launch(kernel);
}

BlockSuggestion CudaDevice::suggest_block(
    Executable& executable, std::uint64_t dynamic_shared_bytes, std::uint32_t max_threads) {
  CudaExecutable& kernel = as_cuda_executable(executable);
  const auto scope = kernel.context().enter();
  int grid = 0;
  int block = 0;
  CU_IN(
      kernel.context(),
      suggest_block(
          &grid,
          &block,
          kernel.function(),
          nullptr,
          dynamic_shared_bytes + kernel.entry().moved_shared_bytes,
          static_cast<int>(max_threads)));
  return {static_cast<std::uint32_t>(grid), static_cast<std::uint32_t>(block)};
}

std::uint32_t CudaDevice::active_blocks_per_multiprocessor(
    Executable& executable, std::uint32_t threads, std::uint64_t dynamic_shared_bytes) {
  CudaExecutable& kernel = as_cuda_executable(executable);
  const auto scope = kernel.context().enter();
  int blocks = 0;
  CU_IN(
      kernel.context(),
      active_blocks(
          &blocks,
          kernel.function(),
          static_cast<int>(threads),
          dynamic_shared_bytes + kernel.entry().moved_shared_bytes));
  return static_cast<std::uint32_t>(blocks);
}

}  // namespace phalanx::runtime::cuda
