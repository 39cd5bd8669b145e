// Shared arrays whose shape a launch decides, from its arguments and from its own shape.
//
// The shape is computed twice, with the same result: by the kernel, and before the launch by the
// programs here. A program is a list of steps over a stack of whole numbers; each has a dtype and
// wraps as it does. The text is what the IR and binaries keep:
//     tile 4: block_extent i32 1, cast i64 | parameter i64 8, constant i64 1, add i64; other 8: ...
// of each array its name (`?` where it has none), the bytes of an element, and a program an extent.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "phalanx/base/dtype.h"

namespace phalanx {

struct SizeStep {
  enum class Kind : std::uint8_t {
#define SIZE_STEP(name, takes, has_number) name,
#include "phalanx/base/export.h"
#include "phalanx/base/size_steps.def"
#undef SIZE_STEP
  };
  Kind kind = Kind::constant;
  DType dtype = DType::int64;  // of the result; of comparisons: of what is compared
  std::int64_t number = 0;

  bool operator==(const SizeStep&) const = default;
};

// The step that computes what the operation of this name does, if there is one.
std::optional<SizeStep::Kind> size_step(std::string_view name);

using SizeProgram = std::vector<SizeStep>;

struct LaunchArray {
  std::string name;
  std::uint64_t item_bytes = 1;
  std::vector<SizeProgram> extents;

  bool operator==(const LaunchArray&) const = default;
};

// What the programs read.
struct LaunchInput {
  std::span<const std::byte> parameters;  // laid out as ir/abi.h says
  std::array<std::uint32_t, 3> block = {1, 1, 1};
  std::array<std::uint32_t, 3> grid = {1, 1, 1};
};

class PHX_API LaunchMemory {
 public:
  static constexpr std::uint64_t alignment = 16;  // of each array
  static constexpr std::size_t deepest = 32;      // numbers on the stack
  static constexpr std::size_t longest = 512;     // steps of a program
  static constexpr std::uint64_t refused = std::numeric_limits<std::uint64_t>::max();

  LaunchMemory() = default;
  // Throws ValueError for a program that is too long or too deep.
  explicit LaunchMemory(std::vector<LaunchArray> arrays);
  // Throws ValueError where `text` is not what `text()` writes.
  static LaunchMemory parse(std::string_view text);
  std::string text() const;

  bool operator==(const LaunchMemory&) const = default;

  bool is_empty() const { return arrays_.empty(); }
  std::span<const LaunchArray> arrays() const { return arrays_; }

  // The bytes of all arrays, each aligned; `refused` where one has an extent below 1 or too many
  // bytes.
  std::uint64_t bytes(const LaunchInput& input) const;
  struct Problem {
    std::string text;
    bool is_too_large = false;  // or an extent is below 1
  };
  // What is wrong with the first array that has an extent below 1, or does not fit into `available`
  // bytes with those before it; nothing if all fit.
  std::optional<Problem> problem(const LaunchInput& input, std::uint64_t available) const;

 private:
  std::vector<LaunchArray> arrays_;
};

}  // namespace phalanx
