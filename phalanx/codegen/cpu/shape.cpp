#include "phalanx/codegen/cpu/shape.h"

#include <algorithm>

namespace phalanx::codegen::cpu {

Shape Shape::linear(std::int64_t stride, bool exact) {
  if (stride == 0)
    return of(Spread::warp);
  return {.spread = Spread::linear, .exact = exact, .stride = stride, .constant = {}};
}

Shape join(const Shape& a, const Shape& b) {
  if (a == b)
    return a;
  if (a.is_uniform() && b.is_uniform())
    return Shape::of(std::max(a.spread, b.spread));
  if (a.spread == Spread::linear && b.spread == Spread::linear && a.stride == b.stride)
    return Shape::linear(a.stride, a.exact && b.exact);
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
