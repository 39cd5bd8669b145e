// The host's cores as a device: streams run at once unless they are queued, blocks spread over
// threads.
#pragma once

#include <memory>
#include <string>

#include "phalanx/runtime/cpu/cpu_textures.h"
#include "phalanx/runtime/cpu/pinned_ranges.h"
#include "phalanx/runtime/cpu/scheduler.h"
#include "phalanx/runtime/cpu/shadow_memory.h"
#include "phalanx/runtime/cpu/work_queue.h"
#include "phalanx/runtime/device.h"
#include "phalanx/runtime/memory/host_memory.h"

namespace phalanx::runtime::cpu {

class CpuExecutable;

class CpuDevice final : public Device {
 public:
  CpuDevice(int ordinal, unsigned threads, std::shared_ptr<Interrupt> interrupt);
  ~CpuDevice() override;

  DeviceKind kind() const override { return DeviceKind::cpu; }
  bool is_host() const override { return true; }
  int ordinal() const override { return ordinal_; }
  std::string name() override;
  const DeviceLimits& limits() override { return limits_; }
  MemoryInfo memory_info() override;
  Textures& textures() override { return textures_; }

  void trim_pool() override { pool_.trim(); }
  std::uint64_t cached_memory() override { return pool_.cached(); }
  bool may_reach(Address begin, std::size_t bytes) const override;
  std::shared_ptr<void> pin(void* host, std::size_t bytes, bool mapped) override;
  void copy_to_device(Address to, const void* from, std::size_t bytes, Stream& stream) override;
  void copy_to_host(void* to, Address from, std::size_t bytes, Stream& stream) override;
  void copy(Address to, Address from, std::size_t bytes, Stream& stream) override;
  void fill(
      Address to, std::span<const std::byte> pattern, std::size_t count, Stream& stream) override;

  const std::shared_ptr<Stream>& default_stream() override { return default_stream_; }
  std::shared_ptr<Stream> create_stream(StreamKind kind) override;
  std::shared_ptr<Event> create_event(bool timing) override;
  std::shared_ptr<Stream> start_recording() override;
  std::shared_ptr<Graph> finish_recording(Stream& stream) override;
  void synchronize() override { queues_.synchronize(); }
  void wait_for_queues() { queues_.wait(); }
  // Kernels that are queued may use it until they are done.
  void drop(const std::shared_ptr<void>& used) noexcept { queues_.finish_with(used); }
  Scheduler& scheduler() { return scheduler_; }

  std::shared_ptr<Module> load_module(Binary binary, const LoadOptions& options) override;
  void launch(
      Executable& executable,
      const LaunchConfig& config,
      std::span<const std::byte> parameters,
      Stream& stream) override;
  BlockSuggestion suggest_block(
      Executable& executable,
      std::uint64_t dynamic_shared_bytes,
      std::uint32_t max_threads) override;
  std::uint32_t active_blocks_per_multiprocessor(
      Executable& executable, std::uint32_t threads, std::uint64_t dynamic_shared_bytes) override;

 private:
  // `interrupt`: as Work's.
  void run(
      CpuExecutable& kernel,
      const LaunchConfig& config,
      std::span<const std::byte> parameters,
      Interrupt* interrupt = nullptr);
  bool takes_steps(Stream& stream);
  static WorkQueue::Position add_step(Stream& stream, Step step);
  void copy_host(void* to, const void* from, std::size_t bytes, const void* host, Stream& stream);
  Memory allocate_memory(std::size_t bytes, MemoryKind kind, Stream& stream) override;
  void order(Stream& earlier, Stream& later) override;
  void free_memory(
      const Memory& memory,
      std::size_t bytes,
      MemoryKind kind,
      Stream& stream,
      std::span<const std::shared_ptr<Stream>> others) noexcept override;

  int ordinal_;
  HostPool pool_;
  PinnedRanges pinned_;
  std::shared_ptr<Interrupt> interrupt_;
  Scheduler scheduler_;
  DeviceLimits limits_;
  std::uint32_t non_temporal_kib_ = 0;  // CpuLaunch's
  ShadowMemory shadow_memory_;
  std::shared_ptr<Stream> default_stream_;
  WorkQueues queues_;
  CpuTextures textures_{*this};
};

}  // namespace phalanx::runtime::cpu
