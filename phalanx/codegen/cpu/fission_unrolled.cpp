// Loop unrolling (over the warps of a block of known size) of a kernel's segments, so that values
// that live across barriers can stay in registers.
#include <algorithm>

#include <llvm/IR/Constants.h>

#include "phalanx/codegen/cpu/fission_kernel.h"
#include "phalanx/ir/idioms.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;

namespace {

using Operations = std::unordered_set<const Operation*>;

// Finds `if`s that keep a warp from reading or writing memory where it ends, and whose conditions
// can be asked ahead of the segment. Mostly all of them hold.
class Guards {
 public:
  explicit Guards(const Step& step) {
    for_each_operation(step, [&](const Operation& operation) { note(operation); });
    for (const Operation* operation : step.operations) visit(*operation);
  }

  const Operations& found() const { return found_; }
  bool is_own(const Operation& operation) const { return own_.contains(&operation); }

 private:
  void note(const Operation& operation) {
    own_.insert(&operation);
    if (operation.op == Op::set)
      set_.insert(operation.variable);
  }

  void visit(const Operation& operation) {
    if (operation.op != Op::if_ || !operation.regions[1].empty() ||
        !is_known_ahead(*operation.operands[0]) || !touches_global(operation))
      return;
    found_.insert(&operation);
    for (const auto& inner : operation.regions[0]) visit(*inner);
  }

  bool is_known_ahead(const Operation& value) const {
    if (!own_.contains(&value))
      return true;
    const bool is_old = value.op == Op::get && !set_.contains(value.variable);
    return (is_old || is_repeatable(value.op)) &&
           std::ranges::all_of(
               value.operands, [&](const Operation* operand) { return is_known_ahead(*operand); });
  }

  static bool touches_global(const Operation& guard) {
    bool found = false;
    ir::for_each(guard.regions[0], [&](const Operation& operation) {
      if (ir::is_load(operation.op) || operation.op == Op::array_store || operation.op == Op::store)
        found = found || operation.operands[0]->type.space() == ir::Space::global;
    });
    return found;
  }

  Operations own_;
  std::unordered_set<ir::VariableId> set_;
  Operations found_;
};

// Emits what a condition is made of.
void emit_ahead(Emitter& emitter, const Guards& guards, const Operation& value) {
  if (emitter.has_value(value) || !guards.is_own(value))
    return;
  for (const Operation* operand : value.operands) emit_ahead(emitter, guards, *operand);
  emitter.emit_operation(value);
}

}  // namespace

void FissionEmitter::emit_unrolled(unsigned warps) {
  llvm::BasicBlock& entry = builder_.GetInsertBlock()->getParent()->getEntryBlock();
  llvm::IRBuilder<> at_entry(&entry, entry.begin());
  llvm::Type* bytes = llvm::ArrayType::get(
      builder_.getInt8Ty(), std::max<std::uint64_t>(compilation_.plan.warp_bytes, 1));
  for (unsigned warp = 0; warp < warps; ++warp) {
    warp_scratch_.push_back(at_entry.CreateAlloca(bytes, nullptr, "warp.scratch"));
    warp_scratch_.back()->setAlignment(llvm::Align(64));
  }
  find_forwardings();
  emit(builder_.getInt32(warps), nullptr);
}

WarpPosition FissionEmitter::position_unrolled(unsigned warp) {
  // Constants: all is folded.
  WarpPosition position = position_of(
      builder_, launch_, compilation_.variant, builder_.getInt32(warp), warp_scratch_.at(warp));
  if (compilation_.variant.shape == BlockShape::exact_rows)
    position.thread[0] = builder_.getInt32(0);
  return position;
}

// Where the ends of arrays are far, the segment has no masks, and an element that is stored twice,
// a zero and then the loaded value, is stored once.
void FissionEmitter::emit_unrolled_warps(const Step& step) {
  const Guards guards(step);
  if (guards.found().empty())
    return emit_each_warp(step, {});
  llvm::Value* all = builder_.getTrue();
  const Segment ahead(*this);
  for (unsigned warp = 0; warp < warp_scratch_.size(); ++warp) {
    Emitter emitter(compilation_, builder_, shapes_, ahead);
    start_warp(emitter, launch_, position_unrolled(warp));
    open_segment(emitter, step);
    // In the segment's order, so that the same kernel always gets the same code.
    for_each_operation(step, [&](const Operation& operation) {
      if (!guards.found().contains(&operation))
        return;
      emit_ahead(emitter, guards, *operation.operands[0]);
      all = builder_.CreateAnd(all, emitter.conditions().all_of(*operation.operands[0]), "inside");
    });
  }
  llvm::BasicBlock* inside = new_block("inside");
  llvm::BasicBlock* edge = new_block("edge");
  llvm::BasicBlock* end = new_block("segment.end");
  builder_.CreateCondBr(all, inside, edge);
  builder_.SetInsertPoint(inside);
  emit_each_warp(step, guards.found());
  builder_.CreateBr(end);
  builder_.SetInsertPoint(edge);
  for (Forwarding* forwarding : forwardings_of(step, guards.found())) keep(*forwarding);
  copy_spilled(step, true);
  emit_warp_loop(step, launch_);
  copy_spilled(step, false);
  builder_.CreateBr(end);
  builder_.SetInsertPoint(end);
}

// The code of each warp, where all lanes pass the guards `holding`.
void FissionEmitter::emit_each_warp(const Step& step, const Operations& holding) {
  const std::vector<Forwarding*> forwardings = forwardings_of(step, holding);
  Operations dropped;
  for (Forwarding* forwarding : forwardings) {
    forwarding->is_open = true;
    dropped.insert(forwarding->tile.stores.begin(), forwarding->tile.stores.end());
  }
  const Segment segment(*this, holding, std::move(dropped));
  for (unsigned warp = 0; warp < warp_scratch_.size(); ++warp) {
    Emitter emitter(compilation_, builder_, shapes_, segment);
    start_warp(emitter, launch_, position_unrolled(warp));
    open_segment(emitter, step);
    for (const Operation* operation : step.operations) {
      emitter.emit_operation(*operation);
      if (!is_open())  // behind a loop without an end: never reached, and code all the same
        builder_.SetInsertPoint(new_block("never"));
    }
    if (warp == 0) {
      for (Forwarding* forwarding : forwardings) forward(*forwarding, emitter);
    }
    close_segment(emitter, step);
  }
}

void FissionEmitter::copy_spilled(const Step& step, bool is_in) {
  std::unordered_set<std::uint64_t> done;
  const auto copy =
      [&](const ir::Type& type, const Shapes& shapes, const std::vector<std::uint64_t>& offsets) {
        for (unsigned i = 0; i < offsets.size(); ++i) {
          if (!done.insert(offsets[i]).second)
            continue;
          llvm::Type* component = component_type_of(compilation_, type, i, shapes[i]);
          for (unsigned warp = 0; warp < warp_scratch_.size(); ++warp) {
            const std::uint64_t begin = warp * compilation_.plan.warp_bytes;
            llvm::Value* own =
                builder_.CreateConstGEP1_64(builder_.getInt8Ty(), warp_scratch_[warp], offsets[i]);
            llvm::Value* common = builder_.CreateConstGEP1_64(
                builder_.getInt8Ty(), launch_.warps, begin + offsets[i]);
            mark_spill(
                *block_.write(block_.read(component, is_in ? own : common), is_in ? common : own));
          }
        }
      };
  const std::function<void(const Operation&)> copy_value = [&](const Operation& value) {
    const Operation* affine = affine_before_wrap(value, shapes_);
    if (plan_.spilled_values.contains(&value))
      copy(value.type, shapes_.of(value), slots_.of(value));
    else if (is_in && is_recomputed(value, shapes_))
      for (const Operation* operand : value.operands) copy_value(*operand);
    if (is_in && affine != nullptr)
      copy_value(*affine);
  };
  for_each_operation(step, [&](const Operation& operation) {
    // What only some threads set comes in too.
    const bool is_touch = operation.op == Op::set || (is_in && operation.op == Op::get);
    if (is_touch && plan_.spilled_variables.contains(operation.variable))
      copy(
          compilation_.kernel.variables[operation.variable].type,
          shapes_.of_variable(operation.variable),
          slots_.of(operation.variable));
    if (!is_in)
      return copy_value(operation);
    for (const Operation* operand : operation.operands) copy_value(*operand);
  });
}

}  // namespace phalanx::codegen::cpu
