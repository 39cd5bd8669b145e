// What a profile has of work that is queued on a GPU: with events around it, for the GPU's own
// times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "phalanx/runtime/cuda/context.h"
#include "phalanx/runtime/cuda/cuda_executable.h"
#include "phalanx/runtime/cuda/cuda_stream.h"
#include "phalanx/runtime/launch.h"
#include "phalanx/runtime/profiler.h"

namespace phalanx::runtime::cuda {

// The events of one GPU's context, and what is known of them.
class EventClock final : public ProfileClock {
 public:
  explicit EventClock(Context& context) : context_(&context) {}
  ~EventClock() override;

  // Both in an entered context. 0 where there is no time to be had.
  std::uint32_t begin(StreamHandle stream);
  void end(std::uint32_t slot, StreamHandle stream) noexcept;
  void finish() noexcept override;

 private:
  struct Pair {
    EventHandle start = nullptr;
    EventHandle stop = nullptr;
    std::uint32_t slot = 0;
  };

  EventHandle take_event();
  bool set_base(StreamHandle stream);
  void collect(bool waits) noexcept;
  void tell(const Pair& pair) noexcept;

  // Events that wait to be read; beyond this many, what is done is read at each launch.
  static constexpr std::size_t many = 4096;

  Context* context_;  // whose clock it is
  std::mutex mutex_;
  std::uint32_t session_ = 0;
  EventHandle base_ = nullptr;  // at `base_time_` of the host
  std::int64_t base_time_ = 0;
  std::vector<EventHandle> free_;
  std::vector<Pair> begun_;
  std::deque<Pair> ended_;
};

// While one lives, work is queued on the stream. The context was entered.
class CudaSpan {
 public:
  CudaSpan(ProfileKind kind, const CudaStream& stream, std::size_t bytes = 0) : span_(kind) {
    if (span_.is_on()) [[unlikely]]
      begin(stream, bytes);
  }
  ~CudaSpan() {
    if (span_.is_on()) [[unlikely]]
      end();
  }
  CudaSpan(const CudaSpan&) = delete;
  CudaSpan& operator=(const CudaSpan&) = delete;

  // Once the bytes are there.
  void set_host(const void* host, std::size_t bytes) {
    if (span_.is_on()) [[unlikely]]
      span_.set_host(host, bytes);
  }

  void set_launch(CudaExecutable& kernel, const LaunchConfig& config) {
    if (span_.is_on()) [[unlikely]]
      note_launch(kernel, config);
  }

 private:
  void begin(const CudaStream& stream, std::size_t bytes);
  void end() noexcept;
  void note_launch(CudaExecutable& kernel, const LaunchConfig& config);

  ProfileSpan span_;
  const CudaStream* stream_ = nullptr;
};

}  // namespace phalanx::runtime::cuda
