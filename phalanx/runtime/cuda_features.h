// What a GPU with NVIDIA's driver has beyond what every device has. Device::cuda() gives it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "phalanx/base/binary.h"
#include "phalanx/runtime/buffer.h"

namespace phalanx::runtime {

struct LoadOptions;

// More code for the driver's linker.
struct LinkInput {
  enum class Kind : std::uint8_t { cubin, ptx, fatbin, object, archive };
  Kind kind = Kind::ptx;
  std::string name;  // as errors show it
  std::span<const std::byte> bytes;
};

using MemoryName = std::array<char, 64>;  // of memory, for other processes

class CudaFeatures {
 public:
  virtual ~CudaFeatures() = default;

  virtual std::array<std::uint8_t, 16> uuid() = 0;
  // By the driver's number (CUdevice_attribute); nothing when there is none.
  virtual std::optional<int> attribute(int number) = 0;

  // A stream of another library, by its CUstream; that library keeps it alive.
  virtual std::shared_ptr<Stream> wrap_stream(std::uintptr_t handle) = 0;

  // Runs calls of a library of NVIDIA's, which works in the thread's current context: the device's
  // while they run.
  virtual void in_context(const std::function<void()>& calls) = 0;

  // PTX, with more inputs if any, to a cubin for this very device, which can be kept on disk.
  // Throws DeviceError with the assembler's log.
  virtual Binary assemble(
      const Binary& ptx, const LoadOptions& options, std::span<const LinkInput> inputs) = 0;

  // Names memory of kind `shared` for other processes, and opens what they named.
  virtual MemoryName export_memory(Address memory) = 0;
  virtual Address open_memory(const MemoryName& name) = 0;
  virtual void close_memory(Address memory) = 0;

  // True if kernels of this device can be given access to the memory of `peer`. False for itself.
  virtual bool can_access_peer(Device& peer) = 0;
  // From now on they have it, to all of its memory, and copies go directly; calls may be repeated.
  // Throws DeviceError where can_access_peer is false.
  virtual void enable_peer_access(Device& peer) = 0;
  // The same where a link of the two allows it; returns if they have access. The driver is asked
  // once for each peer.
  virtual bool try_peer_access(Device& peer) = 0;
  // From the memory of another GPU, directly where there is a link, else through the host's, in
  // the order of `stream`, which is of this device. What the peer's streams do with that memory is
  // ordered by events.
  virtual void copy_from_peer(
      Address to, Device& peer, Address from, std::size_t bytes, Stream& stream) = 0;

  // Starts or stops what a profiler that watches the process collects.
  virtual void profile(bool on) = 0;
};

// For memory of other processes: throws DeviceError on a device without CUDA.
CudaFeatures& memory_sharing(Device& device);

}  // namespace phalanx::runtime
