// The lattice of uniformity analysis, with affine values (Sampaio, Souza, Collange and Pereira,
// 2013): how a value differs between the threads of a warp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace phalanx::codegen::cpu {

enum class Uniformity : std::uint8_t {
  block,    // the same for all threads of the block
  warp,     // the same for all threads of the warp
  affine,   // base + lane * stride; integers and pointers only
  varying,  // anything
};

struct Shape {
  Uniformity uniformity = Uniformity::block;
  bool exact = false;                    // affine: base + lane * stride does not wrap around
  std::int64_t stride = 0;               // affine: not 0
  std::optional<std::int64_t> constant;  // block: the integer, where known
  std::int64_t multiple = 1;  // integers: a power of two that divides the value of the first lane

  bool is_uniform() const { return uniformity <= Uniformity::warp; }
  bool operator==(const Shape&) const = default;

  static Shape of(Uniformity uniformity) { return {.uniformity = uniformity, .constant = {}}; }
  static Shape known(std::int64_t value);
  // A stride of 0 gives a value uniform in the warp.
  static Shape affine(std::int64_t stride, bool exact);
  Shape with_multiple(std::int64_t of) const;
};

constexpr std::int64_t largest_multiple = std::int64_t{1} << 30;  // also of 0

// The largest power of two that divides the value, up to `largest_multiple`.
std::int64_t multiple_of(std::int64_t value);

// The least shape that covers both.
Shape join(const Shape& a, const Shape& b);

// One shape a component (llvm/lower_types.h): an array view's pointer and extents differ.
using Shapes = std::vector<Shape>;

// How far control flow differs at some point.
enum class Divergence : std::uint8_t {
  block,  // all threads of the block that are still there come here together
  warp,   // all those of the warp
  lane,   // some lanes may be elsewhere: masks
};

Divergence divergence_of(const Shape& condition);

}  // namespace phalanx::codegen::cpu
