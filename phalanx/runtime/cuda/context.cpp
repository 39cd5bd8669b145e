#include "phalanx/runtime/cuda/context.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "phalanx/base/errors.h"
#include "phalanx/runtime/cuda/cuda_span.h"
#include "phalanx/runtime/fork.h"

namespace phalanx::runtime::cuda {

namespace {

// After these the driver answers every call with the same error.
constexpr bool is_sticky(Result error) {
  const bool is_of_kernel = error >= 714 && error <= 719;
  return is_of_kernel || error == result::illegal_address || error == result::launch_timeout ||
         error == result::assertion || error == result::ecc_uncorrectable;
}

}  // namespace

void throw_forked() {
  throw DeviceError(
      "CUDA cannot be used in a process forked after CUDA was used; use the spawn start method "
      "(multiprocessing.set_start_method(\"spawn\"))");
}

Context::Context(const Driver& driver, DeviceHandle device)
    : driver_(driver), device_(device), generation_(fork_generation()) {
  const LibraryCall call;
  CU(driver_, context_retain(&handle_, device_));
}

Context::~Context() {
  if (generation_ != fork_generation())
    return;
  clock_.reset();  // whose events are the context's
  const LibraryCall call;
  driver_.context_release(device_);
}

[[gnu::hot]] bool Context::is_usable() const {
  return generation_ == fork_generation() && !is_lost_.load(std::memory_order_relaxed);
}

void Context::refuse() const {
  if (generation_ != fork_generation())
    throw_forked();
  const std::lock_guard lock(mutex_);
  throw DeviceError(
      "the CUDA context is lost, the process must be started again to use the GPU; the cause: " +
      loss_);
}

std::optional<Context::Scope> Context::try_enter() noexcept {
  if (!is_usable())
    return std::nullopt;
  const LibraryCall call;
  ContextHandle before = nullptr;
  if (driver_.context_get_current(&before) == result::success && before == handle_)
    return Scope(&driver_, nullptr);
  if (driver_.context_set_current(handle_) != result::success)
    return std::nullopt;
  return Scope(&driver_, before);
}

std::string Context::recent_kernels() {
  const std::lock_guard lock(mutex_);
  std::vector<std::string_view> names;
  for (const LoggedStream& each : streams_)
    for (const std::string* name : each.log->names())
      if (std::ranges::find(names, *name) == names.end())
        names.push_back(*name);
  if (names.empty())
    return {};
  if (names.size() == 1)
    return fmt::format(" in kernel {}", names[0]);
  return fmt::format(" in one of the kernels {}", fmt::join(names, ", "));
}

void Context::lose(Result error, const char* call) {
  const std::string text = fmt::format(
      "{}{} (reported by {})", error_text(driver_, error), recent_kernels(), symbol_of(call));
  const std::lock_guard lock(mutex_);
  loss_ = text;
  is_lost_.store(true, std::memory_order_relaxed);
}

void Context::fail(Result error, const char* call) {
  if (!is_sticky(error))
    throw_driver_error(driver_, error, call);
  if (is_lost_.load(std::memory_order_relaxed))
    refuse();
  lose(error, call);
  throw DeviceError(
      loss_ +
          "; the CUDA context is lost, and with it all data on the GPU: start the process again",
      error);
}

const std::string& Context::intern(const std::string& name) {
  const std::lock_guard lock(mutex_);
  return *names_.insert(name).first;
}

void Context::add_stream(LaunchLog* log, StreamHandle stream, bool waits) {
  const std::lock_guard lock(mutex_);
  streams_.push_back({log, stream, waits});
}

EventClock& Context::profile_clock() {
  const std::lock_guard lock(mutex_);
  if (!clock_) {
    clock_ = std::make_shared<EventClock>(*this);
    Profiler::instance().add_clock(clock_);
  }
  return *clock_;
}

std::vector<std::shared_ptr<CudaExecutable>> Context::drain() {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<CudaExecutable>> reporting;
  for (const LoggedStream& each : streams_)
    for (std::shared_ptr<CudaExecutable>& kernel : each.log->drain())
      reporting.push_back(std::move(kernel));
  return reporting;
}

void Context::remove_stream(LaunchLog* log) noexcept {
  const std::lock_guard lock(mutex_);
  std::erase_if(streams_, [log](const LoggedStream& each) { return each.log == log; });
}

void Context::begin_recording() {
  const std::lock_guard lock(mutex_);
  ++recordings_;
}

void Context::end_recording() noexcept {
  std::vector<Free> freed;
  {
    const std::lock_guard lock(mutex_);
    if (--recordings_ != 0)
      return;
    freed = std::exchange(kept_, {});
  }
  for (Free& each : freed) free_when_idle(std::move(each));
}

bool Context::keep_for_later(Free& free) {
  const std::lock_guard lock(mutex_);
  if (recordings_ == 0)
    return false;
  kept_.push_back(std::move(free));
  return true;
}

void Context::free_when_idle(Free free) noexcept {
  if (keep_for_later(free))
    return;
  const auto scope = try_enter();
  if (!scope)
    return;  // a lost context has lost it, too
  driver_.context_synchronize();
  free(driver_);
}

void Context::synchronize() {
  const bool is_alone = [this] {
    const std::lock_guard lock(mutex_);
    return recordings_ == 0;
  }();
  if (is_alone)
    check(driver_.context_synchronize(), "context_synchronize");
  else
    synchronize_streams();
}

// By events: another thread may drop a stream meanwhile.
void Context::synchronize_streams() {
  std::vector<EventHandle> marks;
  Result outcome = mark_streams(marks);
  for (EventHandle each : marks) {
    if (outcome == result::success)
      outcome = driver_.event_synchronize(each);
    driver_.event_destroy(each);
  }
  check(outcome, "event_synchronize");
}

Result Context::mark_streams(std::vector<EventHandle>& marks) {
  const std::lock_guard lock(mutex_);  // which `check` takes, too
  for (const LoggedStream& each : streams_) {
    if (!each.waits)
      continue;
    EventHandle made = nullptr;
    if (const Result outcome = driver_.event_create(&made, event_without_timing);
        outcome != result::success)
      return outcome;
    marks.push_back(made);
    if (const Result outcome = driver_.event_record(made, each.stream); outcome != result::success)
      return outcome;
  }
  return result::success;
}

}  // namespace phalanx::runtime::cuda
