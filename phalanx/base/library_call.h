// Threads inside of libraries whose data is destroyed while the process exits: LLVM and the GPU's
// driver. The exit waits for those that are inside, and lets no more in.
#pragma once

#include "phalanx/base/export.h"

namespace phalanx {

[[noreturn]] void sleep_for_ever() noexcept;

// To be held while the thread calls such a library; calls nest. From the end of the process on, the
// first one of a thread never returns from its constructor.
class PHX_API LibraryCall {
 public:
  LibraryCall();
  LibraryCall(const LibraryCall& /*other*/) : LibraryCall() {}
  LibraryCall& operator=(const LibraryCall&) = delete;
  ~LibraryCall();
};

// While one lives, the thread is in no library, whatever calls it is amid: what it waits for may
// never come.
class PHX_API LibraryPause {
 public:
  LibraryPause();
  LibraryPause(const LibraryPause&) = delete;
  LibraryPause& operator=(const LibraryPause&) = delete;
  ~LibraryPause();

 private:
  unsigned depth_;
};

// For the thread that ends the process, which alone is not stopped afterwards. Waits a second at
// most; where threads are inside for longer, exit() then leaves at once, with its status.
//
// exit() itself calls it late: libraries that the calls have loaded are destroyed before. Whoever
// knows earlier that the process ends calls it then.
void end_library_calls() noexcept;

}  // namespace phalanx
