// Recorded launches and copies with all that they use.
#pragma once

#include <memory>
#include <vector>

#include "phalanx/base/export.h"
#include "phalanx/runtime/device.h"
#include "phalanx/views/device_array.h"

namespace phalanx::jit {

class PHX_API Graph {
 public:
  // `device`: whose work it is.
  explicit Graph(std::shared_ptr<runtime::Device> device) : device_(std::move(device)) {}

  // Queues everything in the recorded order. Throws ValueError for a graph without work, TypeError
  // for a stream of another device.
  void launch(const std::shared_ptr<runtime::Stream>& stream);

  std::size_t size() const { return work_ ? work_->size() : 0; }
  runtime::Device& device() const { return *device_; }

  // While it is recorded.
  void uses(const std::shared_ptr<views::SharedMemory>& memory);
  void keep(std::shared_ptr<void> object) { kept_.push_back(std::move(object)); }
  void finish(std::shared_ptr<runtime::Graph> work) { work_ = std::move(work); }

 private:
  std::shared_ptr<runtime::Device> device_;
  std::vector<std::shared_ptr<views::SharedMemory>> memory_;
  std::vector<std::shared_ptr<void>> kept_;
  std::shared_ptr<runtime::Graph> work_;  // null while it is recorded; gone before what it uses
};

}  // namespace phalanx::jit
