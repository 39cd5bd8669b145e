// What a profile keeps of one thing that the engine did.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace phalanx::runtime {

enum class ProfileKind : std::uint8_t {
  launch,      // of a kernel
  graph,       // of a recorded graph
  call,        // of a CPU function
  compile,     // a stage between source and code in memory; `detail` says which
  to_device,   // a copy from the host
  to_host,     // a copy to the host
  copy,        // within a device, or between two
  fill,        // of memory with a pattern
  wait,        // of the host for a device
  allocate,    // memory of a device, at `address`
  release,     // of that memory
  spill,       // of an array to the host, to make room
  restore,     // of a spilled array
  expression,  // of arrays, computed by the launches within it; `detail`: the dtype of its result
  scope,       // of a caller: a method of a frame, a fit of a model
};
inline constexpr std::array<std::string_view, 15> profile_kind_names = {
    "launch",
    "graph",
    "call",
    "compile",
    "to_device",
    "to_host",
    "copy",
    "fill",
    "wait",
    "allocate",
    "release",
    "spill",
    "restore",
    "expression",
    "scope"};

// Bits of ProfileRecord::flags.
enum class ProfileFlag : std::uint16_t {
  placed = 1,    // the device was chosen by the expected times
  widened = 2,   // an expression has float32 operands and computes in float64
  recorded = 4,  // into a graph: nothing ran
  failed = 8,    // it threw
  untimed = 16,  // a launch without events around it, whose time the kernel's others tell
};

// A record, of any thread; none where the id is 0.
struct ProfileParent {
  std::uint32_t thread = 0;
  std::uint32_t id = 0;
};

// Of a fixed size, as Python unpacks it (_profile/records.py). Times are nanoseconds of the steady
// clock; where a device works beside the host, device times are those of its events on that clock.
struct ProfileRecord {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t device_start = 0;  // 0: the device's time is the host's
  std::int64_t device_end = 0;
  std::uint64_t bytes_read = 0;  // of a copy, and of an allocation: its bytes
  std::uint64_t bytes_written = 0;
  std::uint64_t operations = 0;  // on elements; of a copy with the host: profile_sample()
  std::uint64_t address = 0;     // of memory on the device; of a copy with the host: the host's
  std::array<float, 2> expected = {};  // seconds on the host and on the GPU; 0: not known
  std::uint64_t stream = 0;            // the driver's handle
  std::uint64_t blocks = 0;
  std::uint32_t threads = 0;       // of a block
  std::uint32_t shared_bytes = 0;  // of a block: what the launch asks for beside static arrays
  std::uint32_t name = 0;          // number of a text; 0: that of the executable
  std::uint32_t site = 0;          // number of a line of the caller's program; 0: not known
  std::uint32_t detail = 0;        // number of a text, or of an executable
  std::uint32_t id = 0;            // among those of its thread, from 1 on, in the order they began
  ProfileParent parent;            // the record that it lies within
  std::uint32_t slot = 0;          // of the device's times until they are known; 0: none
  ProfileKind kind = ProfileKind::launch;
  std::int8_t device = -1;  // the ordinal of a GPU; -1, -2, ...: the first CPU device, the second
  std::uint16_t flags = 0;

  void set(ProfileFlag flag) { flags |= static_cast<std::uint16_t>(flag); }
};
static_assert(sizeof(ProfileRecord) == 128);  // two cache lines; Python unpacks these bytes

}  // namespace phalanx::runtime
