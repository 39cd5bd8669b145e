// The lock of a graph. When a thread lets go of it altogether, the graph's notes are told.
#pragma once

#include <functional>
#include <memory>
#include <mutex>

#include "phalanx/arrays/kernel_notes.h"
#include "phalanx/base/export.h"

namespace phalanx::arrays {

// What a GraphLock locks.
class PHX_API GraphMutex {
 public:
  // Calls `wait`, which waits for a lock, without the caller's own locks (Python's GIL): the thread
  // that holds it may need them.
  using Aside = std::function<void(const std::function<void()>& wait)>;
  // Called without the lock, so that it may run Python. It takes the notes, or leaves them for the
  // next thread that lets go. Must not throw.
  using Tell = std::function<void(KernelNotes& notes)>;

  explicit GraphMutex(Aside aside) : aside_(std::move(aside)) {}

  std::recursive_mutex& native() { return mutex_; }
  const std::shared_ptr<KernelNotes>& notes() const { return notes_; }
  // Before other threads use the graph.
  void set_tell(Tell tell) { tell_ = std::move(tell); }

  void lock();
  void unlock();

 private:
  std::recursive_mutex mutex_;
  int depth_ = 0;  // guarded by the mutex
  std::shared_ptr<KernelNotes> notes_ = std::make_shared<KernelNotes>();
  Aside aside_;
  Tell tell_;
};

class GraphLock {
 public:
  explicit GraphLock(GraphMutex& mutex) : mutex_(mutex) { mutex_.lock(); }
  GraphLock(const GraphLock&) = delete;
  GraphLock& operator=(const GraphLock&) = delete;
  ~GraphLock() { mutex_.unlock(); }

 private:
  GraphMutex& mutex_;
};

}  // namespace phalanx::arrays
