#include "phalanx/runtime/cpu/cpu_stream.h"

#include "phalanx/base/errors.h"
#include "phalanx/runtime/cpu/cpu_device.h"
#include "phalanx/runtime/profiler.h"

namespace phalanx::runtime::cpu {

void CpuStream::synchronize() {
  if (kind() == StreamKind::legacy_default)
    static_cast<CpuDevice&>(device()).wait_for_queues();
}

// What comes on this stream is done when its call returns, so that the caller waits.
void CpuStream::wait(const Event& event) { event.synchronize(); }

void QueuedStream::synchronize() {
  const ProfileSpan span(ProfileKind::wait, device());
  queue_->wait(queue_->last());
  queue_->throw_error();
}

void QueuedStream::wait(const Event& event) {
  if (const auto* own = dynamic_cast<const CpuEvent*>(&event))
    own->hold_up(*queue_);
  else
    event.synchronize();  // of a GPU
}

void QueuedStream::add_callback(std::function<void()> function) {
  queue_->add_duty(std::move(function));
}

void CpuEvent::record(Stream& stream) {
  auto time = std::make_shared<std::atomic<Clock::time_point>>();
  if (stream.kind() == StreamKind::queued) {
    queue_ = static_cast<QueuedStream&>(stream).queue();
    position_ = queue_->add_duty([time] { *time = Clock::now(); });
  } else {
    queue_ = nullptr;
    *time = Clock::now();
  }
  time_ = std::move(time);
}

void CpuEvent::synchronize() const {
  if (queue_)
    queue_->wait(position_);
}

void CpuEvent::hold_up(WorkQueue& queue) const {
  if (queue_ == nullptr || queue_.get() == &queue)
    return;  // it was reached, or will be when the queue comes here
  queue.add_work([earlier = queue_, position = position_](Interrupt* interrupt) {
    earlier->wait(position, *interrupt);
  });
}

float CpuEvent::elapsed_ms_since(const Event& start) {
  const auto* from = dynamic_cast<const CpuEvent*>(&start);
  if (from == nullptr)
    throw ValueError("the time between events of different devices is not known");
  if (!time_ || !from->time_)
    throw ValueError("the time between events is not known before both were recorded");
  if (!has_time() || !from->has_time())
    throw ValueError("the time between events is not known before both were reached: synchronize");
  return std::chrono::duration<float, std::milli>(time_->load() - from->time_->load()).count();
}

}  // namespace phalanx::runtime::cpu
