#include "tests/support/fake_driver.h"

#include <cstdio>
#include <cstdlib>

#include "tests/support/fake_driver_parts.h"

namespace phalanx::support {

using namespace runtime::cuda;  // NOLINT: the fake is the driver

namespace {

FakeDriver*& current_driver() {
  static FakeDriver* driver = nullptr;
  return driver;
}

}  // namespace

FakeDriver& the_driver() { return *current_driver(); }

void misuse(const std::string& what) {
  std::fprintf(stderr, "fake driver: %s\n", what.c_str());
  std::abort();
}

// Counts the calls of a function, one at a time, and lets it fail where a test wants that.
template <auto function, typename Arguments>
struct Thunk;

template <auto function, typename... Arguments>
struct Thunk<function, Result (*)(Arguments...)> {
  static inline const char* name = nullptr;

  static Result call(Arguments... arguments) {
    FakeDriver& driver = the_driver();
    const std::lock_guard lock(driver.mutex_);
    ++driver.calls_[name];
    const auto failure = driver.failures_.find(name);
    if (failure != driver.failures_.end()) {
      const Result error = failure->second;
      driver.failures_.erase(failure);
      return error;
    }
    return function(arguments...);
  }
};

FakeDriver::FakeDriver() : parts_(std::make_unique<FakeParts>()) {
  if (current_driver() != nullptr)
    misuse("there is one already");
  current_driver() = this;
#define DRIVER(entry, symbol, parameters)                      \
  Thunk<&fake::entry, decltype(Driver::entry)>::name = #entry; \
  table_.entry = &Thunk<&fake::entry, decltype(Driver::entry)>::call;
#include "phalanx/runtime/cuda/driver_table.def"
#undef DRIVER
  current_context() = nullptr;
}

FakeDriver::~FakeDriver() { current_driver() = nullptr; }

int FakeDriver::calls(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto found = calls_.find(name);
  return found == calls_.end() ? 0 : found->second;
}

std::size_t FakeDriver::live_device_bytes() {
  const std::lock_guard lock(mutex_);
  parts_->streams.run_all();
  return parts_->memory.used(false);
}

std::size_t FakeDriver::live_host_blocks() const { return parts_->memory.host_blocks.size(); }
std::size_t FakeDriver::live_streams() const { return parts_->streams.all.size() - 1; }
std::size_t FakeDriver::live_events() const { return parts_->streams.events.size(); }
std::size_t FakeDriver::live_graphs() const { return parts_->graphs.all.size(); }
bool FakeDriver::is_profiling() const { return parts_->graphs.is_profiling; }
std::size_t FakeDriver::live_modules() const { return parts_->modules.all.size(); }
ErrorLog* FakeDriver::last_error_log() const { return parts_->modules.last_log; }
StreamHandle FakeDriver::last_free_stream() const { return parts_->memory.last_free_stream; }
int FakeDriver::retained_contexts() const { return parts_->contexts.retained; }
int FakeDriver::pool_reader() const { return parts_->memory.pool_reader; }

}  // namespace phalanx::support
