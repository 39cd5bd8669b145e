#include "phalanx/runtime/cpu/cpu_device.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/runtime/cpu/cooperative.h"
#include "phalanx/runtime/cpu/cpu_executable.h"
#include "phalanx/runtime/cpu/cpu_graph.h"
#include "phalanx/runtime/cpu/cpu_span.h"
#include "phalanx/runtime/cpu/cpu_stream.h"
#include "phalanx/runtime/cpu/print.h"
#include "phalanx/runtime/cpu/topology.h"
#include "phalanx/runtime/raise.h"

namespace phalanx::runtime::cpu {

namespace {

// Shared memory lies in the cache; the limit is an H100's, so that what runs here runs there.
constexpr std::uint64_t shared_bytes_limit = 227 * 1024;

[[noreturn]] void refuse_binary() {
  throw TypeError(
      "PTX and cubins run on a GPU; the CPU device takes executables that were made for it");
}

// True if the process has the page that the byte is on.
bool is_mapped(Address byte) {
  static const auto page = static_cast<Address>(sysconf(_SC_PAGESIZE));
  unsigned char is_resident = 0;
  // NOLINTNEXTLINE: the address need not be of anything
  return mincore(reinterpret_cast<void*>(byte / page * page), 1, &is_resident) == 0;
}

// The filled part doubles, up to what stays in the cache.
void fill_bytes(std::byte* memory, std::span<const std::byte> pattern, std::size_t count) {
  const std::size_t bytes = pattern.size() * count;
  if (bytes == 0)
    return;
  if (pattern.size() == 1) {
    std::memset(memory, static_cast<int>(pattern[0]), bytes);
    return;
  }
  std::size_t filled = pattern.size();
  std::memcpy(memory, pattern.data(), filled);
  constexpr std::size_t longest = 64 * 1024;
  while (filled < bytes) {
    const std::size_t part =
        std::min({filled, bytes - filled, longest / pattern.size() * pattern.size()});
    std::memcpy(memory + filled, memory, part);
    filled += part;
  }
}

ProfileKind kind_of_copy(const void* to, const void* from, const void* host) {
  if (host == nullptr)
    return ProfileKind::copy;
  return host == from && host != to ? ProfileKind::to_device : ProfileKind::to_host;
}

// Holds memory until the stream has come here.
void free_after(Stream& stream, const std::shared_ptr<void>& memory) noexcept {
  WorkQueue* const queue = queue_of(stream);
  if (queue == nullptr)
    return;
  try {
    queue->add_duty([memory] {});
  } catch (const Error&) {
    // A forked child, in which nothing of the queue runs.
  }
}

// The same threads in rows along one dimension, which is swapped with x: the code's threads
// know their position in the grid only (Entry::lane_axis).
LaunchConfig laid_out_along(unsigned axis, const LaunchConfig& config) {
  std::uint32_t blocks[] = {config.grid.x, config.grid.y, config.grid.z};
  std::uint32_t extents[] = {config.block.x, config.block.y, config.block.z};
  std::swap(blocks[0], blocks[axis]);
  std::swap(extents[0], extents[axis]);
  LaunchConfig rows = config;
  rows.grid = {blocks[0], blocks[1] * extents[1], blocks[2] * extents[2]};
  rows.block = {extents[0], 1, 1};
  return rows;
}

CpuLaunch make_launch(const LaunchConfig& config, std::span<const std::byte> parameters) {
  CpuLaunch launch;
  launch.parameters = parameters.data();
  launch.grid[0] = config.grid.x;
  launch.grid[1] = config.grid.y;
  launch.grid[2] = config.grid.z;
  launch.block[0] = config.block.x;
  launch.block[1] = config.block.y;
  launch.block[2] = config.block.z;
  launch.dynamic_shared_bytes = config.dynamic_shared_bytes;
  launch.print = &print_line;
  return launch;
}

}  // namespace

CpuDevice::CpuDevice(int ordinal, unsigned threads, std::shared_ptr<Interrupt> interrupt)
    : ordinal_(ordinal),
      interrupt_(std::move(interrupt)),
      scheduler_(threads, interrupt_),
      default_stream_(std::make_shared<CpuStream>(*this, StreamKind::legacy_default, nullptr)) {
  limits_.max_shared_bytes = shared_bytes_limit;
  limits_.multiprocessors = scheduler_.threads();
  limits_.total_memory = host_memory_info().total;
  // Of a cache of hundreds of MiB that serves a whole socket, few threads keep their part at best.
  constexpr std::size_t most_of_a_thread = std::size_t{32} << 20;
  const std::size_t kept = std::min(last_cache_bytes(), most_of_a_thread * scheduler_.threads());
  non_temporal_kib_ = static_cast<std::uint32_t>(kept >> 10);
}

CpuDevice::~CpuDevice() { queues_.finish(); }

std::string CpuDevice::name() { return cpu_name(); }

MemoryInfo CpuDevice::memory_info() {
  const HostMemoryInfo host = host_memory_info();
  return {host.free, host.total, pool_.used(), pool_.cached()};
}

Device::Memory CpuDevice::allocate_memory(std::size_t bytes, MemoryKind kind, Stream&) {
  void* memory = pool_.allocate(bytes);
  if (kind != MemoryKind::device)
    pinned_.add(memory, bytes);
  return {reinterpret_cast<Address>(memory), memory};
}

void CpuDevice::free_memory(
    const Memory& memory,
    std::size_t bytes,
    MemoryKind kind,
    Stream& stream,
    std::span<const std::shared_ptr<Stream>> others) noexcept {
  if (kind != MemoryKind::device)
    pinned_.remove(memory.host);
  const auto is_queued = [](const auto& other) { return queue_of(*other) != nullptr; };
  if (queue_of(stream) == nullptr && std::ranges::none_of(others, is_queued)) {
    pool_.free(memory.host, bytes);
    return;
  }
  // The last queue that used it gives it back.
  const std::shared_ptr<void> held(
      memory.host, [this, bytes](void* host) { pool_.free(host, bytes); });
  free_after(stream, held);
  for (const std::shared_ptr<Stream>& other : others) free_after(*other, held);
}

// Its first and its last byte are asked for: what begins and ends in memory rarely has gaps.
bool CpuDevice::may_reach(Address begin, std::size_t bytes) const {
  return Device::may_reach(begin, bytes) &&
         (bytes == 0 || (is_mapped(begin) && is_mapped(begin + bytes - 1)));
}

// All memory of the host is reachable as it is. That it was pinned is a promise to leave it as it
// is until a copy is done, which queues go by.
std::shared_ptr<void> CpuDevice::pin(void* host, std::size_t bytes, bool) {
  pinned_.add(host, bytes);
  return {host, [self = shared_from_this(), this](void* pinned) { pinned_.remove(pinned); }};
}

void CpuDevice::order(Stream& earlier, Stream& later) {
  CpuEvent event;
  if (queue_of(earlier) == nullptr)
    return;
  event.record(earlier);
  later.wait(event);
}

bool CpuDevice::takes_steps(Stream& stream) {
  if (stream.kind() == StreamKind::recording || stream.kind() == StreamKind::queued)
    return true;
  // As the streams of a GPU that block: the default stream comes after them.
  if (stream.kind() == StreamKind::legacy_default && queues_.has_queues())
    queues_.wait();
  return false;
}

WorkQueue::Position CpuDevice::add_step(Stream& stream, Step step) {
  if (WorkQueue* const queue = queue_of(stream))
    return queue->add_work(std::move(step));
  recording_in(stream)->add(std::move(step));
  return 0;
}

// `host`: the side that is the host's, whose memory may be reused when this returns unless it is
// pinned; null where both are the device's.
void CpuDevice::copy_host(
    void* to, const void* from, std::size_t bytes, const void* host, Stream& stream) {
  if (bytes == 0)
    return;
  CpuSpan span(kind_of_copy(to, from, host), stream, bytes);
  if (!takes_steps(stream)) {
    std::memmove(to, from, bytes);
    span.set_host(host, bytes);
    return;
  }
  const WorkQueue::Position position =
      add_step(stream, span.timed([=](Interrupt*) { std::memmove(to, from, bytes); }));
  WorkQueue* const queue = queue_of(stream);
  if (queue != nullptr && host != nullptr && !pinned_.contain(host, bytes))
    queue->wait(position);
}

void CpuDevice::copy_to_device(Address to, const void* from, std::size_t bytes, Stream& stream) {
  copy_host(reinterpret_cast<void*>(to), from, bytes, from, stream);
}

void CpuDevice::copy_to_host(void* to, Address from, std::size_t bytes, Stream& stream) {
  copy_host(to, reinterpret_cast<const void*>(from), bytes, to, stream);
}

void CpuDevice::copy(Address to, Address from, std::size_t bytes, Stream& stream) {
  copy_host(
      reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes, nullptr, stream);
}

void CpuDevice::fill(
    Address to, std::span<const std::byte> pattern, std::size_t count, Stream& stream) {
  auto* const memory = reinterpret_cast<std::byte*>(to);
  CpuSpan span(ProfileKind::fill, stream, pattern.size() * count);
  if (takes_steps(stream))
    add_step(
        stream,
        span.timed([memory, count, bytes = std::vector(pattern.begin(), pattern.end())](
                       Interrupt*) { fill_bytes(memory, bytes, count); }));
  else
    fill_bytes(memory, pattern, count);
}

std::shared_ptr<Stream> CpuDevice::create_stream(StreamKind kind) {
  if (kind == StreamKind::queued)
    return std::make_shared<QueuedStream>(*this, shared_from_this(), queues_.make(interrupt_));
  return std::make_shared<CpuStream>(*this, kind, shared_from_this());
}

std::shared_ptr<Event> CpuDevice::create_event(bool) { return std::make_shared<CpuEvent>(); }

std::shared_ptr<Stream> CpuDevice::start_recording() {
  return std::make_shared<CpuRecording>(*this, shared_from_this());
}

std::shared_ptr<Graph> CpuDevice::finish_recording(Stream& stream) {
  CpuRecording* const recording = recording_in(stream);
  PHX_ASSERT(recording != nullptr);
  return std::make_shared<CpuGraph>(recording->take());
}

std::shared_ptr<Module> CpuDevice::load_module(Binary binary, const LoadOptions& options) {
  if (binary.kind != BinaryKind::object)
    refuse_binary();
  if (!options.load_object)
    throw TypeError("the CPU device loads an object with LoadOptions::load_object; it is empty");
  LoadedObject loaded = options.load_object(binary);
  return std::make_shared<CpuModule>(std::move(binary), std::move(loaded));
}

void CpuDevice::launch(
    Executable& executable,
    const LaunchConfig& requested,
    std::span<const std::byte> parameters,
    Stream& stream) {
  if (executable.kind() != DeviceKind::cpu)
    refuse_binary();
  auto& kernel = static_cast<CpuExecutable&>(executable);
  const Entry& entry = kernel.entry();
  PHX_ASSERT(parameters.size() >= entry.parameter_bytes);
  const LaunchConfig config = checked_launch(
      kernel,
      requested,
      parameters,
      {.fixed_shared_bytes = entry.shared_bytes, .max_threads = limits_.max_threads_per_block},
      limits_);
  CpuSpan span(ProfileKind::launch, stream);
  span.set_launch(kernel, config);
  if (!takes_steps(stream)) {
    run(kernel, config, parameters);
    return;
  }
  add_step(
      stream,
      span.timed([this,
                  config,
                  kept = std::static_pointer_cast<CpuExecutable>(kernel.shared_from_this()),
                  bytes = std::vector(parameters.begin(), parameters.end())](Interrupt* interrupt) {
        run(*kept, config, bytes, interrupt);
      }));
}

void CpuDevice::run(
    CpuExecutable& kernel,
    const LaunchConfig& requested,
    std::span<const std::byte> parameters,
    Interrupt* interrupt) {
  const Binary& binary = kernel.binary();
  const Entry& entry = kernel.entry();
  const LaunchConfig config =
      entry.lane_axis ? laid_out_along(*entry.lane_axis, requested) : requested;
  CpuLaunch launch = make_launch(config, parameters);
  launch.non_temporal_kib = non_temporal_kib_;
  ErrorLog errors;
  if (!binary.fault_sites.empty())
    launch.errors = &errors;
  ShadowMemory::Lease shadow;
  if (entry.has_shadow) {
    shadow = shadow_memory_.take(entry, parameters, config.grid.count());
    launch.shadowed = shadow.arrays.data();
    launch.shadowed_count = shadow.arrays.size() - 1;
    launch.first_epoch = shadow.first_epoch;
  }
  Work work;
  work.entry = kernel.code();
  work.launch = &launch;
  work.can_stop = entry.can_stop;
  work.interrupt = interrupt;
  work.blocks = config.grid.count();
  if (entry.stages_tiles && launch.grid[0] > 1 && launch.grid[1] > 1)
    work.order = BlockOrder::in_bands(launch.grid);
  work.scratch_bytes = scratch_bytes(entry, config.block.count(), config.dynamic_shared_bytes);
  work.cost = &kernel.cost();
  if (entry.is_cooperative)
    scheduler_.run(work, [&](Stop&) { run_cooperative(work, kernel.name()); });
  else
    scheduler_.run(work);
  if (entry.has_shadow)
    shadow_memory_.give_back(std::move(shadow));

  if (binary.uses_print)
    std::fflush(stdout);
  if (errors.count != 0)
    throw_kernel_error(kernel.name(), binary.fault_sites, errors, config);
}

BlockSuggestion CpuDevice::suggest_block(
    Executable& executable, std::uint64_t, std::uint32_t max_threads) {
  // Enough vectors in a block to hide its start; the caches prefer few threads to many.
  constexpr std::uint32_t preferred = 256;
  const std::uint32_t most = executable.attributes().max_threads_per_block;
  const std::uint32_t limit = max_threads == 0 ? most : std::min(most, max_threads);
  return {limits_.multiprocessors, std::min(preferred, limit)};
}

std::uint32_t CpuDevice::active_blocks_per_multiprocessor(
    Executable&, std::uint32_t, std::uint64_t) {
  // A block has its core to itself, unless it waits for others.
  return static_cast<std::uint32_t>(max_cooperative_blocks) / limits_.multiprocessors;
}

}  // namespace phalanx::runtime::cpu
