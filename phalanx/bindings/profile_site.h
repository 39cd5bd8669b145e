// The lines of the caller's program that a profile's records belong to.
//
// Records are made with and without the GIL. Who gives the GIL away while a profile is taken finds
// the line before, and what this thread records until it has the GIL again is of that line.
#pragma once

#include <cstdint>
#include <utility>

#include "phalanx/bindings/gil_state.h"
#include "phalanx/runtime/profile_flag.h"

namespace phalanx::bindings {

// The line of a thread that does not look for it, as it has no GIL or runs none of its own. Eight
// bytes: each thread has one, and thread-local variables are few (decision 0049).
struct KnownSite {
  bool is_known : 1 = false;
  bool is_delegated : 1 = false;  // by another thread, for all that this one does
  std::uint32_t table : 30 = 0;   // of sites, that the number is of: reset_sites() begins another
  std::uint32_t site = 0;
};
static_assert(sizeof(KnownSite) == 8);

// Part of what releases the GIL: made before, destroyed after.
class SiteAside {
 public:
  SiteAside() : was_without_gil_(std::exchange(gil_state.is_without, true)) {
    if (runtime::is_profiling()) [[unlikely]]
      enter();
  }
  ~SiteAside() {
    gil_state.is_without = was_without_gil_;
    if (is_entered_) [[unlikely]]
      leave();
  }
  SiteAside(const SiteAside&) = delete;
  SiteAside& operator=(const SiteAside&) = delete;

 private:
  void enter();
  void leave() const;

  bool was_without_gil_;
  bool is_entered_ = false;
  KnownSite before_;
};

}  // namespace phalanx::bindings
