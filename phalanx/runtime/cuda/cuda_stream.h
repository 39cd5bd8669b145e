// Streams and events of a GPU.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "phalanx/runtime/cuda/context.h"
#include "phalanx/runtime/event.h"
#include "phalanx/runtime/stream.h"

namespace phalanx::runtime::cuda {

class CudaDevice;
class CudaExecutable;

class CudaStream final : public Stream {
 public:
  // `keep` holds the device for streams that are not its own.
  CudaStream(
      Device& device,
      std::shared_ptr<Context> context,
      StreamKind kind,
      StreamHandle handle,
      std::shared_ptr<Device> keep);
  ~CudaStream() override;

  void synchronize() override;
  bool query() override;
  void wait(const Event& event) override;
  void add_callback(std::function<void()> function) override;
  std::uintptr_t handle() const override { return reinterpret_cast<std::uintptr_t>(handle_); }

  StreamHandle native() const { return handle_; }
  Context& context() const { return *context_; }

  void note_launch(CudaExecutable& kernel);  // to be called after each launch

  bool is_recording() const { return kind() == StreamKind::recording; }
  // What was queued so far on a recording stream, which the caller owns, and its kernels.
  GraphHandle take_graph();
  std::vector<std::shared_ptr<CudaExecutable>> take_kernels();

  // All work so far is known to be done: forgets the launches, throws what a kernel raised.
  void drain();

 private:
  std::shared_ptr<Context> context_;
  StreamHandle handle_;
  LaunchLog log_;
  bool is_capturing_ = false;
  std::vector<std::shared_ptr<CudaExecutable>> recorded_;
  std::shared_ptr<Device> keep_;
};

class CudaEvent final : public Event {
 public:
  CudaEvent(std::shared_ptr<Context> context, bool timing, std::shared_ptr<Device> keep);
  ~CudaEvent() override;

  void record(Stream& stream) override;
  bool query() const override;
  void synchronize() const override;
  float elapsed_ms_since(const Event& start) override;
  std::uintptr_t handle() const override { return reinterpret_cast<std::uintptr_t>(handle_); }

  EventHandle native() const { return handle_; }

 private:
  std::shared_ptr<Context> context_;
  EventHandle handle_ = nullptr;
  bool has_timing_;
  bool is_recorded_ = false;
  std::shared_ptr<Device> keep_;
};

// Throws TypeError when the stream is another device's.
CudaStream& as_cuda(Stream& stream, const Device& device);

}  // namespace phalanx::runtime::cuda
