#include "phalanx/arrays/graph_lock.h"

namespace phalanx::arrays {

void GraphMutex::lock() {
  if (!mutex_.try_lock())
    aside_([this] { mutex_.lock(); });
  ++depth_;
}

void GraphMutex::unlock() {
  const bool is_last = --depth_ == 0;
  mutex_.unlock();
  if (is_last && tell_ && notes_->any()) [[unlikely]]
    tell_(*notes_);
}

}  // namespace phalanx::arrays
