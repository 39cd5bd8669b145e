#include "phalanx/codegen/cpu/shape.h"

#include <algorithm>

namespace phalanx::codegen::cpu {

std::int64_t multiple_of(std::int64_t value) {
  const std::int64_t lowest_bit = value & -value;
  return value == 0 || lowest_bit < 0 ? largest_multiple : std::min(lowest_bit, largest_multiple);
}

Shape Shape::known(std::int64_t value) {
  return {.spread = Spread::block, .constant = value, .multiple = multiple_of(value)};
}

Shape Shape::with_multiple(std::int64_t of) const {
  Shape result = *this;
  result.multiple = std::clamp<std::int64_t>(of, 1, largest_multiple);
  return result;
}

Shape Shape::linear(std::int64_t stride, bool exact) {
  if (stride == 0)
    return of(Spread::warp);
  return {.spread = Spread::linear, .exact = exact, .stride = stride, .constant = {}};
}

Shape join(const Shape& a, const Shape& b) {
  if (a == b)
    return a;
  const std::int64_t multiple = std::min(a.multiple, b.multiple);
  if (a.is_uniform() && b.is_uniform())
    return Shape::of(std::max(a.spread, b.spread)).with_multiple(multiple);
  if (a.spread == Spread::linear && b.spread == Spread::linear && a.stride == b.stride)
    return Shape::linear(a.stride, a.exact && b.exact).with_multiple(multiple);
  return Shape::of(Spread::varying);
}

Level level_of(const Shape& condition) {
  switch (condition.spread) {
    case Spread::block:
      return Level::block;
    case Spread::warp:
      return Level::warp;
    case Spread::linear:
    case Spread::varying:
      break;
  }
  return Level::lane;
}

}  // namespace phalanx::codegen::cpu
