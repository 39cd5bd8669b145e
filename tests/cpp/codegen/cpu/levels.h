// The CPUs whose code this one can run: itself and older ones.
#pragma once

#include <vector>

#include "phalanx/codegen/codegen.h"
#include "phalanx/codegen/cpu/backend.h"

namespace phalanx::test {

struct Level {
  const char* name;
  Target target;
};

inline std::vector<Level> levels() {
  const Target host = codegen::cpu::host_target();
  std::vector<Level> known = {{"host", host}};
  if (host.vector_bits >= 256)
    known.push_back({"v3", {.cpu = "x86-64-v3", .features = "+fma", .vector_bits = 256}});
  known.push_back({"v2", {.cpu = "x86-64-v2", .features = "+sse4.1", .vector_bits = 128}});
  return known;
}

}  // namespace phalanx::test
