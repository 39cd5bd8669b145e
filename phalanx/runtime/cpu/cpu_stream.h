// Streams and events of the CPU device, where all work is done when a call returns.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "phalanx/runtime/event.h"
#include "phalanx/runtime/stream.h"

namespace phalanx::runtime::cpu {

class CpuStream final : public Stream {
 public:
  // A stream that is not the device's own keeps the device alive.
  CpuStream(Device& device, StreamKind kind, std::shared_ptr<Device> keep)
      : Stream(device, kind), keep_(std::move(keep)) {}

  void synchronize() override {}
  bool query() override { return true; }
  void wait(const Event& /*event*/) override {}
  void add_callback(std::function<void()> function) override { function(); }
  // There is no driver to name it: streams that were made are told apart by their address.
  std::uintptr_t handle() const override {
    const bool was_made = kind() == StreamKind::blocking || kind() == StreamKind::non_blocking;
    return was_made ? reinterpret_cast<std::uintptr_t>(this) : 0;
  }

 private:
  std::shared_ptr<Device> keep_;
};

class CpuEvent final : public Event {
 public:
  void record(Stream& stream) override;
  bool query() override { return true; }
  void synchronize() override {}
  float elapsed_ms_since(const Event& start) override;
  std::uintptr_t handle() const override { return 0; }

 private:
  std::optional<std::chrono::steady_clock::time_point> time_;
};

}  // namespace phalanx::runtime::cpu
