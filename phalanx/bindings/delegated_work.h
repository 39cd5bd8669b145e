// What one thread does for another, for profiles: it is of the other's line, and lies within the
// record that the other has open.
#pragma once

#include "phalanx/bindings/profile_site.h"
#include "phalanx/runtime/profiler.h"

namespace phalanx::bindings {

// Where a thread is: the line that it runs, and the record that is open.
struct WorkOrigin {
  KnownSite site;
  runtime::ProfilePlace place;

  static WorkOrigin here();  // nothing where nobody looks on
};

// While one lives, the thread works for another one, and runs no lines of its own.
class DelegatedWork {
 public:
  explicit DelegatedWork(const WorkOrigin& origin);
  ~DelegatedWork();
  DelegatedWork(const DelegatedWork&) = delete;
  DelegatedWork& operator=(const DelegatedWork&) = delete;

 private:
  KnownSite before_;
  runtime::ProfileWithin within_;
};

}  // namespace phalanx::bindings
