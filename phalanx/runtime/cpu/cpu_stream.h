// Streams and events of the CPU device. All work is done when a call returns, but for queued
// streams, whose work a thread of their own does.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <utility>

#include "phalanx/runtime/cpu/work_queue.h"
#include "phalanx/runtime/event.h"
#include "phalanx/runtime/stream.h"

namespace phalanx::runtime::cpu {

class CpuStream final : public Stream {
 public:
  // A stream that is not the device's own keeps the device alive.
  CpuStream(Device& device, StreamKind kind, std::shared_ptr<Device> keep)
      : Stream(device, kind), keep_(std::move(keep)) {}

  void synchronize() override;
  bool query() override { return true; }
  void wait(const Event& event) override;
  void add_callback(std::function<void()> function) override { function(); }
  // There is no driver to name it: streams that were made are told apart by their address.
  std::uintptr_t handle() const override {
    const bool was_made = kind() == StreamKind::blocking || kind() == StreamKind::non_blocking;
    return was_made ? reinterpret_cast<std::uintptr_t>(this) : 0;
  }

 private:
  std::shared_ptr<Device> keep_;
};

class QueuedStream final : public Stream {
 public:
  QueuedStream(Device& device, std::shared_ptr<Device> keep, std::shared_ptr<WorkQueue> queue)
      : Stream(device, StreamKind::queued), keep_(std::move(keep)), queue_(std::move(queue)) {}
  ~QueuedStream() override { queue_->close(); }

  void synchronize() override;
  bool query() override { return queue_->is_past(queue_->last()); }
  void wait(const Event& event) override;
  void add_callback(std::function<void()> function) override;
  std::uintptr_t handle() const override { return reinterpret_cast<std::uintptr_t>(this); }

  const std::shared_ptr<WorkQueue>& queue() const { return queue_; }

 private:
  std::shared_ptr<Device> keep_;
  std::shared_ptr<WorkQueue> queue_;
};

// Null for a stream that does its work at once or records it.
inline WorkQueue* queue_of(const Stream& stream) {
  return stream.kind() == StreamKind::queued
             ? static_cast<const QueuedStream&>(stream).queue().get()
             : nullptr;
}

class CpuEvent final : public Event {
 public:
  void record(Stream& stream) override;
  bool query() const override { return queue_ == nullptr || queue_->is_past(position_); }
  void synchronize() const override;
  float elapsed_ms_since(const Event& start) override;
  std::uintptr_t handle() const override { return 0; }

  // Makes the queue wait here until the event was reached.
  void hold_up(WorkQueue& queue) const;

 private:
  using Clock = std::chrono::steady_clock;

  bool has_time() const { return time_ && time_->load() != Clock::time_point(); }

  std::shared_ptr<WorkQueue> queue_;  // null where the work was done at once
  WorkQueue::Position position_ = 0;
  std::shared_ptr<std::atomic<Clock::time_point>> time_;  // null until it is recorded
};

}  // namespace phalanx::runtime::cpu
