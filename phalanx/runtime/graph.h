// Work of one device that was recorded once and can be queued again and again.
#pragma once

#include <cstddef>

#include "phalanx/base/export.h"

namespace phalanx::runtime {

class Stream;

class PHX_API Graph {
 public:
  Graph() = default;
  virtual ~Graph() = default;
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  virtual std::size_t size() const = 0;     // launches, copies and fills
  virtual void launch(Stream& stream) = 0;  // queues all of it, in the recorded order
};

}  // namespace phalanx::runtime
