#include "phalanx/runtime/cuda/cuda_span.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "phalanx/runtime/device.h"

namespace phalanx::runtime::cuda {

EventClock::~EventClock() {
  const auto scope = context_->try_enter();
  if (!scope)
    return;
  const Driver& driver = context_->driver();
  ended_.insert(ended_.end(), begun_.begin(), begun_.end());
  for (const Pair& pair : ended_) {
    driver.event_destroy(pair.start);
    driver.event_destroy(pair.stop);
  }
  for (const EventHandle event : free_) driver.event_destroy(event);
  if (base_ != nullptr)
    driver.event_destroy(base_);
}

EventHandle EventClock::take_event() {
  if (!free_.empty()) {
    const EventHandle event = free_.back();
    free_.pop_back();
    return event;
  }
  EventHandle event = nullptr;
  const bool is_made = context_->driver().event_create(&event, 0) == result::success;
  return is_made ? event : nullptr;
}

// Where the GPU's time and the host's are the same: when the host has seen the event.
bool EventClock::set_base(StreamHandle stream) {
  const Driver& driver = context_->driver();
  if (base_ == nullptr)
    base_ = take_event();
  const bool is_set = base_ != nullptr && driver.event_record(base_, stream) == result::success &&
                      driver.event_synchronize(base_) == result::success;
  if (is_set) {
    base_time_ = profile_time();
    session_ = Profiler::instance().session();
  }
  return is_set;
}

bool EventClock::is_timed(const void* kernel, std::uint64_t blocks, std::int64_t now) {
  const std::lock_guard lock(mutex_);
  if (session_ != Profiler::instance().session())
    launches_.clear();
  const bool is_close = now - last_launch_ < close_nanoseconds;
  last_launch_ = now;
  if (std::uint32_t& count = launches_[{kernel, blocks}]; count < always_timed) {
    ++count;
    return true;
  }
  if (!is_close)
    return true;
  // D. Knuth's generator (MMIX), of whose numbers the highest bits are good.
  random_ = random_ * 6364136223846793005U + 1442695040888963407U;
  return random_ >> 60 == 0;
}

std::uint32_t EventClock::begin(StreamHandle stream) {
  const std::lock_guard lock(mutex_);
  if (session_ != Profiler::instance().session()) {
    collect(true);  // of the profile before
    if (!set_base(stream))
      return 0;
  }
  if (ended_.size() >= many)
    collect(false);
  Pair pair = {.start = take_event(), .stop = take_event()};
  if (pair.start == nullptr || pair.stop == nullptr ||
      context_->driver().event_record(pair.start, stream) != result::success)
    return 0;
  pair.slot = Profiler::instance().make_slot();
  pair.session = session_;
  begun_.push_back(pair);
  return pair.slot;
}

void EventClock::end(std::uint32_t slot, StreamHandle stream) noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(begun_, slot, &Pair::slot);
  if (found == begun_.end())
    return;
  const Pair pair = *found;
  begun_.erase(found);
  if (context_->driver().event_record(pair.stop, stream) == result::success)
    ended_.push_back(pair);
}

void EventClock::finish() noexcept {
  const auto scope = context_->try_enter();
  if (!scope)
    return;
  const std::lock_guard lock(mutex_);
  collect(true);
}

// In the order they ended; those of several streams may be done in another.
void EventClock::collect(bool waits) noexcept {
  const Driver& driver = context_->driver();
  while (!ended_.empty()) {
    const Pair pair = ended_.front();
    const Result outcome =
        waits ? driver.event_synchronize(pair.stop) : driver.event_query(pair.stop);
    if (outcome == result::not_ready)
      return;
    if (outcome == result::success)
      tell(pair);
    free_.push_back(pair.start);
    free_.push_back(pair.stop);
    ended_.pop_front();
  }
}

void EventClock::tell(const Pair& pair) noexcept {
  if (pair.session != Profiler::instance().session())
    return;  // the slot is another record's by now
  const Driver& driver = context_->driver();
  float before = 0;
  float taken = 0;
  if (driver.event_elapsed(&before, base_, pair.start) != result::success ||
      driver.event_elapsed(&taken, pair.start, pair.stop) != result::success)
    return;
  constexpr double nanoseconds = 1e6;  // of a millisecond
  const std::int64_t start = base_time_ + std::llround(double{before} * nanoseconds);
  Profiler::instance().set_slot(
      pair.slot, start, start + std::llround(double{taken} * nanoseconds));
}

void CudaSpan::begin(const CudaStream& stream, std::size_t bytes, bool is_timed) {
  stream_ = &stream;
  span_.set_device(stream.device());
  ProfileRecord& record = span_.record();
  record.bytes_read = bytes;
  record.stream = stream.handle();
  if (stream.is_recording())
    record.set(ProfileFlag::recorded);
  else if (!is_timed)
    record.set(ProfileFlag::untimed);
  else if (span_.is_recorded())
    record.slot = stream.context().profile_clock().begin(stream.native());
}

void CudaSpan::end() noexcept {
  const ProfileRecord& record = span_.record();
  if (record.slot != 0)
    stream_->context().profile_clock().end(record.slot, stream_->native());
}

void CudaSpan::begin_launch(
    const CudaStream& stream, CudaExecutable& kernel, const LaunchConfig& config) {
  const std::uint64_t blocks = config.grid.count();
  EventClock& clock = stream.context().profile_clock();
  begin(stream, 0, !span_.is_recorded() || clock.is_timed(&kernel, blocks, span_.record().start));
  ProfileRecord& record = span_.record();
  record.blocks = blocks;
  record.threads = static_cast<std::uint32_t>(config.block.count());
  // Arrays that were moved there are static to their kernel, and counted among its own.
  record.shared_bytes = config.dynamic_shared_bytes - kernel.entry().moved_shared_bytes;
  span_.set_executable(kernel);
  ProfileWork::add_to(record);
}

}  // namespace phalanx::runtime::cuda
