#include "phalanx/jit/graph.h"

#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/runtime/event.h"

namespace phalanx::jit {

std::shared_ptr<runtime::Graph> Graph::work() const {
  const std::lock_guard lock(mutex_);
  return work_;
}

std::size_t Graph::size() const {
  const auto made = work();
  return made ? made->size() : 0;
}

void Graph::finish(std::shared_ptr<runtime::Graph> work) {
  const std::lock_guard lock(mutex_);
  std::swap(work_, work);
}

void Graph::launch(const std::shared_ptr<runtime::Stream>& stream) {
  const auto made = work();
  if (!made)
    throw ValueError("a graph can be launched once the `with` block that records it has ended");
  if (made->size() == 0 && !part_)  // arrays without elements need no launch
    throw ValueError("the graph is empty: nothing was launched or copied while it was recorded");
  if (&stream->device() != device_.get())
    throw TypeError("a graph runs on the device it was recorded on; the stream is another one's");
  if (stream->kind() == runtime::StreamKind::recording)
    throw ValueError("a graph cannot be launched while another one is recorded");
  if (part_) {
    part_->before_launch();
    if (stream != device_->default_stream()) {  // which it may have copied on
      const auto copied = device_->create_event(false);
      copied->record(*device_->default_stream());
      stream->wait(*copied);
    }
  }
  for (const auto& memory : memory_) memory->buffer.used_on(stream);
  made->launch(*stream);
}

void Graph::uses(const std::shared_ptr<views::SharedMemory>& memory) {
  if (used_.insert(memory.get()).second)
    memory_.push_back(memory);
}

}  // namespace phalanx::jit
