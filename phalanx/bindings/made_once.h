// A value that is made when it is first needed, by whichever thread gets there first.
#pragma once

#include <atomic>
#include <memory>

namespace phalanx::bindings {

// In place of a static variable whose initialiser runs Python: other threads would wait for that
// one while they hold the GIL, which it may need. Here each thread makes a value of its own, and
// the first one stays, for the life of the process.
template <typename T>
class MadeOnce {
 public:
  template <typename Make>
  const T& get(const Make& make) {
    if (const T* known = made_.load(std::memory_order_acquire))
      return *known;
    auto fresh = std::make_unique<const T>(make());
    const T* first = nullptr;
    if (made_.compare_exchange_strong(first, fresh.get(), std::memory_order_acq_rel))
      return *fresh.release();
    return *first;
  }

 private:
  std::atomic<const T*> made_ = nullptr;
};

// The state behind a pointer in an object that CPython has filled with zeros, made when it is
// first asked for and deleted with the object.
template <typename T>
T& made_in(T*& slot) {
  const std::atomic_ref<T*> made(slot);
  if (T* known = made.load(std::memory_order_acquire))
    return *known;
  auto fresh = std::make_unique<T>();
  T* first = nullptr;
  if (made.compare_exchange_strong(first, fresh.get(), std::memory_order_acq_rel))
    return *fresh.release();
  return *first;
}

}  // namespace phalanx::bindings
