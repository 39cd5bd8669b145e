#include "phalanx/jit/context.h"

#include <atomic>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/base/thread_local.h"
#include "phalanx/runtime/recording.h"

namespace phalanx::jit {

namespace {

PHX_THREAD_LOCAL runtime::Device* thread_device = nullptr;
// A plain pointer: a launch looks at it.
PHX_THREAD_LOCAL Recording* thread_recording = nullptr;

}  // namespace

[[gnu::hot]] runtime::Device& current_device(Engine& engine) {
  if (const std::string* const reason = engine.disabled_reason())
    throw DeviceError(*reason);
  if (thread_device == nullptr)
    thread_device = &engine.runtime().default_device();
  return *thread_device;
}

void set_current_device(runtime::Device& device) { thread_device = &device; }

std::shared_ptr<runtime::Stream> stream_or_default(
    runtime::Device& device, const std::shared_ptr<runtime::Stream>& stream) {
  return stream ? stream : device.default_stream();
}

[[gnu::hot]] Recording* recording() { return thread_recording; }

// A driver gives the first recording up when a second one begins: ask before.
void start_recording(const std::shared_ptr<Graph>& graph) {
  if (thread_recording != nullptr)
    throw ValueError(
        "this thread records a graph already, which has to end first: a `with` block, or "
        "end_capture()");
  auto made = std::make_unique<Recording>();
  made->graph = graph;
  made->stream = graph->device().start_recording();
  static std::atomic<std::uint32_t> recordings = 0;
  made->number = ++recordings;
  thread_recording = made.release();
}

std::unique_ptr<Recording> stop_recording() {
  return std::unique_ptr<Recording>(std::exchange(thread_recording, nullptr));
}

RecordingPaused::RecordingPaused() : paused_(std::exchange(thread_recording, nullptr)) {}
RecordingPaused::~RecordingPaused() { thread_recording = paused_; }

std::shared_ptr<runtime::Stream> recorded_or(std::shared_ptr<runtime::Stream> stream) {
  if (thread_recording == nullptr)
    return stream;
  if (&stream->device() != &thread_recording->graph->device())
    throw ValueError("a graph records the work of one device; this is for another one");
  return thread_recording->stream;
}

void refuse_while_recording(const char* what) {
  if (thread_recording != nullptr)
    runtime::refuse_to_record(what);
}

}  // namespace phalanx::jit
