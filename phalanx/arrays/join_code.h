// The code of the second stage of a fold: it joins what the blocks of the first one left.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "phalanx/ir/ir.h"
#include "phalanx/numpy/reductions.h"

namespace phalanx::arrays {

// How the threads of a block share the work. Of one index they are `groups` along x, a multiple of
// a warp's; of several the indices lie along x and the groups along y. There are no more groups
// than chunks.
struct JoinForm {
  std::uint32_t indices = 1;  // kept indices of a block
  std::uint32_t groups = 32;  // threads that share the chunks of one
  bool gives_states = false;  // for another join; else results
};

// Parameters: kept indices, chunks; an input for each number of the state, [chunk][kept index]; the
// output, or one for each number of the state.
std::shared_ptr<ir::Module> make_join_module(
    const std::string& name, const numpy::Reduction& fold, const JoinForm& form);

}  // namespace phalanx::arrays
