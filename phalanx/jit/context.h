// What belongs to the calling thread: its current device, and the graph that it records.
#pragma once

#include <cstdint>
#include <memory>

#include "phalanx/base/export.h"
#include "phalanx/jit/engine.h"
#include "phalanx/jit/graph.h"
#include "phalanx/runtime/device.h"

namespace phalanx::jit {

// At first the engine's default device. Throws DeviceError where the engine's devices are disabled.
PHX_API runtime::Device& current_device(Engine& engine);
PHX_API void set_current_device(runtime::Device& device);

// The stream, or the device's default stream.
PHX_API std::shared_ptr<runtime::Stream> stream_or_default(
    runtime::Device& device, const std::shared_ptr<runtime::Stream>& stream);

// The graph that a thread records, and the stream that does it.
struct Recording {
  std::shared_ptr<Graph> graph;
  std::shared_ptr<runtime::Stream> stream;
  std::uint32_t number = 0;  // of the process's recordings, from 1
};
PHX_API Recording* recording();  // the calling thread's; null when there is none
// Its number; 0 when there is none.
inline std::uint32_t recording_number() {
  const Recording* const now = recording();
  return now == nullptr ? 0 : now->number;
}
// Throws ValueError when there is one already, which goes on.
PHX_API void start_recording(const std::shared_ptr<Graph>& graph);
PHX_API std::unique_ptr<Recording> stop_recording();

// While one lives the thread's work is done, not recorded.
class PHX_API RecordingPaused {
 public:
  RecordingPaused();
  RecordingPaused(const RecordingPaused&) = delete;
  RecordingPaused& operator=(const RecordingPaused&) = delete;
  ~RecordingPaused();

 private:
  Recording* paused_;
};

// Where work that was given to `stream` goes: there, or into the graph that the thread records.
// Throws ValueError when that one is for another device.
PHX_API std::shared_ptr<runtime::Stream> recorded_or(std::shared_ptr<runtime::Stream> stream);

// Throws ValueError when the thread records a graph, which cannot do `what`.
PHX_API void refuse_while_recording(const char* what);
struct NotRecording {  // a guard for calls that wait for a device
  NotRecording() { refuse_while_recording("wait for the device"); }
};

}  // namespace phalanx::jit
