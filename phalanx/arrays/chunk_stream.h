// Runs a program in chunks, whose operands come to the device's memory while the chunk before is
// computed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "phalanx/arrays/chunking.h"
#include "phalanx/arrays/program.h"
#include "phalanx/runtime/device.h"
#include "phalanx/runtime/runtime.h"

namespace phalanx::arrays {

class ChunkStream {
 public:
  // Kernels run on the device's default stream. Throws OutOfMemoryError.
  ChunkStream(
      runtime::Runtime& runtime,
      runtime::Device& device,
      const Program& program,
      Chunking chunking);

  const Chunking& chunking() const { return chunking_; }
  std::uint64_t copied_bytes() const { return copied_bytes_; }  // so far, both ways

  // `results`: the lane's buffer for the results of a chunk, 0 where there is none.
  using Launch =
      std::function<void(const Program& part, const Chunk& chunk, runtime::Address results)>;
  // Calls `launch` for each chunk with a program of its indices that reads memory alone. Chunks
  // take turns with two lanes, which each have buffers of their own. Results go to `host`, where it
  // is given, and are there when this returns. Throws Interrupted where the user pressed Ctrl-C. If
  // it throws, all that was queued is done.
  void run(const Launch& launch, std::byte* host = nullptr);

 private:
  // The buffers of every second chunk.
  struct Lane {
    struct Slot {
      std::shared_ptr<views::SharedMemory> memory;
      ByteRange loaded;
    };
    std::vector<Slot> slots;  // one for each window
    runtime::Buffer results;
    std::shared_ptr<runtime::Event> ready;  // its operands are there
    std::shared_ptr<runtime::Event> used;   // its kernels are done
    std::shared_ptr<runtime::Event> taken;  // its results are on the host
  };

  Lane make_lane();
  void load(Lane& lane, const Chunk& chunk);
  Program redirected(const Lane& lane, const Chunk& chunk) const;
  void take(Lane& lane, const Chunk& chunk, std::byte* host);
  void run_all(const Launch& launch, std::byte* host);
  void finish();

  runtime::Runtime& runtime_;
  runtime::Device& device_;
  const Program& program_;
  Chunking chunking_;
  std::shared_ptr<runtime::Stream> copies_;   // to the device
  std::shared_ptr<runtime::Stream> results_;  // from the device
  std::vector<Lane> lanes_;
  std::uint64_t copied_bytes_ = 0;
};

}  // namespace phalanx::arrays
