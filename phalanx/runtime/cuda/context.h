// The primary context of one GPU, shared with every other library in the process.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "phalanx/base/library_call.h"
#include "phalanx/runtime/cuda/driver.h"
#include "phalanx/runtime/cuda/launch_log.h"

namespace phalanx::runtime::cuda {

// For a child process: what was started before the fork cannot be used in it.
[[noreturn]] void throw_forked();

class EventClock;

class Context {
 public:
  Context(const Driver& driver, DeviceHandle device);  // retains it: creates it when there is none
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  const Driver& driver() const { return driver_; }
  ContextHandle handle() const { return handle_; }

  // While one lives, the context is the thread's current one; afterwards it is again the one that
  // another library had made current, if any.
  class Scope {
   public:
    Scope(const Driver* driver, ContextHandle before) : driver_(driver), before_(before) {}
    Scope(Scope&& other) noexcept
        : driver_(other.driver_), before_(std::exchange(other.before_, nullptr)) {}
    Scope& operator=(Scope&&) = delete;
    ~Scope() {
      if (before_ != nullptr)
        driver_->context_set_current(before_);
    }

   private:
    LibraryCall call_;
    const Driver* driver_;
    ContextHandle before_;  // null: nothing to do
  };

  // To be held during any call of the driver. Throws DeviceError when the context is lost, or the
  // process was forked since. Some ten nanoseconds.
  [[nodiscard]] Scope enter() {
    if (!is_usable())
      refuse();
    const LibraryCall call;
    ContextHandle before = nullptr;
    // Other libraries change it too: what the driver says is the only truth.
    if (driver_.context_get_current(&before) == result::success && before == handle_)
      return {&driver_, nullptr};
    check(driver_.context_set_current(handle_), "context_set_current");
    return {&driver_, before};
  }

  // As enter, for destructors: nothing when the driver must not be called any more.
  [[nodiscard]] std::optional<Scope> try_enter() noexcept;

  void check(Result error, const char* call) {
    if (error != result::success)
      fail(error, call);
  }

  // Throws what the driver reports. An earlier kernel's error names the kernels that can
  // have been it and marks the context as lost.
  [[noreturn]] void fail(Result error, const char* call);

  // One copy of each name, which lives as long as the context.
  const std::string& intern(const std::string& name);

  // A stream, with its log. Only those of `waits` are waited for beside recordings.
  void add_stream(LaunchLog* log, StreamHandle stream, bool waits);
  void remove_stream(LaunchLog* log) noexcept;
  // All streams are idle: as LaunchLog::drain, for all of them.
  std::vector<std::shared_ptr<CudaExecutable>> drain();

  // While streams record, cuCtxSynchronize would spoil what they record, in any thread.
  void begin_recording();
  void end_recording() noexcept;  // of one stream; the driver has ended it

  // Waits for all work of the device; beside recordings for that of the blocking streams, and of
  // the others that were made here. To be called in its scope.
  void synchronize();

  // For destructors: frees what queued work may still use, once that work is done; while streams
  // record, when the last of them ends.
  using Free = std::function<void(const Driver&)>;
  void free_when_idle(Free free) noexcept;

  // Times what a profile records; it is made when it is first asked for.
  EventClock& profile_clock();

 private:
  bool is_usable() const;
  [[noreturn]] void refuse() const;
  void lose(Result error, const char* call);
  std::string recent_kernels();
  bool keep_for_later(Free& free);
  void synchronize_streams();
  Result mark_streams(std::vector<EventHandle>& marks);

  struct LoggedStream {
    LaunchLog* log;
    StreamHandle stream;
    bool waits;
  };

  const Driver& driver_;
  DeviceHandle device_;
  ContextHandle handle_ = nullptr;
  std::uint64_t generation_;
  std::atomic<bool> is_lost_{false};
  mutable std::mutex mutex_;
  std::string loss_;  // what happened, once it is lost
  std::set<std::string> names_;
  std::vector<LoggedStream> streams_;
  unsigned recordings_ = 0;
  std::vector<Free> kept_;  // what is freed when there is none
  std::shared_ptr<EventClock> clock_;
};

}  // namespace phalanx::runtime::cuda

// Calls a function of the driver in `context`, which was entered, and checks its result.
#define CU_IN(context, call) (context).check((context).driver().call, #call)
