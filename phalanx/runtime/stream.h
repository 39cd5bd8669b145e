// An in-order queue of work on one device.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "phalanx/base/export.h"

namespace phalanx::runtime {

class Device;
class Event;

enum class StreamKind : std::uint8_t {
  legacy_default,      // waits for, and is waited for by, all blocking streams
  per_thread_default,  // the calling thread's own default stream
  blocking,            // created; orders itself with the legacy default stream
  non_blocking,        // created; does not
  external,            // made by another library, which keeps it alive
  recording,           // does nothing: what is queued becomes a graph
  queued,  // created, as blocking; on the CPU device too its work runs beside its caller
};

class PHX_API Stream : public std::enable_shared_from_this<Stream> {
 public:
  Stream(Device& device, StreamKind kind) : device_(&device), kind_(kind) {}
  virtual ~Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  virtual void synchronize() = 0;             // blocks; throws the first error of the queue
  virtual bool query() = 0;                   // true when all work is done
  virtual void wait(const Event& event) = 0;  // later work starts after `event`
  // Runs `function` on some thread when the work so far is done; it must not call the device.
  virtual void add_callback(std::function<void()> function) = 0;
  virtual std::uintptr_t handle() const = 0;  // the driver's CUstream

  Device& device() const { return *device_; }
  StreamKind kind() const { return kind_; }

 private:
  Device* device_;
  StreamKind kind_;
};

}  // namespace phalanx::runtime
