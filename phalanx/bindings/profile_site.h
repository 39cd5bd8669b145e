// The lines of the caller's program that a profile's records belong to.
//
// Records are made with and without the GIL. Who gives the GIL away while a profile is taken finds
// the line before, and what this thread records until it has the GIL again is of that line.
#pragma once

#include <cstdint>

#include "phalanx/runtime/profile_flag.h"

namespace phalanx::bindings {

// Part of what releases the GIL: made before, destroyed after.
class SiteAside {
 public:
  SiteAside() {
    if (runtime::is_profiling()) [[unlikely]]
      enter();
  }
  ~SiteAside() {
    if (is_entered_) [[unlikely]]
      leave();
  }
  SiteAside(const SiteAside&) = delete;
  SiteAside& operator=(const SiteAside&) = delete;

 private:
  void enter();
  void leave() const;

  bool is_entered_ = false;
  bool was_known_ = false;
  std::uint32_t before_ = 0;
};

// The line that a thread works for which runs no Python of its own; 0: none.
class SiteLent {
 public:
  explicit SiteLent(std::uint32_t site);
  ~SiteLent();
  SiteLent(const SiteLent&) = delete;
  SiteLent& operator=(const SiteLent&) = delete;

 private:
  bool was_known_ = false;
  bool was_lent_ = false;
  std::uint32_t before_ = 0;
};

}  // namespace phalanx::bindings
