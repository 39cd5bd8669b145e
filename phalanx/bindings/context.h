// The engine of this process, and what Python passes for streams and kinds of memory.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>

#include <atomic>
#include <memory>
#include <string>
#include <string_view>

#include "phalanx/jit/context.h"
#include "phalanx/jit/engine.h"
#include "phalanx/runtime/device.h"
#include "phalanx/views/pending_memory.h"

namespace phalanx::bindings {

// Made at the first call, and never destroyed: Python objects and threads may outlive every other
// moment that could be chosen for it.
jit::Engine& engine();

// The calling thread's; at first the default device of the process.
inline runtime::Device& current_device() { return jit::current_device(engine()); }

// What Python passes as a stream: None or 0, a Stream, something with a Stream in `._stream`, or a
// driver's handle. Null for the default stream. Throws TypeError for anything else.
std::shared_ptr<runtime::Stream> stream_from(nanobind::handle given, runtime::Device& device);

// "device", "pinned", "mapped", "managed" or "shared".
runtime::MemoryKind memory_kind(std::string_view name);

// Where the memory of a device's arrays waits before it is given back.
views::PendingMemory& pending_memory(runtime::Device& device);

// Keeps a Python object alive from C++; it is dropped with the GIL held, wherever that happens.
std::shared_ptr<void> keep_alive(nanobind::handle object);

// Set once a stream was given a Python function: from then on a launch must not wait for room in a
// queue with the GIL held, since that function needs it.
std::atomic<bool>& has_callbacks();

// Turns the exception being handled into Python's; for functions that CPython calls directly.
void set_python_error() noexcept;

}  // namespace phalanx::bindings
