// Loop-carried dependences and reductions: what the iterations of a parallel loop hand to each
// other, and to what comes after the loop.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "phalanx/frontend/python/names.h"
#include "phalanx/frontend/tree.h"
#include "phalanx/ir/op.h"

namespace phalanx::frontend::python {

// A name that every iteration adds to, multiplies, or compares with.
struct Reduction {
  std::string name;
  ir::Op op;                    // add, multiply, minimum, maximum, bitwise_and, _or, _xor
  bool is_in_place = false;     // only `name op= value`: arrays may be reduced, too
  bool propagates_nan = false;  // minimum, maximum: as NumPy's, not as Python's
};

struct ParallelNames {
  std::vector<Reduction> reductions;
  std::vector<std::string> last;  // what the last iteration leaves is read after the loop
  std::string obstacle;  // why the loop cannot be split, as a sentence's end; empty if it can
};

// `joins`: of the loop in its function.
ParallelNames parallel_names(const tree::For& loop, const Names& names, const JoinNames& joins);

}  // namespace phalanx::frontend::python
