// What the fake driver is made of: its state in parts, and its functions, which carry no object, as
// a driver's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "phalanx/base/cpu_kernel.h"
#include "phalanx/runtime/cuda/driver.h"
#include "tests/support/fake_driver.h"

namespace phalanx::support {

// Streams and events. What is added runs when somebody waits for it.
struct FakeStreams {
  using StreamHandle = runtime::cuda::StreamHandle;
  using Operations = std::vector<std::function<void()>>;
  struct Stream {
    bool is_blocking = true;
    std::unique_ptr<Operations> captured;  // not null: what is added goes here and does not run
    bool is_invalid = false;               // what is captured: it ends with an error
    std::uint64_t added = 0;               // operations so far
    std::uint64_t done = 0;
    std::deque<std::function<void()>> queue;
  };
  struct Event {
    std::shared_ptr<Stream> stream;
    std::uint64_t position = 0;
    double time = 0;
  };

  const std::shared_ptr<Stream>& at(StreamHandle handle);
  void add(StreamHandle handle, std::function<void()> operation);
  void run_until(Stream& stream, std::uint64_t position);
  void run_all();

  std::map<StreamHandle, std::shared_ptr<Stream>> all = {{nullptr, std::make_shared<Stream>()}};
  std::map<runtime::cuda::EventHandle, std::unique_ptr<Event>> events;
  runtime::cuda::Result error = 0;  // that a kernel has left: every call returns it from then on
  double clock = 0;
};

// Memory of devices and page-locked memory of the host.
struct FakeMemory {
  using DevicePointer = runtime::cuda::DevicePointer;
  struct Allocation {
    std::unique_ptr<std::byte[]> memory;
    std::size_t bytes = 0;
    bool is_pooled = false;
    runtime::cuda::ContextHandle context = nullptr;  // of the device that it is on
  };

  runtime::cuda::Result allocate(DevicePointer* memory, std::size_t bytes, bool is_pooled);
  std::size_t used(bool pooled_only) const;
  const Allocation& at(DevicePointer first, std::size_t bytes) const;
  bool is_pinned(const void* memory, std::size_t bytes) const;

  std::map<DevicePointer, Allocation> allocations;
  std::map<const void*, std::size_t> host_blocks;  // page-locked, ours or registered
  std::map<const void*, std::unique_ptr<std::byte[]>> host_memory;
  std::size_t cached = 0;  // bytes that the pool keeps
  int pool_reader = -1;
  runtime::cuda::StreamHandle last_free_stream = nullptr;
};

// Loaded code, and links of it.
struct FakeModules {
  struct Function {
    FakeDriver::Kernel kernel;
    int max_dynamic_shared = 48 * 1024;
  };
  struct Module {
    std::string entry;
    Function function;
    ErrorLog error_log;
  };

  std::map<runtime::cuda::ModuleHandle, std::unique_ptr<Module>> all;
  // With their first PTX.
  std::map<runtime::cuda::LinkHandle, std::unique_ptr<std::vector<std::byte>>> links;
  ErrorLog* last_log = nullptr;
};

struct FakeGraphs {
  // And those made to be launched.
  std::map<const void*, std::unique_ptr<FakeStreams::Operations>> all;
  bool is_profiling = false;
};

struct FakeContexts {
  using ContextHandle = runtime::cuda::ContextHandle;
  int retained = 0;
  std::set<std::pair<ContextHandle, ContextHandle>> peers;  // the first may access the second
};

struct FakeTextures {
  struct Array {
    runtime::cuda::ArrayDescriptor descriptor;
    std::vector<std::byte> bytes;
  };

  std::map<runtime::cuda::ArrayHandle, std::unique_ptr<Array>> arrays;
  std::map<runtime::cuda::ArrayHandle, int> uses;  // how many objects are of an array
  std::map<runtime::cuda::ObjectHandle, runtime::cuda::ResourceDescriptor> objects;
  runtime::cuda::ObjectHandle last_handle = 0;
  runtime::cuda::TextureDescriptor last_texture;
};

struct FakeParts {
  FakeStreams streams;
  FakeMemory memory;
  FakeModules modules;
  FakeGraphs graphs;
  FakeContexts contexts;
  FakeTextures textures;
};

// The driver that there is.
FakeDriver& the_driver();

// The current context of the calling thread.
runtime::cuda::ContextHandle& current_context();

// Reports that our own code broke the driver's rules, and ends the test run: no test may hide it.
[[noreturn]] void misuse(const std::string& what);

template <typename Handle>
Handle handle_of(void* object) {
  return reinterpret_cast<Handle>(object);
}

inline std::byte* host(runtime::cuda::DevicePointer pointer) {
  return reinterpret_cast<std::byte*>(pointer);
}

// Every function of the driver's table; the_driver() has their state.
namespace fake {

inline FakeStreams& streams() { return the_driver().parts().streams; }
inline FakeMemory& memories() { return the_driver().parts().memory; }
inline FakeModules& modules() { return the_driver().parts().modules; }
inline FakeGraphs& graphs() { return the_driver().parts().graphs; }
inline FakeTextures& textures() { return the_driver().parts().textures; }
inline FakeContexts& contexts() { return the_driver().parts().contexts; }

using namespace runtime::cuda;  // NOLINT: the types of the table
#define DRIVER(name, symbol, parameters) Result name parameters;
#include "phalanx/runtime/cuda/driver_table.def"
#undef DRIVER

}  // namespace fake
}  // namespace phalanx::support
