// What a profile has of work of the CPU device: done by the time a call returns, or queued.
#pragma once

#include <cstddef>
#include <utility>

#include "phalanx/runtime/cpu/cpu_executable.h"
#include "phalanx/runtime/cpu/cpu_stream.h"
#include "phalanx/runtime/cpu/work_queue.h"
#include "phalanx/runtime/launch.h"
#include "phalanx/runtime/profiler.h"

namespace phalanx::runtime::cpu {

class CpuSpan {
 public:
  CpuSpan(ProfileKind kind, Stream& stream, std::size_t bytes = 0) : span_(kind) {
    if (span_.is_on()) [[unlikely]]
      set_stream(stream, bytes);
  }

  void set_launch(CpuExecutable& kernel, const LaunchConfig& config) {
    if (!span_.is_on()) [[likely]]
      return;
    ProfileRecord& record = span_.record();
    record.blocks = config.grid.count();
    record.threads = static_cast<std::uint32_t>(config.block.count());
    record.shared_bytes = config.dynamic_shared_bytes;
    span_.set_executable(kernel);
    ProfileWork::add_to(record);
  }

  void set_host(const void* host, std::size_t bytes) {
    if (span_.is_on() && host != nullptr) [[unlikely]]
      span_.set_host(host, bytes);
  }

  // The step with its own time in the record: what is queued, or recorded into a graph.
  Step timed(Step step) {
    if (!span_.is_on() || span_.record().slot == 0) [[likely]]
      return step;
    return [slot = span_.record().slot, step = std::move(step)](Interrupt* interrupt) {
      const std::int64_t start = profile_time();
      step(interrupt);
      Profiler::instance().set_slot(slot, start, profile_time());
    };
  }

 private:
  void set_stream(Stream& stream, std::size_t bytes) {
    span_.set_device(stream.device());
    ProfileRecord& record = span_.record();
    record.bytes_read = bytes;
    if (stream.kind() == StreamKind::recording)
      record.set(ProfileFlag::recorded);
    if (stream.kind() != StreamKind::queued || !span_.is_recorded())
      return;
    record.stream = reinterpret_cast<std::uintptr_t>(&stream);
    record.slot = Profiler::instance().make_slot();
  }

  ProfileSpan span_;
};

}  // namespace phalanx::runtime::cpu
