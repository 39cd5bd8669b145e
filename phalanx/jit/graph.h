// Recorded launches and copies with all that they use.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_set>
#include <vector>

#include "phalanx/base/export.h"
#include "phalanx/runtime/device.h"
#include "phalanx/views/device_array.h"

namespace phalanx::jit {

// What a room above this one has in a graph.
class GraphPart {
 public:
  GraphPart() = default;
  virtual ~GraphPart() = default;
  GraphPart(const GraphPart&) = delete;
  GraphPart& operator=(const GraphPart&) = delete;

  virtual void finish() = 0;   // the last that the thread records
  virtual void abandon() = 0;  // after an error: nothing of it will be launched
  virtual void before_launch() = 0;
};

// Recorded by one thread; launched by any once `finish` was called.
class PHX_API Graph {
 public:
  // `device`: whose work it is.
  explicit Graph(std::shared_ptr<runtime::Device> device) : device_(std::move(device)) {}

  // Queues everything in the recorded order. Throws ValueError for a graph without work, TypeError
  // for a stream of another device.
  void launch(const std::shared_ptr<runtime::Stream>& stream);

  std::size_t size() const;
  runtime::Device& device() const { return *device_; }

  // While it is recorded.
  void uses(const std::shared_ptr<views::SharedMemory>& memory);
  void keep(std::shared_ptr<void> object) { kept_.push_back(std::move(object)); }
  const std::shared_ptr<GraphPart>& part() const { return part_; }  // may be null
  void set_part(std::shared_ptr<GraphPart> part) { part_ = std::move(part); }
  void finish(std::shared_ptr<runtime::Graph> work);

 private:
  std::shared_ptr<runtime::Graph> work() const;

  std::shared_ptr<runtime::Device> device_;
  std::vector<std::shared_ptr<views::SharedMemory>> memory_;
  std::unordered_set<const views::SharedMemory*> used_;
  std::vector<std::shared_ptr<void>> kept_;
  std::shared_ptr<GraphPart> part_;
  mutable std::mutex mutex_;              // of work_
  std::shared_ptr<runtime::Graph> work_;  // null while it is recorded; gone before what it uses
};

}  // namespace phalanx::jit
