// What a GPU has beyond a device: the driver's facts, memory of other processes and other GPUs.
#include <fmt/format.h>

#include <algorithm>

#include "phalanx/base/errors.h"
#include "phalanx/runtime/cuda/assembler.h"
#include "phalanx/runtime/cuda/cuda_device.h"
#include "phalanx/runtime/cuda/cuda_span.h"

namespace phalanx::runtime::cuda {

std::array<std::uint8_t, 16> CudaDevice::uuid() {
  Uuid value{};
  const LibraryCall call;
  CU(driver_, device_uuid(&value, handle_));
  return std::to_array(value.bytes);
}

std::optional<int> CudaDevice::attribute(int number) {
  int value = 0;
  const LibraryCall call;
  if (driver_.device_attribute(&value, number, handle_) != result::success)
    return std::nullopt;
  return value;
}

std::shared_ptr<Stream> CudaDevice::wrap_stream(std::uintptr_t handle) {
  State& s = state();
  return std::make_shared<CudaStream>(
      *this,
      s.context,
      StreamKind::external,
      reinterpret_cast<StreamHandle>(handle),
      shared_from_this());
}

void CudaDevice::in_context(const std::function<void()>& calls) {
  const auto scope = state().context->enter();
  calls();
}

Binary CudaDevice::assemble(
    const Binary& ptx, const LoadOptions& options, std::span<const LinkInput> inputs) {
  return assemble_ptx(*state().context, ptx, options, inputs);
}

MemoryName CudaDevice::export_memory(Address memory) {
  State& s = state();
  const auto scope = s.context->enter();
  IpcHandle handle{};
  CU_IN(*s.context, ipc_export(&handle, memory));
  return std::to_array(handle.bytes);
}

Address CudaDevice::open_memory(const MemoryName& name) {
  State& s = state();
  const auto scope = s.context->enter();
  IpcHandle handle{};
  std::ranges::copy(name, handle.bytes);
  DevicePointer memory = 0;
  CU_IN(*s.context, ipc_open(&memory, handle, ipc_enable_peers));
  return memory;
}

void CudaDevice::close_memory(Address memory) {
  State& s = state();
  if (const auto scope = s.context->try_enter())
    driver_.ipc_close(memory);
}

CudaDevice& CudaDevice::as_peer(Device& device) {
  if (device.kind() != DeviceKind::cuda)
    throw TypeError(
        "the CPU device is no peer of a GPU: copy its memory with copy_to_device and copy_to_host");
  return static_cast<CudaDevice&>(device);
}

bool CudaDevice::can_access_peer(Device& peer) {
  int can = 0;
  const LibraryCall call;
  CU(driver_, peer_can_access(&can, handle_, as_peer(peer).handle_));
  return can != 0;
}

void CudaDevice::enable_peer_access(Device& peer) {
  CudaDevice& other = as_peer(peer);
  if (&other == this)
    return;
  if (!can_access_peer(peer))
    throw DeviceError(fmt::format(
        "cuda:{} cannot access the memory of cuda:{}: no link between these GPUs allows it; copy "
        "with copy_from_peer, which needs no access",
        ordinal_,
        other.ordinal_));
  State& s = state();
  State& theirs = other.state();
  const auto scope = s.context->enter();
  const Result outcome = driver_.peer_enable(theirs.context->handle(), 0);
  if (outcome != result::peer_access_already_enabled)
    s.context->check(outcome, "peer_enable");
  theirs.pool.give_access(ordinal_);
}

bool CudaDevice::try_peer_access(Device& peer) {
  const CudaDevice& other = as_peer(peer);
  constexpr int most = 64;
  if (&other == this || other.ordinal_ >= most)
    return false;
  State& s = state();
  const std::uint64_t bit = std::uint64_t{1} << other.ordinal_;
  if ((s.asked_peers.load() & bit) == 0) {
    try {
      if (can_access_peer(peer)) {
        enable_peer_access(peer);
        s.reached_peers.fetch_or(bit);
      }
    } catch (const DeviceError&) {
      // A GPU has access to a limited number of others: copies go through the host's memory.
    }
    s.asked_peers.fetch_or(bit);
  }
  return (s.reached_peers.load() & bit) != 0;
}

void CudaDevice::copy_from_peer(
    Address to, Device& peer, Address from, std::size_t bytes, Stream& stream) {
  CudaDevice& other = as_peer(peer);
  if (&other == this)
    return copy(to, from, bytes, stream);
  if (bytes == 0)
    return;
  State& s = state();
  try_peer_access(peer);
  Context& theirs = *other.state().context;
  const auto scope = s.context->enter();
  const CudaStream& queue = as_cuda(stream, *this);
  const CudaSpan span(ProfileKind::copy, queue, bytes);
  CU_IN(
      *s.context, copy_peer(to, s.context->handle(), from, theirs.handle(), bytes, queue.native()));
}

void CudaDevice::profile(bool on) {
  State& s = state();
  const auto scope = s.context->enter();
  if (on)
    CU_IN(*s.context, profiler_start());
  else
    CU_IN(*s.context, profiler_stop());
}

}  // namespace phalanx::runtime::cuda
