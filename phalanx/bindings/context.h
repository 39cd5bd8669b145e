// The engine of this process and the calling thread's device.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>

#include <atomic>
#include <memory>
#include <string>
#include <string_view>

#include "phalanx/jit/engine.h"
#include "phalanx/jit/graph.h"
#include "phalanx/jit/pending_memory.h"
#include "phalanx/runtime/device.h"

namespace phalanx::bindings {

// Made at the first call, and never destroyed: Python objects and threads may outlive every other
// moment that could be chosen for it.
jit::Engine& engine();

// The calling thread's; at first the default device of the process.
runtime::Device& current_device();
void set_current_device(runtime::Device& device);
// From now on asking for the current device throws DeviceError with the reason.
void disable_devices(std::string reason);
const std::string* disabled_reason();  // null while devices may be used

// The stream of a device, or its default stream.
std::shared_ptr<runtime::Stream> stream_or_default(
    runtime::Device& device, const std::shared_ptr<runtime::Stream>& stream);

// What Python passes as a stream: None or 0, a Stream, something with a Stream in `._stream`, or a
// driver's handle. Null for the default stream. Throws TypeError for anything else.
std::shared_ptr<runtime::Stream> stream_from(nanobind::handle given, runtime::Device& device);

// The graph that a thread records, and the stream that does it.
struct Recording {
  std::shared_ptr<jit::Graph> graph;
  std::shared_ptr<runtime::Stream> stream;
};
Recording* recording();  // the calling thread's; null when there is none
// Throws ValueError when there is one already, which goes on.
void start_recording(const std::shared_ptr<jit::Graph>& graph);
std::unique_ptr<Recording> stop_recording();

// Where work that was given to `stream` goes: there, or into the graph that the thread records.
// Throws ValueError when that one is for another device.
std::shared_ptr<runtime::Stream> recorded_or(std::shared_ptr<runtime::Stream> stream);

// Throws ValueError when the thread records a graph, which cannot do `what`.
void refuse_while_recording(const char* what);
struct NotRecording {  // a guard for calls that wait for a device
  NotRecording() { refuse_while_recording("wait for the device"); }
};

// "device", "pinned", "mapped", "managed" or "shared".
runtime::MemoryKind memory_kind(std::string_view name);

// Where the memory of a device's arrays waits before it is given back.
jit::PendingMemory& pending_memory(runtime::Device& device);

// Keeps a Python object alive from C++; it is dropped with the GIL held, wherever that happens.
std::shared_ptr<void> keep_alive(nanobind::handle object);

// Set once a stream was given a Python function: from then on a launch must not wait for room in a
// queue with the GIL held, since that function needs it.
std::atomic<bool>& has_callbacks();

// Turns the exception being handled into Python's; for functions that CPython calls directly.
void set_python_error() noexcept;

}  // namespace phalanx::bindings
