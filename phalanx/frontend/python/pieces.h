// The pieces of parallel loops: how iterations are dealt out, and where a piece finds its own.
#pragma once

#include <cstdint>

#include "phalanx/frontend/python/emitter.h"

namespace phalanx::frontend::python {

// How many there are follows from the number of iterations alone, so that what they leave, joined
// in their order, does not depend on the cores.
inline constexpr std::int64_t most_pieces = 256;

// What a loop's iterations become; all are i64.
struct Deal {
  Value lanes;   // threads of a piece
  Value each;    // iterations a thread, fewer for the last
  Value pieces;  // 0 where there are no iterations
  Value size;    // iterations a piece
  Value slots;   // threads of all pieces
};
// `most`: pieces, at least 1.
Deal deal(Emitter& emitter, ir::Function& piece, const Value& count, const Value& most);

// Where a thread of a piece stands in the loop; all are i64.
struct Place {
  Value block;  // the number of the piece
  Value lane;   // in it
  Value slot;   // among all threads
};
Place place_in_loop(Emitter& emitter);

}  // namespace phalanx::frontend::python
