// The chunks of parallel loops: how iterations are partitioned, and where a chunk finds its own.
#pragma once

#include <cstdint>

#include "phalanx/frontend/python/emitter.h"

namespace phalanx::frontend::python {

// How many there are follows from the number of iterations alone, so that what they leave, joined
// in their order, does not depend on the cores.
inline constexpr std::int64_t most_chunks = 256;

// What a loop's iterations become; all are i64.
struct Partition {
  Value lanes;   // threads of a chunk
  Value each;    // iterations a thread, fewer for the last
  Value chunks;  // 0 where there are no iterations
  Value size;    // iterations a chunk
  Value slots;   // threads of all chunks
};
// `most`: chunks, at least 1.
Partition partition_iterations(
    Emitter& emitter, ir::Function& body, const Value& count, const Value& most);

// Where a thread of a chunk is in the loop; all are i64.
struct LoopPosition {
  Value block;  // the number of the chunk
  Value lane;   // in it
  Value slot;   // among all threads
};
LoopPosition position_in_loop(Emitter& emitter);

}  // namespace phalanx::frontend::python
