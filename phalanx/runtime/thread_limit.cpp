#include "phalanx/runtime/thread_limit.h"

namespace phalanx::runtime {

namespace {

thread_local unsigned limit = 0;

}  // namespace

void set_thread_limit(unsigned threads) { limit = threads; }

unsigned thread_limit() { return limit; }

}  // namespace phalanx::runtime
