// One GPU. Its context starts at the first use of memory, streams or kernels.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>

#include "phalanx/runtime/cuda/context.h"
#include "phalanx/runtime/cuda/cuda_stream.h"
#include "phalanx/runtime/cuda/cuda_textures.h"
#include "phalanx/runtime/cuda/memory_pool.h"
#include "phalanx/runtime/cuda/pinned_pool.h"
#include "phalanx/runtime/cuda/staging.h"
#include "phalanx/runtime/device.h"

namespace phalanx::runtime::cuda {

class CudaExecutable;

class CudaDevice final : public Device, public CudaFeatures {
 public:
  CudaDevice(const Driver& driver, int ordinal);
  ~CudaDevice() override;

  DeviceKind kind() const override { return DeviceKind::cuda; }
  int ordinal() const override { return ordinal_; }
  std::string name() override;
  const DeviceLimits& limits() override { return limits_; }
  MemoryInfo memory_info() override;
  CudaFeatures* cuda() override { return this; }
  Textures& textures() override { return state().textures; }
  // The call of the driver for a copy between an array and memory, of the host where `host` is set.
  void copy_rows(const CopyDescriptor& copy, const void* host, bool to_host, Stream& stream);

  void trim_pool() override;
  std::uint64_t cached_memory() override;
  std::shared_ptr<void> pin(void* host, std::size_t bytes, bool mapped) override;
  void copy_to_device(Address to, const void* from, std::size_t bytes, Stream& stream) override;
  void copy_to_host(void* to, Address from, std::size_t bytes, Stream& stream) override;
  void copy(Address to, Address from, std::size_t bytes, Stream& stream) override;
  void fill(
      Address to, std::span<const std::byte> pattern, std::size_t count, Stream& stream) override;

  const std::shared_ptr<Stream>& default_stream() override;
  std::shared_ptr<Stream> create_stream(StreamKind kind) override;
  std::shared_ptr<Event> create_event(bool timing) override;
  std::shared_ptr<Stream> start_recording() override;
  std::shared_ptr<Graph> finish_recording(Stream& stream) override;
  void synchronize() override;

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

  // CudaFeatures: cuda_features.cpp
  std::array<std::uint8_t, 16> uuid() override;
  std::optional<int> attribute(int number) override;
  std::shared_ptr<Stream> wrap_stream(std::uintptr_t handle) override;
  void in_context(const std::function<void()>& calls) override;
  Binary assemble(
      const Binary& ptx, const LoadOptions& options, std::span<const LinkInput> inputs) override;
  MemoryName export_memory(Address memory) override;
  Address open_memory(const MemoryName& name) override;
  void close_memory(Address memory) override;
  bool can_access_peer(Device& peer) override;
  void enable_peer_access(Device& peer) override;
  bool try_peer_access(Device& peer) override;
  void copy_from_peer(
      Address to, Device& peer, Address from, std::size_t bytes, Stream& stream) override;
  void profile(bool on) override;

 private:
  // What exists once the context does.
  struct State {
    State(CudaDevice& device, const Driver& driver);

    std::shared_ptr<Context> context;
    MemoryPool pool;
    PinnedPool pinned;
    Staging staging;
    std::shared_ptr<Stream> default_stream;
    CudaTextures textures;
    // GPUs by their ordinals' bits: whose access was asked for, and to which there is access.
    std::atomic<std::uint64_t> asked_peers{0};
    std::atomic<std::uint64_t> reached_peers{0};
  };

  State& state();
  State& start();
  int number(DeviceAttribute attribute) const;
  CudaExecutable& as_cuda_executable(Executable& executable);
  static CudaDevice& as_peer(Device& device);

  Memory allocate_memory(std::size_t bytes, MemoryKind kind, Stream& stream) override;
  void order(Stream& earlier, Stream& later) override;
  void free_memory(
      const Memory& memory,
      std::size_t bytes,
      MemoryKind kind,
      Stream& stream,
      std::span<const std::shared_ptr<Stream>> others) noexcept override;

  const Driver& driver_;
  int ordinal_;
  std::uint64_t generation_;  // of forks, when it was found
  DeviceHandle handle_ = 0;
  DeviceLimits limits_;
  std::mutex mutex_;
  std::atomic<State*> started_{nullptr};
  std::unique_ptr<State> state_;
};

}  // namespace phalanx::runtime::cuda
