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
  for (const LaunchLog* log : logs_)
    for (const std::string* name : log->names())
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

void Context::add_log(LaunchLog* log) {
  const std::lock_guard lock(mutex_);
  logs_.push_back(log);
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
  for (LaunchLog* log : logs_)
    for (std::shared_ptr<CudaExecutable>& kernel : log->drain())
      reporting.push_back(std::move(kernel));
  return reporting;
}

void Context::remove_log(LaunchLog* log) noexcept {
  const std::lock_guard lock(mutex_);
  std::erase(logs_, log);
}

}  // namespace phalanx::runtime::cuda
