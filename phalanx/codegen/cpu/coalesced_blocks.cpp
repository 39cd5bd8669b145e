#include "phalanx/codegen/cpu/coalesced_blocks.h"

#include <algorithm>
#include <unordered_map>

#include "phalanx/codegen/grid_position.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;

namespace {

class Finder {
 public:
  Finder(const CpuVariant& variant, const ir::Region& body)
      : variant_(variant), position_(body), axis_(variant.lane_axis.value_or(0)) {
    ir::for_each(body, [&](const Operation& operation) { note_memory(operation); });
  }

  CoalescedBlocks run() const {
    CoalescedBlocks found = {
        .can_coalesce = position_.is_independent() && position_.is_whole(axis_),
        .non_temporal = {}};
    if (found.can_coalesce && is_short_)
      std::ranges::copy_if(
          stores_, std::back_inserter(found.non_temporal), [&](const Operation* store) {
            return is_stream(*store);
          });
    return found;
  }

 private:
  void note_memory(const Operation& operation) {
    constexpr unsigned most_operations = 80;  // that a store's time hides
    is_short_ = is_short_ && ++operations_ <= most_operations;
    switch (operation.op) {
      case Op::array_store:
        stores_.push_back(&operation);
        [[fallthrough]];
      case Op::array_shape:
        break;
      case Op::loop:
      case Op::local_array:
      case Op::atomic:
      case Op::atomic_cas:
      case Op::fence:
      case Op::load:
      case Op::store:
      case Op::hinted_load:
      case Op::hinted_store:
      case Op::texture_fetch:
      case Op::surface_load:
      case Op::surface_store:
      case Op::library:
        is_short_ = false;
        break;
      default:
        for (const Operation* operand : operation.operands) ++other_uses_[operand];
    }
  }

  bool is_stream(const Operation& store) const {
    constexpr std::size_t cache_line = 64;
    const Operation& array = *store.operands[0];
    if (array.op != Op::parameter || array.type.layout() == ir::Layout::any ||
        other_uses_.contains(&array))
      return false;
    const ir::Type element = array.type.element();
    const std::size_t bytes = ir::size_of(element);
    return element.is_scalar() && !is_complex(element.dtype()) &&
           variant_.lanes * bytes % cache_line == 0 &&
           is_position(*store.operands[1 + contiguous_dimension(array.type)]);
  }

  bool is_position(const Operation& index) const {
    const ir::Position at = position_.part_of(index);
    return at.part == ir::PositionPart::position && at.dimension == axis_;
  }

  const CpuVariant& variant_;
  GridPosition position_;
  unsigned axis_;
  bool is_short_ = true;
  unsigned operations_ = 0;
  std::unordered_map<const Operation*, unsigned> other_uses_;
  std::vector<const Operation*> stores_;
};

}  // namespace

unsigned contiguous_dimension(const ir::Type& array) {
  return array.layout() == ir::Layout::c ? array.ndim() - 1 : 0;
}

CoalescedBlocks coalesce_blocks(const ir::Module& source, const CpuVariant& variant) {
  if (variant.shape != BlockShape::one_dimensional)
    return {};
  return Finder(variant, source.kernel().body).run();
}

}  // namespace phalanx::codegen::cpu
