// A GPU driver in host memory, for tests: real data, lazy streams, and failures on demand.
//
// Work that is put into a stream runs as late as the driver's rules allow: when somebody waits for
// it. Code that reuses memory too early, or forgets to wait, gets wrong data here.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "phalanx/base/cpu_kernel.h"
#include "phalanx/runtime/cuda/driver.h"

namespace phalanx::support {

struct FakeParts;  // streams, memory, modules, graphs and contexts: fake_driver_parts.h

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
  FakeParts& parts() { return *parts_; }

  // Settings
  int version = 12040;
  int devices = 1;
  bool has_pools = true;
  bool has_links = true;  // between all GPUs
  std::size_t total_memory = std::size_t{64} << 20;
  std::size_t foreign_memory = 0;         // held by another process
  std::map<std::string, Kernel> kernels;  // by entry; modules may only name these
  Kernel any_kernel;                      // if not empty: what all code does, real PTX too
  std::map<std::string, std::vector<std::byte>> globals;  // that every module has, by name
  std::string assembler_error;  // what cuLinkAddData complains about, if not empty

  // The next call of the table's entry `name` returns `error`.
  void fail_next(const std::string& name, runtime::cuda::Result error) { failures_[name] = error; }

  // What happened
  int calls(const std::string& name) const;
  std::size_t live_device_bytes();
  std::size_t live_host_blocks() const;
  std::size_t live_streams() const;
  std::size_t live_events() const;
  std::size_t live_graphs() const;
  bool is_profiling() const;
  std::size_t live_modules() const;
  ErrorLog* last_error_log() const;  // of the last module loaded
  runtime::cuda::StreamHandle last_free_stream() const;
  int retained_contexts() const;
  int pool_reader() const;            // the device that was given access to a pool last; -1: none
  std::vector<unsigned> jit_options;  // names of the options of the last link
  unsigned largest_shared_limit = 0;  // that a function was given

 private:
  template <auto, typename>
  friend struct Thunk;

  runtime::cuda::Driver table_;
  mutable std::recursive_mutex mutex_;
  std::map<std::string, int> calls_;
  std::map<std::string, runtime::cuda::Result> failures_;
  std::unique_ptr<FakeParts> parts_;
};

// The fake assembler's machine code for a kernel: what the fake driver can load.
std::vector<std::byte> fake_code(const std::string& entry);

}  // namespace phalanx::support
