// What a program's log is told of the kernels of arrays: which were made, and which got a device by
// the cost model.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "phalanx/arrays/placement.h"
#include "phalanx/base/export.h"
#include "phalanx/jit/statistics.h"

namespace phalanx::arrays {

struct KernelNote {
  std::string code;                // what the kernel computes
  std::string device;              // the label of that which it is for
  jit::StageSeconds seconds = {};  // of the stages that made it, or found it on disk
  std::optional<Choice> choice;    // of the device; else the note is of code that was made
};

// They wait here until somebody may run Python. Thread-safe.
class PHX_API KernelNotes {
 public:
  static constexpr std::size_t most = 1024;  // further ones are dropped

  void add(KernelNote note);
  bool any() const { return any_.load(std::memory_order_relaxed); }
  std::vector<KernelNote> take();

 private:
  std::atomic<bool> any_ = false;
  std::mutex mutex_;
  std::vector<KernelNote> notes_;
};

}  // namespace phalanx::arrays
