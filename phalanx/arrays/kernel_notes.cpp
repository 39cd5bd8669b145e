#include "phalanx/arrays/kernel_notes.h"

#include <utility>

namespace phalanx::arrays {

void KernelNotes::add(KernelNote note) {
  const std::lock_guard lock(mutex_);
  if (notes_.size() == most)
    return;
  notes_.push_back(std::move(note));
  any_.store(true, std::memory_order_relaxed);
}

std::vector<KernelNote> KernelNotes::take() {
  const std::lock_guard lock(mutex_);
  any_.store(false, std::memory_order_relaxed);
  return std::exchange(notes_, {});
}

}  // namespace phalanx::arrays
