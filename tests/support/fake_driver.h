// A GPU driver in host memory, for tests: real data, lazy streams, and failures on demand.
//
// Work that is put into a stream runs as late as the driver's rules allow: when somebody waits for
// it. Code that reuses memory too early, or forgets to wait, gets wrong data here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "phalanx/base/cpu_kernel.h"
#include "phalanx/runtime/cuda/driver.h"

namespace phalanx::support {

struct FakeLaunch {
  unsigned grid[3] = {};
  unsigned block[3] = {};
  unsigned shared_bytes = 0;
  bool cooperative = false;
  std::vector<std::byte> parameters;
};

class FakeDriver {
 public:
  // What a kernel does, and the error that it leaves.
  using Kernel = std::function<runtime::cuda::Result(const FakeLaunch&)>;

  FakeDriver();  // becomes the one that table() calls; one at a time
  ~FakeDriver();
  FakeDriver(const FakeDriver&) = delete;
  FakeDriver& operator=(const FakeDriver&) = delete;

  const runtime::cuda::Driver& table() const { return table_; }

  // Settings
  int version = 12040;
  int devices = 1;
  bool has_pools = true;
  bool has_links = true;  // between all GPUs
  std::size_t total_memory = std::size_t{64} << 20;
  std::size_t foreign_memory = 0;         // held by another process
  std::map<std::string, Kernel> kernels;  // by entry; modules may only name these
  Kernel any_kernel;                      // if not empty: what all code does, real PTX too
  std::string assembler_error;            // what cuLinkAddData complains about, if not empty

  // The next call of the table's entry `name` returns `error`.
  void fail_next(const std::string& name, runtime::cuda::Result error) { failures_[name] = error; }

  // What happened
  int calls(const std::string& name) const;
  std::size_t live_device_bytes();
  std::size_t live_host_blocks() const { return host_blocks_.size(); }
  std::size_t live_streams() const { return streams_.size() - 1; }
  std::size_t live_events() const { return events_.size(); }
  std::size_t live_graphs() const { return graphs_.size(); }
  bool is_profiling() const { return is_profiling_; }
  std::size_t live_modules() const { return modules_.size(); }
  ErrorLog* last_error_log() const { return last_log_; }  // of the last module loaded
  runtime::cuda::StreamHandle last_free_stream() const { return last_free_stream_; }
  int retained_contexts() const { return retained_; }
  // The ordinal of the device that was given access to a pool last; -1: none.
  int pool_reader() const { return pool_reader_; }
  std::vector<unsigned> jit_options;  // names of the options of the last link
  unsigned largest_shared_limit = 0;  // that a function was given

 private:
  template <std::size_t, auto, typename>
  friend struct Thunk;

  using Result = runtime::cuda::Result;
  using DeviceHandle = runtime::cuda::DeviceHandle;
  using DevicePointer = runtime::cuda::DevicePointer;
  using ContextHandle = runtime::cuda::ContextHandle;
  using ModuleHandle = runtime::cuda::ModuleHandle;
  using FunctionHandle = runtime::cuda::FunctionHandle;
  using StreamHandle = runtime::cuda::StreamHandle;
  using EventHandle = runtime::cuda::EventHandle;
  using PoolHandle = runtime::cuda::PoolHandle;
  using LinkHandle = runtime::cuda::LinkHandle;
  using HostFunction = runtime::cuda::HostFunction;
  using SharedBytesOfBlock = runtime::cuda::SharedBytesOfBlock;
  using PoolProperties = runtime::cuda::PoolProperties;
  using PoolAccess = runtime::cuda::PoolAccess;
  using LaunchSettings = runtime::cuda::LaunchSettings;
  using Uuid = runtime::cuda::Uuid;
  using GraphHandle = runtime::cuda::GraphHandle;
  using GraphNodeHandle = runtime::cuda::GraphNodeHandle;
  using GraphExecHandle = runtime::cuda::GraphExecHandle;
  using IpcHandle = runtime::cuda::IpcHandle;

#define DRIVER(name, symbol, parameters) Result name parameters;
#include "phalanx/runtime/cuda/driver_table.def"
#undef DRIVER

  using Operations = std::vector<std::function<void()>>;
  struct Stream {
    bool is_blocking = true;
    std::unique_ptr<Operations> captured;  // not null: what is added goes here and does not run
    std::uint64_t added = 0;               // operations so far
    std::uint64_t done = 0;
    std::deque<std::function<void()>> queue;
  };
  struct Event {
    std::shared_ptr<Stream> stream;
    std::uint64_t position = 0;
    double time = 0;
  };
  struct Allocation {
    std::unique_ptr<std::byte[]> memory;
    std::size_t bytes = 0;
    bool is_pooled = false;
    ContextHandle context = nullptr;  // of the device that it is on
  };
  struct Function {
    Kernel kernel;
    int max_dynamic_shared = 48 * 1024;
  };
  struct Module {
    std::string entry;
    Function function;
    ErrorLog error_log;
  };

  const std::shared_ptr<Stream>& stream_of(StreamHandle handle);
  void add(StreamHandle handle, std::function<void()> operation);
  void run_until(Stream& stream, std::uint64_t position);
  void run_all();
  Result allocate(DevicePointer* memory, std::size_t bytes, bool is_pooled);
  std::size_t used(bool pooled_only) const;
  const Allocation& check_device_range(DevicePointer first, std::size_t bytes) const;
  Result start(FunctionHandle function, StreamHandle stream, FakeLaunch launch, void** extra);
  bool is_pinned(const void* memory, std::size_t bytes) const;

  runtime::cuda::Driver table_;
  mutable std::recursive_mutex mutex_;
  std::map<std::string, int> calls_;
  std::map<std::string, Result> failures_;
  Result sticky_ = 0;
  int retained_ = 0;
  double clock_ = 0;
  std::size_t cached_ = 0;  // bytes that the pool keeps
  std::map<DevicePointer, Allocation> allocations_;
  std::map<const void*, std::size_t> host_blocks_;  // page-locked, ours or registered
  std::map<const void*, std::unique_ptr<std::byte[]>> host_memory_;
  std::map<StreamHandle, std::shared_ptr<Stream>> streams_;
  std::map<EventHandle, std::unique_ptr<Event>> events_;
  std::map<ModuleHandle, std::unique_ptr<Module>> modules_;
  std::map<const void*, std::unique_ptr<Operations>> graphs_;  // and those made to be launched
  bool is_profiling_ = false;
  std::set<std::pair<ContextHandle, ContextHandle>> peers_;  // the first may access the second
  int pool_reader_ = -1;
  std::map<LinkHandle, std::unique_ptr<std::vector<std::byte>>> links_;  // with their first PTX
  ErrorLog* last_log_ = nullptr;
  StreamHandle last_free_stream_ = nullptr;
};

// The fake assembler's machine code for a kernel: what the fake driver can load.
std::vector<std::byte> fake_code(const std::string& entry);

}  // namespace phalanx::support
