// What a profile has of work that is queued on a GPU: with events around it, for the GPU's own
// times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
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

  // False for some of many launches: to time each of those that follow each other at once would
  // take longer than to launch them.
  bool is_timed(const void* kernel, std::uint64_t blocks, std::int64_t now);
  // Both in an entered context. 0 where there is no time to be had.
  std::uint32_t begin(StreamHandle stream);
  void end(std::uint32_t slot, StreamHandle stream) noexcept;
  void finish() noexcept override;

 private:
  struct Pair {
    EventHandle start = nullptr;
    EventHandle stop = nullptr;
    std::uint32_t slot = 0;
    std::uint32_t session = 0;  // of the profile that has the slot
  };

  EventHandle take_event();
  bool set_base(StreamHandle stream);
  void collect(bool waits) noexcept;
  void tell(const Pair& pair) noexcept;

  // Events that wait to be read; beyond this many, what is done is read at each launch.
  static constexpr std::size_t many = 4096;
  // Of launches closer to the one before, one of sixteen is timed, by chance: a program that
  // launches sixteen kernels in turn has each of them timed. The first ones of a kernel and a grid
  // always are.
  static constexpr std::int64_t close_nanoseconds = 20'000;
  static constexpr std::uint32_t always_timed = 16;

  Context* context_;  // whose clock it is
  std::mutex mutex_;
  std::uint32_t session_ = 0;
  EventHandle base_ = nullptr;  // at `base_time_` of the host
  std::int64_t base_time_ = 0;
  std::vector<EventHandle> free_;
  std::vector<Pair> begun_;
  std::deque<Pair> ended_;
  std::map<std::pair<const void*, std::uint64_t>, std::uint32_t> launches_;  // timed, at most 16
  std::int64_t last_launch_ = 0;
  std::uint64_t random_ = 0;
};

// While one lives, work is queued on the stream. The context was entered.
class CudaSpan {
 public:
  CudaSpan(ProfileKind kind, const CudaStream& stream, std::size_t bytes = 0) : span_(kind) {
    if (span_.is_on()) [[unlikely]]
      begin(stream, bytes);
  }
  // A launch: timed, or one of many that are not.
  CudaSpan(const CudaStream& stream, CudaExecutable& kernel, const LaunchConfig& config)
      : span_(ProfileKind::launch) {
    if (span_.is_on()) [[unlikely]]
      begin_launch(stream, kernel, config);
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

 private:
  void begin(const CudaStream& stream, std::size_t bytes, bool is_timed = true);
  void end() noexcept;
  void begin_launch(const CudaStream& stream, CudaExecutable& kernel, const LaunchConfig& config);

  ProfileSpan span_;
  const CudaStream* stream_ = nullptr;
};

}  // namespace phalanx::runtime::cuda
