#include "phalanx/runtime/cuda/cuda_stream.h"

#include <algorithm>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/runtime/cuda/cuda_device.h"
#include "phalanx/runtime/cuda/cuda_executable.h"
#include "phalanx/runtime/profiler.h"
#include "phalanx/runtime/recording.h"

namespace phalanx::runtime::cuda {

namespace {

bool is_created(StreamKind kind) {
  return kind == StreamKind::blocking || kind == StreamKind::non_blocking ||
         kind == StreamKind::recording;
}

// Beside recordings; the default stream waits for the blocking ones. Streams of another library may
// record a graph of its own.
bool is_waited_for(StreamKind kind) {
  return kind == StreamKind::legacy_default || kind == StreamKind::non_blocking;
}

using Callback = std::function<void()>;

void run_callback(void* data) {
  const std::unique_ptr<Callback> callback(static_cast<Callback*>(data));
  (*callback)();
}

}  // namespace

CudaStream::CudaStream(
    Device& device,
    std::shared_ptr<Context> context,
    StreamKind kind,
    StreamHandle handle,
    std::shared_ptr<Device> keep)
    : Stream(device, kind), context_(std::move(context)), handle_(handle), keep_(std::move(keep)) {
  const auto scope = context_->enter();
  if (is_created(kind)) {
    const unsigned flags = kind == StreamKind::blocking ? 0 : stream_non_blocking;
    CU_IN(*context_, stream_create(&handle_, flags));
  }
  if (kind == StreamKind::recording) {
    context_->begin_recording();
    const Result outcome = context_->driver().capture_begin(handle_, capture_relaxed);
    if (outcome != result::success) {
      context_->end_recording();
      context_->driver().stream_destroy(handle_);
    }
    context_->check(outcome, "capture_begin");
    is_capturing_ = true;
  }
  context_->add_stream(&log_, handle_, is_waited_for(kind));
}

CudaStream::~CudaStream() {
  context_->remove_stream(&log_);
  // The driver finishes the queue before it takes the stream down.
  if (!is_created(kind()))
    return;
  const auto scope = context_->try_enter();
  if (!scope)
    return;
  if (is_capturing_) {
    GraphHandle unused = nullptr;
    if (context_->driver().capture_end(handle_, &unused) == result::success)
      context_->driver().graph_destroy(unused);
    context_->end_recording();
  }
  context_->driver().stream_destroy(handle_);
}

GraphHandle CudaStream::take_graph() {
  const auto scope = context_->enter();
  GraphHandle graph = nullptr;
  is_capturing_ = false;
  const Result outcome = context_->driver().capture_end(handle_, &graph);
  context_->end_recording();
  context_->check(outcome, "capture_end");
  return graph;
}

std::vector<std::shared_ptr<CudaExecutable>> CudaStream::take_kernels() {
  return std::exchange(recorded_, {});
}

void CudaStream::synchronize() {
  if (is_recording())
    refuse_to_record("wait for the device");
  const ProfileSpan span(ProfileKind::wait, device());
  const auto scope = context_->enter();
  CU_IN(*context_, stream_synchronize(handle_));
  drain();
}

bool CudaStream::query() {
  if (is_recording())
    refuse_to_record("ask whether work is done");
  const auto scope = context_->enter();
  const Result outcome = context_->driver().stream_query(handle_);
  if (outcome == result::not_ready)
    return false;
  context_->check(outcome, "stream_query");
  return true;
}

void CudaStream::wait(const Event& event) {
  const auto* native = dynamic_cast<const CudaEvent*>(&event);
  if (is_recording())
    refuse_to_record("wait for an event");
  if (native == nullptr) {
    event.synchronize();  // of the CPU device, whose streams the driver does not know
    return;
  }
  const auto scope = context_->enter();
  CU_IN(*context_, stream_wait(handle_, native->native(), 0));
}

void CudaStream::add_callback(std::function<void()> function) {
  if (is_recording())
    refuse_to_record("call back the host");
  const auto scope = context_->enter();
  auto callback = std::make_unique<Callback>(std::move(function));
  CU_IN(*context_, stream_callback(handle_, &run_callback, callback.get()));
  static_cast<void>(callback.release());  // run_callback owns it from here
}

[[gnu::hot]] void CudaStream::note_launch(CudaExecutable& kernel) {
  if (is_recording()) {
    const auto shared = kernel.shared();
    if (std::ranges::find(recorded_, shared) == recorded_.end())
      recorded_.push_back(shared);
    return;
  }
  log_.add(&kernel.interned_name());
  if (kernel.reports())
    log_.add_reporting(kernel.shared());
}

void CudaStream::drain() { collect_reports(log_.drain(), *this); }

CudaEvent::CudaEvent(std::shared_ptr<Context> context, bool timing, std::shared_ptr<Device> keep)
    : context_(std::move(context)), has_timing_(timing), keep_(std::move(keep)) {
  const auto scope = context_->enter();
  CU_IN(*context_, event_create(&handle_, timing ? 0 : event_without_timing));
}

CudaEvent::~CudaEvent() {
  if (const auto scope = context_->try_enter())
    context_->driver().event_destroy(handle_);
}

void CudaEvent::record(Stream& stream) {
  const auto scope = context_->enter();
  auto* native = dynamic_cast<CudaStream*>(&stream);
  if (native != nullptr && native->is_recording())
    refuse_to_record("record an event");
  if (native == nullptr || &native->context() != context_.get())
    throw ValueError("an event can only be recorded in a stream of its own device");
  CU_IN(*context_, event_record(handle_, native->native()));
  is_recorded_ = true;
}

bool CudaEvent::query() const {
  const auto scope = context_->enter();
  const Result outcome = context_->driver().event_query(handle_);
  if (outcome == result::not_ready)
    return false;
  context_->check(outcome, "event_query");
  return true;
}

void CudaEvent::synchronize() const {
  const auto scope = context_->enter();
  CU_IN(*context_, event_synchronize(handle_));
}

float CudaEvent::elapsed_ms_since(const Event& start) {
  const auto* from = dynamic_cast<const CudaEvent*>(&start);
  if (from == nullptr || from->context_ != context_)
    throw ValueError("the time between events of different devices is not known");
  if (!has_timing_ || !from->has_timing_)
    throw ValueError("the time between events is not known: one was made without timing");
  if (!is_recorded_ || !from->is_recorded_)
    throw ValueError("the time between events is not known before both were recorded");
  const auto scope = context_->enter();
  float milliseconds = 0;
  CU_IN(*context_, event_elapsed(&milliseconds, from->handle_, handle_));
  return milliseconds;
}

[[gnu::hot]] CudaStream& as_cuda(Stream& stream, const Device& device) {
  if (&stream.device() != &device)
    throw TypeError("the stream belongs to another device");
  return static_cast<CudaStream&>(stream);
}

}  // namespace phalanx::runtime::cuda
