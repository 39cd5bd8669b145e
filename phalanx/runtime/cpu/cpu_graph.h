// Recorded work of the CPU device: a list of steps.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "phalanx/runtime/cpu/work_queue.h"
#include "phalanx/runtime/graph.h"
#include "phalanx/runtime/stream.h"

namespace phalanx::runtime::cpu {

class CpuRecording final : public Stream {
 public:
  CpuRecording(Device& device, std::shared_ptr<Device> keep)
      : Stream(device, StreamKind::recording), keep_(std::move(keep)) {}

  void add(Step step) { steps_.push_back(std::move(step)); }
  std::vector<Step> take() { return std::exchange(steps_, {}); }

  // Nothing of it is done before the graph is launched, so there is nothing to wait for.
  void synchronize() override;
  bool query() override;
  void wait(const Event& event) override;
  void add_callback(std::function<void()> function) override;
  std::uintptr_t handle() const override { return 0; }

 private:
  std::vector<Step> steps_;
  std::shared_ptr<Device> keep_;
};

// Null for a stream that runs its work.
inline CpuRecording* recording_in(Stream& stream) {
  return stream.kind() == StreamKind::recording ? static_cast<CpuRecording*>(&stream) : nullptr;
}

class CpuGraph final : public Graph {
 public:
  explicit CpuGraph(std::vector<Step> steps)
      : steps_(std::make_shared<const std::vector<Step>>(std::move(steps))) {}

  std::size_t size() const override { return steps_->size(); }
  void launch(Stream& stream) override;

 private:
  std::shared_ptr<const std::vector<Step>> steps_;  // also of launches that are queued
};

}  // namespace phalanx::runtime::cpu
