// What kernels run on: the CPU's cores, or one GPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "phalanx/base/binary.h"
#include "phalanx/base/export.h"
#include "phalanx/base/target.h"
#include "phalanx/runtime/buffer.h"
#include "phalanx/runtime/cuda_features.h"
#include "phalanx/runtime/event.h"
#include "phalanx/runtime/executable.h"
#include "phalanx/runtime/graph.h"
#include "phalanx/runtime/launch.h"
#include "phalanx/runtime/memory_account.h"
#include "phalanx/runtime/module.h"
#include "phalanx/runtime/stream.h"

namespace phalanx::runtime {

class Textures;

struct DeviceLimits {
  std::uint32_t max_threads_per_block = 1024;
  Dim3 max_block = {1024, 1024, 64};
  Dim3 max_grid = {0x7fffffff, 65535, 65535};
  std::uint64_t default_shared_bytes = 48ULL * 1024;  // of a block, without asking for more
  std::uint64_t max_shared_bytes = 48ULL * 1024;  // of a block; launches ask for it by themselves
  std::uint32_t warp_size = 32;
  std::uint32_t multiprocessors = 1;  // CPU device: threads it runs blocks on
  std::uint32_t max_threads_per_multiprocessor = 1024;
  std::uint64_t total_memory = 0;
  std::uint32_t compute_capability = 0;  // 10 * major + minor; 0 for the CPU
};

struct MemoryInfo {
  std::uint64_t free = 0;  // for anybody, as the driver or the system says
  std::uint64_t total = 0;
  std::uint64_t used_here = 0;    // in live buffers of this device object
  std::uint64_t cached_here = 0;  // given back by us and kept by the pool
};

struct LoadOptions {
  ObjectLoader load_object = nullptr;  // CPU only, which needs one
  unsigned max_registers = 0;          // PTX only; 0: no limit
  unsigned optimization = 4;           // PTX only; 0 to 4
  bool debug = false;
  bool lineinfo = false;
};

struct BlockSuggestion {
  std::uint32_t min_grid = 0;  // blocks that fill the device
  std::uint32_t block = 0;     // threads that give the highest occupancy
};

class PHX_API Device : public std::enable_shared_from_this<Device> {
 public:
  Device() = default;
  virtual ~Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  virtual DeviceKind kind() const = 0;
  virtual bool is_host() const { return false; }  // its memory is the host's
  virtual int ordinal() const = 0;
  virtual std::string name() = 0;
  virtual const DeviceLimits& limits() = 0;
  virtual MemoryInfo memory_info() = 0;
  virtual CudaFeatures* cuda() { return nullptr; }  // null on the CPU device

  // Memory. Without a stream, the default stream.
  Buffer allocate(
      std::size_t bytes,
      MemoryKind kind = MemoryKind::device,
      const std::shared_ptr<Stream>& stream = nullptr);
  virtual void trim_pool() = 0;               // gives cached memory back to the system
  virtual std::uint64_t cached_memory() = 0;  // that trim_pool() would give back
  // Memory of kind `device` beyond this is refused with OutOfMemoryError; none: as much as there
  // is. What is in use stays. What the pool keeps counts, too, but is given back first.
  void set_memory_limit(std::optional<std::uint64_t> bytes);
  MemoryUse memory_use() const { return account_.use(); }
  // One more who is asked for memory before an allocation fails; no longer once it is gone.
  void add_memory_reclaimer(std::weak_ptr<MemoryReclaimer> reclaimer);
  // Where memory of kind `device` comes from, from now on; null: from the device's own pool. What
  // was allocated before goes back to where it came from.
  void set_memory_resource(std::shared_ptr<MemoryResource> resource);
  std::shared_ptr<MemoryResource> memory_resource() const;
  // False where surely no kernel and no copy of the device finds memory at all of these addresses.
  virtual bool may_reach(Address begin, std::size_t bytes) const;
  // Page-locks memory of the host for the lifetime of what is returned.
  virtual std::shared_ptr<void> pin(void* host, std::size_t bytes, bool mapped) = 0;

  // Copies are ordered on the stream. Pageable host memory may be reused on return; pinned memory
  // must stay as it is until the stream has come so far.
  virtual void copy_to_device(Address to, const void* from, std::size_t bytes, Stream& stream) = 0;
  virtual void copy_to_host(void* to, Address from, std::size_t bytes, Stream& stream) = 0;
  virtual void copy(Address to, Address from, std::size_t bytes, Stream& stream) = 0;
  // Repeats a pattern of 1, 2, 4, 8 or 16 bytes; `to` is aligned to it.
  virtual void fill(
      Address to, std::span<const std::byte> pattern, std::size_t count, Stream& stream) = 0;

  virtual const std::shared_ptr<Stream>& default_stream() = 0;
  virtual std::shared_ptr<Stream> create_stream(StreamKind kind) = 0;
  // Of another library, by the driver's handle; on the CPU device a stream as any other.
  std::shared_ptr<Stream> external_stream(std::uintptr_t handle);
  virtual std::shared_ptr<Event> create_event(bool timing = true) = 0;
  // A stream whose work is recorded instead of done, and the graph of what it was given so far:
  // it is no more of use then. Host memory of recorded copies is read and written by each launch.
  virtual std::shared_ptr<Stream> start_recording() = 0;
  virtual std::shared_ptr<Graph> finish_recording(Stream& stream) = 0;

  // Blocks until all streams are done; throws the first error.
  virtual void synchronize() = 0;

  // PTX or cubin for a GPU, an object for the CPU device. Throws TypeError for what is made for the
  // other, DeviceError with the assembler's log, and what LoadOptions::load_object throws.
  virtual std::shared_ptr<Module> load_module(Binary binary, const LoadOptions& options = {}) = 0;
  // The first kernel of the module.
  std::shared_ptr<Executable> load(
      Binary binary, std::string name, const LoadOptions& options = {});

  // `parameters` is laid out as ir/abi.h says and copied before this returns.
  virtual void launch(
      Executable& executable,
      const LaunchConfig& config,
      std::span<const std::byte> parameters,
      Stream& stream) = 0;

  virtual BlockSuggestion suggest_block(
      Executable& executable,
      std::uint64_t dynamic_shared_bytes,
      std::uint32_t max_threads = 0) = 0;
  virtual std::uint32_t active_blocks_per_multiprocessor(
      Executable& executable, std::uint32_t threads, std::uint64_t dynamic_shared_bytes) = 0;

  virtual Textures& textures() = 0;  // texture.h

 protected:
  struct Memory {
    Address address = 0;
    void* host = nullptr;
  };

 private:
  friend class Buffer;

  virtual Memory allocate_memory(std::size_t bytes, MemoryKind kind, Stream& stream) = 0;
  // Later work on `later` starts after what is queued on `earlier` so far.
  virtual void order(Stream& earlier, Stream& later) = 0;
  // Queued on `stream`, after what was queued so far on `others`.
  virtual void free_memory(
      const Memory& memory,
      std::size_t bytes,
      MemoryKind kind,
      Stream& stream,
      std::span<const std::shared_ptr<Stream>> others) noexcept = 0;

  void return_to_resource(Buffer& buffer) noexcept;
  void fill_buffer(Buffer& buffer, std::size_t bytes);
  void fill_reclaiming(Buffer& buffer, std::size_t bytes);
  void fill_accounted(Buffer& buffer, std::size_t bytes);
  void take_of_limit(std::size_t bytes);
  std::uint64_t reclaim(std::uint64_t bytes);
  std::string holders();
  std::vector<std::shared_ptr<MemoryReclaimer>> reclaimers() const;

  std::mutex uses_mutex_;  // guards the list of streams in every buffer
  mutable std::mutex resource_mutex_;
  std::shared_ptr<MemoryResource> resource_;
  std::vector<std::weak_ptr<MemoryReclaimer>> reclaimers_;  // guarded by resource_mutex_
  MemoryAccount account_;
};

}  // namespace phalanx::runtime
