#include "phalanx/codegen/cpu/shape.h"

#include <algorithm>

namespace phalanx::codegen::cpu {

std::int64_t multiple_of(std::int64_t value) {
  const std::int64_t lowest_bit = value & -value;
  return value == 0 || lowest_bit < 0 ? largest_multiple : std::min(lowest_bit, largest_multiple);
}

Shape Shape::known(std::int64_t value) {
  return {.uniformity = Uniformity::block, .constant = value, .multiple = multiple_of(value)};
}

Shape Shape::with_multiple(std::int64_t of) const {
  Shape result = *this;
  result.multiple = std::clamp<std::int64_t>(of, 1, largest_multiple);
  return result;
}

Shape Shape::affine(std::int64_t stride, bool exact) {
  if (stride == 0)
    return of(Uniformity::warp);
  return {.uniformity = Uniformity::affine, .exact = exact, .stride = stride, .constant = {}};
}

Shape join(const Shape& a, const Shape& b) {
  if (a == b)
    return a;
  const std::int64_t multiple = std::min(a.multiple, b.multiple);
  if (a.is_uniform() && b.is_uniform())
    return Shape::of(std::max(a.uniformity, b.uniformity)).with_multiple(multiple);
  if (a.uniformity == Uniformity::affine && b.uniformity == Uniformity::affine &&
      a.stride == b.stride)
    return Shape::affine(a.stride, a.exact && b.exact).with_multiple(multiple);
  return Shape::of(Uniformity::varying);
}

Divergence divergence_of(const Shape& condition) {
  switch (condition.uniformity) {
    case Uniformity::block:
      return Divergence::block;
    case Uniformity::warp:
      return Divergence::warp;
    case Uniformity::affine:
    case Uniformity::varying:
      break;
  }
  return Divergence::lane;
}

}  // namespace phalanx::codegen::cpu
