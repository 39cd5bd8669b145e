// The fake driver's streams and events.
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "tests/support/fake_driver.h"
#include "tests/support/fake_driver_parts.h"

namespace phalanx::support {

using namespace runtime::cuda;  // NOLINT: the fake is the driver

const std::shared_ptr<FakeStreams::Stream>& FakeStreams::at(StreamHandle handle) {
  const auto found = all.find(handle == per_thread_stream() ? nullptr : handle);
  if (found == all.end())
    misuse("a stream that does not exist is used");
  return found->second;
}

void FakeStreams::run_until(Stream& stream, std::uint64_t position) {
  while (stream.done < position) {
    const std::function<void()> operation = std::move(stream.queue.front());
    stream.queue.pop_front();
    ++stream.done;
    operation();
  }
}

void FakeStreams::run_all() {
  for (auto& [handle, stream] : all) run_until(*stream, stream->added);
}

void FakeStreams::add(StreamHandle handle, std::function<void()> operation) {
  Stream& stream = *at(handle);
  if (stream.captured != nullptr) {
    stream.captured->push_back(std::move(operation));
    return;
  }
  const std::shared_ptr<Stream>& legacy = all[nullptr];
  std::vector<std::pair<std::shared_ptr<Stream>, std::uint64_t>> before;
  if (&stream == legacy.get()) {
    for (auto& [other_handle, other] : all)
      if (other != legacy && other->is_blocking)
        before.emplace_back(other, other->added);
  } else if (stream.is_blocking) {
    before.emplace_back(legacy, legacy->added);
  }
  ++stream.added;
  stream.queue.push_back([this, before, operation = std::move(operation)] {
    for (const auto& [other, position] : before) run_until(*other, position);
    if (error == result::success)
      operation();
  });
}

namespace fake {

Result stream_create(StreamHandle* stream, unsigned flags) {
  auto made = std::make_shared<FakeStreams::Stream>();
  made->is_blocking = (flags & stream_non_blocking) == 0;
  *stream = handle_of<StreamHandle>(made.get());
  streams().all[*stream] = std::move(made);
  return streams().error;
}

Result stream_destroy(StreamHandle stream) {
  // Its queue still runs; nobody may name it any more.
  streams().run_until(*streams().at(stream), streams().at(stream)->added);
  streams().all.erase(stream);
  return streams().error;
}

Result stream_synchronize(StreamHandle stream) {
  if (streams().at(stream)->captured != nullptr)
    misuse("a stream is waited for while it is captured");
  streams().run_until(*streams().at(stream), streams().at(stream)->added);
  return streams().error;
}

Result stream_query(StreamHandle stream) {
  if (streams().error != result::success)
    return streams().error;
  const FakeStreams::Stream& queue = *streams().at(stream);
  return queue.done == queue.added ? result::success : result::not_ready;
}

Result stream_wait(StreamHandle stream, EventHandle event, unsigned) {
  const FakeStreams::Event& point = *streams().events.at(event);
  const std::shared_ptr<FakeStreams::Stream> other = point.stream;
  if (other != nullptr)
    streams().add(
        stream, [other, position = point.position] { streams().run_until(*other, position); });
  return streams().error;
}

Result stream_callback(StreamHandle stream, HostFunction function, void* data) {
  streams().add(stream, [function, data] { function(data); });
  return streams().error;
}

// Events

Result event_create(EventHandle* event, unsigned) {
  auto made = std::make_unique<FakeStreams::Event>();
  *event = handle_of<EventHandle>(made.get());
  streams().events[*event] = std::move(made);
  return streams().error;
}

Result event_destroy(EventHandle event) {
  if (streams().events.erase(event) == 0)
    misuse("an event is destroyed twice");
  return streams().error;
}

Result event_record(EventHandle event, StreamHandle stream) {
  streams().add(stream, [] {});
  FakeStreams::Event& point = *streams().events.at(event);
  point.stream = streams().at(stream);
  point.position = point.stream->added;
  point.time = ++streams().clock;
  return streams().error;
}

Result event_query(EventHandle event) {
  if (streams().error != result::success)
    return streams().error;
  const FakeStreams::Event& point = *streams().events.at(event);
  const bool is_reached = point.stream == nullptr || point.stream->done >= point.position;
  return is_reached ? result::success : result::not_ready;
}

Result event_synchronize(EventHandle event) {
  const FakeStreams::Event& point = *streams().events.at(event);
  if (point.stream != nullptr)
    streams().run_until(*point.stream, point.position);
  return streams().error;
}

Result event_elapsed(float* milliseconds, EventHandle start, EventHandle end) {
  *milliseconds =
      static_cast<float>(streams().events.at(end)->time - streams().events.at(start)->time);
  return streams().error;
}

}  // namespace fake

}  // namespace phalanx::support
