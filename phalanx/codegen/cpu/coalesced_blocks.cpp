#include "phalanx/codegen/cpu/coalesced_blocks.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "phalanx/codegen/grid_position.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;

namespace {

bool is_constant(const Operation& value, std::size_t number) {
  const auto* known = std::get_if<std::int64_t>(&value.constant);
  return value.op == Op::constant && known != nullptr && std::cmp_equal(*known, number);
}

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
      case Op::store:
        is_short_ = is_short_ && parameter_of_pointer(*operation.operands[0]) != nullptr;
        note_use(*operation.operands[1]);
        [[fallthrough]];
      case Op::array_store:
        stores_.push_back(&operation);
        [[fallthrough]];
      case Op::array_shape:
        break;
      case Op::pointer_offset:  // what is done with it counts
        note_use(*operation.operands[1]);
        break;
      case Op::load:
        is_short_ = is_short_ && parameter_of_pointer(*operation.operands[0]) != nullptr;
        note_use(*operation.operands[0]);
        break;
      case Op::loop:
      case Op::local_array:
      case Op::atomic:
      case Op::atomic_cas:
      case Op::fence:
      case Op::hinted_load:
      case Op::hinted_store:
      case Op::texture_fetch:
      case Op::surface_load:
      case Op::surface_store:
      case Op::library:
        is_short_ = false;
        break;
      default:
        for (const Operation* operand : operation.operands) note_use(*operand);
    }
  }

  void note_use(const Operation& value) {
    const Operation* parameter = value.type.is_pointer() ? parameter_of_pointer(value) : nullptr;
    other_uses_.insert(parameter == nullptr ? &value : parameter);
  }

  bool is_stream(const Operation& store) const {
    constexpr std::size_t cache_line = 64;
    const bool is_array = store.op == Op::array_store;
    const Operation* written =
        is_array ? store.operands[0] : parameter_of_pointer(*store.operands[0]);
    if (written == nullptr || written->op != Op::parameter || other_uses_.contains(written))
      return false;
    const ir::Type element = store.operands[0]->type.element();
    const std::size_t bytes = ir::size_of(element);
    return element.is_scalar() && !is_complex(element.dtype()) &&
           variant_.lanes * bytes % cache_line == 0 &&
           (is_array ? is_element_of_thread(store) : follows_position(*store.operands[0], bytes));
  }

  bool is_element_of_thread(const Operation& store) const {
    const ir::Type& array = store.operands[0]->type;
    return array.layout() != ir::Layout::any &&
           is_position(*store.operands[1 + contiguous_dimension(array)]);
  }

  // The address of an element at the thread's position, and others that threads of a row share:
  // the emitter finds whether they do, and where its lines begin.
  bool follows_position(const Operation& pointer, std::size_t bytes) const {
    if (pointer.op != Op::pointer_offset)
      return false;
    const Operation* offset = pointer.operands[1];
    if (bytes != 1) {
      if (offset->op != Op::multiply || !is_constant(*offset->operands[1], bytes))
        return follows_position(*pointer.operands[0], bytes);
      offset = offset->operands[0];
    }
    return has_position(*offset) || follows_position(*pointer.operands[0], bytes);
  }

  bool has_position(const Operation& index) const {
    if (is_position(index))
      return true;
    if (index.op == Op::subtract)
      return has_position(*index.operands[0]);
    return index.op == Op::add &&
           (has_position(*index.operands[0]) || has_position(*index.operands[1]));
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
  std::unordered_set<const Operation*> other_uses_;
  std::vector<const Operation*> stores_;
};

}  // namespace

unsigned contiguous_dimension(const ir::Type& array) {
  return array.layout() == ir::Layout::c ? array.ndim() - 1 : 0;
}

const Operation* parameter_of_pointer(const Operation& pointer) {
  const Operation* at = &pointer;
  while (at->op == Op::pointer_offset) at = at->operands[0];
  return at->op == Op::parameter && at->type.is_pointer() ? at : nullptr;
}

CoalescedBlocks coalesce_blocks(const ir::Module& source, const CpuVariant& variant) {
  if (variant.shape != BlockShape::one_dimensional)
    return {};
  return Finder(variant, source.kernel().body).run();
}

}  // namespace phalanx::codegen::cpu
