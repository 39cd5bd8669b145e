#include "tests/support/fake_driver.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "tests/support/fake_driver_parts.h"

namespace phalanx::support {

using namespace runtime::cuda;  // NOLINT: the fake is the driver

namespace {

// The functions of a driver carry no object: the tests' one is found here.
FakeDriver*& current_driver() {
  static FakeDriver* driver = nullptr;
  return driver;
}

enum : std::size_t {
#define DRIVER(name, symbol, parameters) index_of_##name,
#include "phalanx/runtime/cuda/driver_table.def"
#undef DRIVER
};

constexpr const char* names[] = {
#define DRIVER(name, symbol, parameters) #name,
#include "phalanx/runtime/cuda/driver_table.def"
#undef DRIVER
};

}  // namespace

ContextHandle& current_context() {
  thread_local ContextHandle context = nullptr;
  return context;
}

void misuse(const std::string& what) {
  std::fprintf(stderr, "fake driver: %s\n", what.c_str());
  std::abort();
}

template <std::size_t index, auto method, typename Signature>
struct Thunk;

template <std::size_t index, auto method, typename... Arguments>
struct Thunk<index, method, Result (*)(Arguments...)> {
  static Result call(Arguments... arguments) {
    FakeDriver* driver = current_driver();
    const std::lock_guard lock(driver->mutex_);
    ++driver->calls_[names[index]];
    const auto failure = driver->failures_.find(names[index]);
    if (failure != driver->failures_.end()) {
      const Result error = failure->second;
      driver->failures_.erase(failure);
      return error;
    }
    return (driver->*method)(arguments...);
  }
};

FakeDriver::FakeDriver() {
  if (current_driver() != nullptr)
    misuse("there is one already");
  current_driver() = this;
#define DRIVER(name, symbol, parameters) \
  table_.name = &Thunk<index_of_##name, &FakeDriver::name, decltype(Driver::name)>::call;
#include "phalanx/runtime/cuda/driver_table.def"
#undef DRIVER
  streams_[nullptr] = std::make_shared<Stream>();
  current_context() = nullptr;
}

FakeDriver::~FakeDriver() { current_driver() = nullptr; }

int FakeDriver::calls(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto found = calls_.find(name);
  return found == calls_.end() ? 0 : found->second;
}

// Streams

const std::shared_ptr<FakeDriver::Stream>& FakeDriver::stream_of(StreamHandle handle) {
  const auto found = streams_.find(handle == per_thread_stream() ? nullptr : handle);
  if (found == streams_.end())
    misuse("a stream that does not exist is used");
  return found->second;
}

void FakeDriver::run_until(Stream& stream, std::uint64_t position) {
  while (stream.done < position) {
    const std::function<void()> operation = std::move(stream.queue.front());
    stream.queue.pop_front();
    ++stream.done;
    operation();
  }
}

void FakeDriver::run_all() {
  for (auto& [handle, stream] : streams_) run_until(*stream, stream->added);
}

void FakeDriver::add(StreamHandle handle, std::function<void()> operation) {
  Stream& stream = *stream_of(handle);
  if (stream.captured != nullptr) {
    stream.captured->push_back(std::move(operation));
    return;
  }
  const std::shared_ptr<Stream>& legacy = streams_[nullptr];
  std::vector<std::pair<std::shared_ptr<Stream>, std::uint64_t>> before;
  if (&stream == legacy.get()) {
    for (auto& [other_handle, other] : streams_)
      if (other != legacy && other->is_blocking)
        before.emplace_back(other, other->added);
  } else if (stream.is_blocking) {
    before.emplace_back(legacy, legacy->added);
  }
  ++stream.added;
  stream.queue.push_back([this, before, operation = std::move(operation)] {
    for (const auto& [other, position] : before) run_until(*other, position);
    if (sticky_ == result::success)
      operation();
  });
}

Result FakeDriver::stream_create(StreamHandle* stream, unsigned flags) {
  auto made = std::make_shared<Stream>();
  made->is_blocking = (flags & stream_non_blocking) == 0;
  *stream = handle_of<StreamHandle>(made.get());
  streams_[*stream] = std::move(made);
  return sticky_;
}

Result FakeDriver::stream_destroy(StreamHandle stream) {
  // Its queue still runs; nobody may name it any more.
  run_until(*stream_of(stream), stream_of(stream)->added);
  streams_.erase(stream);
  return sticky_;
}

Result FakeDriver::stream_synchronize(StreamHandle stream) {
  if (stream_of(stream)->captured != nullptr)
    misuse("a stream is waited for while it is captured");
  run_until(*stream_of(stream), stream_of(stream)->added);
  return sticky_;
}

Result FakeDriver::stream_query(StreamHandle stream) {
  if (sticky_ != result::success)
    return sticky_;
  const Stream& queue = *stream_of(stream);
  return queue.done == queue.added ? result::success : result::not_ready;
}

Result FakeDriver::stream_wait(StreamHandle stream, EventHandle event, unsigned) {
  const Event& point = *events_.at(event);
  const std::shared_ptr<Stream> other = point.stream;
  if (other != nullptr)
    add(stream, [this, other, position = point.position] { run_until(*other, position); });
  return sticky_;
}

Result FakeDriver::stream_callback(StreamHandle stream, HostFunction function, void* data) {
  add(stream, [function, data] { function(data); });
  return sticky_;
}

// Events

Result FakeDriver::event_create(EventHandle* event, unsigned) {
  auto made = std::make_unique<Event>();
  *event = handle_of<EventHandle>(made.get());
  events_[*event] = std::move(made);
  return sticky_;
}

Result FakeDriver::event_destroy(EventHandle event) {
  if (events_.erase(event) == 0)
    misuse("an event is destroyed twice");
  return sticky_;
}

Result FakeDriver::event_record(EventHandle event, StreamHandle stream) {
  add(stream, [] {});
  Event& point = *events_.at(event);
  point.stream = stream_of(stream);
  point.position = point.stream->added;
  point.time = ++clock_;
  return sticky_;
}

Result FakeDriver::event_query(EventHandle event) {
  if (sticky_ != result::success)
    return sticky_;
  const Event& point = *events_.at(event);
  const bool is_reached = point.stream == nullptr || point.stream->done >= point.position;
  return is_reached ? result::success : result::not_ready;
}

Result FakeDriver::event_synchronize(EventHandle event) {
  const Event& point = *events_.at(event);
  if (point.stream != nullptr)
    run_until(*point.stream, point.position);
  return sticky_;
}

Result FakeDriver::event_elapsed(float* milliseconds, EventHandle start, EventHandle end) {
  *milliseconds = static_cast<float>(events_.at(end)->time - events_.at(start)->time);
  return sticky_;
}

// Start, devices, contexts

Result FakeDriver::init(unsigned) { return result::success; }

Result FakeDriver::driver_version(int* number) {
  *number = version;
  return result::success;
}

Result FakeDriver::error_name(Result error, const char** text) {
  static const std::map<Result, const char*> texts = {
      {result::invalid_value, "CUDA_ERROR_INVALID_VALUE"},
      {result::out_of_memory, "CUDA_ERROR_OUT_OF_MEMORY"},
      {result::no_device, "CUDA_ERROR_NO_DEVICE"},
      {result::invalid_ptx, "CUDA_ERROR_INVALID_PTX"},
      {result::illegal_address, "CUDA_ERROR_ILLEGAL_ADDRESS"},
      {result::launch_failed, "CUDA_ERROR_LAUNCH_FAILED"},
  };
  const auto found = texts.find(error);
  if (found == texts.end())
    return result::invalid_value;
  *text = found->second;
  return result::success;
}

Result FakeDriver::error_string(Result error, const char** text) {
  *text = error == result::illegal_address ? "an illegal memory access was encountered"
                                           : "what went wrong, in words";
  return result::success;
}

Result FakeDriver::device_count(int* count) {
  *count = devices;
  return devices == 0 ? result::no_device : result::success;
}

Result FakeDriver::device_get(DeviceHandle* device, int ordinal) {
  *device = 100 + ordinal;
  return ordinal < devices ? result::success : result::invalid_value;
}

Result FakeDriver::device_name(char* name, int size, DeviceHandle) {
  std::snprintf(name, static_cast<std::size_t>(size), "Fake GPU");
  return result::success;
}

Result FakeDriver::device_attribute(int* value, int attribute, DeviceHandle) {
  static const std::map<int, int> values = {
      {device_max_threads_per_block, 1024},
      {device_max_block_x, 1024},
      {device_max_block_y, 1024},
      {device_max_block_z, 64},
      {device_max_grid_x, 0x7fffffff},
      {device_max_grid_y, 65535},
      {device_max_grid_z, 65535},
      {device_shared_bytes, 48 * 1024},
      {device_warp_size, 32},
      {device_multiprocessors, 132},
      {device_max_threads_per_multiprocessor, 2048},
      {device_capability_major, 9},
      {device_capability_minor, 0},
      {device_max_shared_bytes, 227 * 1024},
  };
  if (attribute == device_has_pools) {
    *value = has_pools ? 1 : 0;
    return result::success;
  }
  const auto found = values.find(attribute);
  if (found == values.end())
    return result::invalid_value;
  *value = found->second;
  return result::success;
}

Result FakeDriver::device_total_memory(std::size_t* bytes, DeviceHandle) {
  *bytes = total_memory;
  return result::success;
}

Result FakeDriver::device_uuid(Uuid* uuid, DeviceHandle device) {
  std::memset(uuid->bytes, device, sizeof(uuid->bytes));
  return result::success;
}

Result FakeDriver::context_retain(ContextHandle* context, DeviceHandle device) {
  ++retained_;
  *context = reinterpret_cast<ContextHandle>(static_cast<std::uintptr_t>(device) << 8);
  return result::success;
}

Result FakeDriver::context_release(DeviceHandle) {
  --retained_;
  return result::success;
}

Result FakeDriver::context_get_current(ContextHandle* context) {
  *context = current_context();
  return result::success;
}

Result FakeDriver::context_set_current(ContextHandle context) {
  current_context() = context;
  return result::success;
}

Result FakeDriver::peer_can_access(int* can, DeviceHandle device, DeviceHandle peer) {
  *can = has_links && device != peer ? 1 : 0;
  return result::success;
}

Result FakeDriver::peer_enable(ContextHandle peer, unsigned) {
  const bool is_new = peers_.emplace(current_context(), peer).second;
  return is_new ? sticky_ : result::peer_access_already_enabled;
}

Result FakeDriver::context_synchronize() {
  run_all();
  return sticky_;
}

}  // namespace phalanx::support
