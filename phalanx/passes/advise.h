// What a correct kernel could do faster, found in its IR, with the line.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "phalanx/base/source.h"
#include "phalanx/ir/ir.h"

namespace phalanx::passes {

struct Advice {
  std::shared_ptr<const SourceFile> source;
  unsigned line = 0;
  std::string text;  // with the source line
};

// float64 arithmetic in a kernel whose arrays of floating numbers are all narrower. On the module
// as the front end made it.
std::optional<Advice> advise_on_float64(const ir::Module& module);

// Accesses of global memory in which neighbouring threads are far apart. On the module after the
// standard passes; looks at the kernel's own lines.
std::optional<Advice> advise_on_strides(const ir::Module& module);

}  // namespace phalanx::passes
