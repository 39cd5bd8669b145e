// The floating-point flags of the calling thread, as they were before compiled code ran.
#pragma once

#include <xmmintrin.h>

namespace phalanx::runtime {

// NumPy warns of the flags that it finds after a loop of a ufunc, and of what `np.vectorize` calls.
// Compiled code computes lanes whose results are dropped, and tests numbers by arithmetic, so that
// its flags say nothing.
class KeepFlags {
 public:
  KeepFlags() : state_(_mm_getcsr()) {}
  ~KeepFlags() {
    if (_mm_getcsr() != state_)  // reading is cheap, writing waits for what is under way
      _mm_setcsr(state_);
  }
  KeepFlags(const KeepFlags&) = delete;
  KeepFlags& operator=(const KeepFlags&) = delete;

 private:
  unsigned state_;
};

}  // namespace phalanx::runtime
