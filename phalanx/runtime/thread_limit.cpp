#include "phalanx/runtime/thread_limit.h"
#include "phalanx/base/thread_local.h"

namespace phalanx::runtime {

namespace {

PHX_THREAD_LOCAL unsigned limit = 0;

}  // namespace

void set_thread_limit(unsigned threads) { limit = threads; }

unsigned thread_limit() { return limit; }

}  // namespace phalanx::runtime
