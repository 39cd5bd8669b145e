#include "phalanx/base/errors.h"

#include <cstdio>
#include <cstdlib>

namespace phalanx {

void assertion_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: phalanx bug: assertion failed: %s\n", file, line, condition);
  std::abort();
}

}  // namespace phalanx
