#include "phalanx/codegen/cpu/joined_blocks.h"

#include <algorithm>
#include <unordered_map>

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;

namespace {

// How a value is made of the thread's place: blockIdx.x * blockDim.x + threadIdx.x.
enum class Part : std::uint8_t {
  none,    // not at all, or of the whole sum only
  thread,  // threadIdx.x
  block,   // blockIdx.x
  extent,  // blockDim.x
  origin,  // blockIdx.x * blockDim.x
  place,   // the sum
};

// What may stand in a kernel whose blocks run as one. Not: what the block's threads share, and what
// tells the user where a thread is.
bool is_allowed(Op op) {
  if (ir::is_pure(op))
    return op != Op::lane_index && op != Op::dynamic_shared_array;
  switch (op) {
    case Op::parameter:
    case Op::get:
    case Op::set:
    case Op::array_load:
    case Op::array_store:
    case Op::load:
    case Op::store:
    case Op::local_array:
    case Op::atomic:
    case Op::atomic_cas:
    case Op::fence:
    case Op::hinted_load:
    case Op::hinted_store:
    case Op::if_:
    case Op::loop:
    case Op::block:
    case Op::break_:
    case Op::continue_:
    case Op::return_:
      return true;
    default:
      return false;
  }
}

class Finder {
 public:
  explicit Finder(const CpuVariant& variant) : variant_(variant) {}

  JoinedBlocks run(const ir::Region& body) {
    ir::for_each(body, [&](const Operation& operation) { visit(operation); });
    JoinedBlocks found = {.can_join = can_join_, .streams = {}};
    if (can_join_ && is_short_)
      std::ranges::copy_if(stores_, std::back_inserter(found.streams), [&](const Operation* store) {
        return is_stream(*store);
      });
    return found;
  }

 private:
  void visit(const Operation& operation) {
    can_join_ = can_join_ && is_allowed(operation.op);
    const Part part = part_of(operation);
    parts_[&operation] = part;
    const bool is_whole = part == Part::none || part == Part::extent;
    for (const Operation* operand : operation.operands) {
      const Part used = part_of_known(*operand);
      // A part must not be seen but on its way into the sum.
      if (is_whole && used != Part::none && used != Part::extent && used != Part::place)
        can_join_ = false;
    }
    note_memory(operation);
  }

  Part part_of_known(const Operation& operation) const {
    const auto known = parts_.find(&operation);
    return known == parts_.end() ? Part::none : known->second;
  }

  Part part_of(const Operation& operation) const {
    const auto operand = [&](std::size_t i) { return part_of_known(*operation.operands[i]); };
    switch (operation.op) {
      case Op::thread_index:
        return operation.index == 0 ? Part::thread : Part::none;
      case Op::block_index:
        return operation.index == 0 ? Part::block : Part::none;
      case Op::block_extent:
        return operation.index == 0 ? Part::extent : Part::none;
      case Op::cast: {
        const DType to = operation.type.dtype();
        return is_integer(to) && bits_of(to) >= 32 ? operand(0) : Part::none;
      }
      case Op::multiply:
        return are(operand(0), operand(1), Part::block, Part::extent) ? Part::origin : Part::none;
      case Op::add:
        return are(operand(0), operand(1), Part::origin, Part::thread) ? Part::place : Part::none;
      default:
        return Part::none;
    }
  }

  static bool are(Part a, Part b, Part one, Part other) {
    return (a == one && b == other) || (a == other && b == one);
  }

  void note_memory(const Operation& operation) {
    constexpr unsigned most_operations = 48;  // that a store's time hides
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
      case Op::library:
        is_short_ = false;
        break;
      default:
        for (const Operation* operand : operation.operands) ++other_uses_[operand];
    }
  }

  bool is_stream(const Operation& store) const {
    constexpr std::size_t line = 64;
    const Operation& array = *store.operands[0];
    if (array.op != Op::parameter || array.type.ndim() != 1 ||
        array.type.layout() == ir::Layout::any || other_uses_.contains(&array))
      return false;
    const ir::Type element = array.type.element();
    const std::size_t bytes = ir::size_of(element);
    return element.is_scalar() && !is_complex(element.dtype()) &&
           variant_.lanes * bytes % line == 0 && part_of_known(*store.operands[1]) == Part::place;
  }

  const CpuVariant& variant_;
  bool can_join_ = true;
  bool is_short_ = true;
  unsigned operations_ = 0;
  std::unordered_map<const Operation*, Part> parts_;
  std::unordered_map<const Operation*, unsigned> other_uses_;
  std::vector<const Operation*> stores_;
};

}  // namespace

JoinedBlocks join_blocks(const ir::Module& source, const CpuVariant& variant) {
  if (variant.shape != BlockShape::line)
    return {};
  return Finder(variant).run(source.kernel().body);
}

}  // namespace phalanx::codegen::cpu
