#include "phalanx/codegen/cpu/fission_kernel.h"

#include <algorithm>

#include <llvm/IR/Constants.h>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/cpu/kernel_builder.h"
#include "phalanx/codegen/cpu/shadow_state.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;

SpillSlots::SpillSlots(
    const Compilation& compilation,
    const FunctionShapes& shapes,
    const FissionPlan& plan,
    std::uint64_t first_byte)
    : end_(first_byte) {
  // In the function's order, so that the same kernel always gets the same code.
  const ir::Function& kernel = compilation.kernel;
  for (ir::VariableId v = 0; v < kernel.variables.size(); ++v) {
    if (plan.spilled_variables.contains(v))
      variables_[v] = allocate(compilation, kernel.variables[v].type, shapes.of_variable(v), true);
  }
  ir::for_each(kernel.body, [&](const Operation& operation) {
    if (plan.spilled_values.contains(&operation))
      values_[&operation] =
          allocate(compilation, operation.type, shapes.of(operation), operation.op != Op::get);
  });
}

std::vector<std::uint64_t> SpillSlots::allocate(
    const Compilation& compilation, const ir::Type& type, const Shapes& shapes, bool counts) {
  std::vector<std::uint64_t> offsets;
  for (unsigned i = 0; i < shapes.size(); ++i) {
    llvm::Type* component = component_type_of(compilation, type, i, shapes[i]);
    const llvm::DataLayout& layout = compilation.module.getDataLayout();
    const std::uint64_t alignment =
        std::min<std::uint64_t>(layout.getABITypeAlign(component).value(), 64);
    end_ = (end_ + alignment - 1) / alignment * alignment;
    offsets.push_back(end_);
    const std::uint64_t bytes = layout.getTypeAllocSize(component).getFixedValue();
    end_ += bytes;
    if (counts)
      bytes_ += bytes;
  }
  return offsets;
}

FissionEmitter::FissionEmitter(
    Compilation& compilation,
    llvm::IRBuilder<>& builder,
    const SplitKernel& kernel,
    const LaunchState& launch,
    const std::function<void(Emitter&)>& define_parameters)
    : compilation_(compilation),
      builder_(builder),
      shapes_(kernel.shapes),
      plan_(kernel.plan),
      slots_(kernel.slots),
      launch_(launch),
      define_parameters_(define_parameters),
      block_(compilation, builder, kernel.shapes) {}

llvm::BasicBlock* FissionEmitter::new_block(const char* name) {
  return llvm::BasicBlock::Create(
      builder_.getContext(), name, builder_.GetInsertBlock()->getParent());
}

void FissionEmitter::branch_to(llvm::BasicBlock* block) {
  if (is_open())
    builder_.CreateBr(block);
  builder_.SetInsertPoint(block);
}

void FissionEmitter::emit(llvm::Value* warps, llvm::Value* threads) {
  warps_ = warps;  // a constant where the code is for one size of blocks
  threads_ = threads;
  end_ = new_block("block.end");
  block_.launch = launch_;
  // What the block agrees on never depends on a thread's position in it.
  block_.warp.thread = {builder_.getInt32(0), builder_.getInt32(0), builder_.getInt32(0)};
  define_parameters_(block_);
  emit_steps(plan_.steps);
  branch_to(end_);
}

void FissionEmitter::emit_steps(const std::vector<Step>& steps) {
  for (const Step& step : steps) {
    switch (step.kind) {
      case Step::Kind::warps:
        emit_warps(step);
        break;
      case Step::Kind::value:
        block_.emit_operation(*step.operations[0]);
        break;
      case Step::Kind::control:
        emit_control(step);
        break;
      case Step::Kind::barrier:
        emit_shadow_barrier(builder_, compilation_, launch_);
        break;
    }
    if (!is_open())
      return;
  }
}

void FissionEmitter::emit_control(const Step& step) {
  const Operation& operation = *step.operations[0];
  switch (operation.op) {
    case Op::if_:
      return emit_if(step);
    case Op::loop:
      if (plan_.interchanged.contains(&operation))
        return emit_loop_over_forwarded(step);
      [[fallthrough]];
    case Op::block:
      return emit_loop(step);
    default:
      return emit_jump(operation);
  }
}

void FissionEmitter::emit_if(const Step& step) {
  llvm::Value* condition = block_.scalar(*step.operations[0]->operands[0]);
  llvm::BasicBlock* blocks[] = {new_block("block.then"), new_block("block.else")};
  llvm::BasicBlock* end = new_block("block.if.end");
  builder_.CreateCondBr(condition, blocks[0], blocks[1]);
  for (unsigned i = 0; i < 2; ++i) {
    builder_.SetInsertPoint(blocks[i]);
    emit_steps(step.regions[i]);
    if (is_open())
      builder_.CreateBr(end);
  }
  builder_.SetInsertPoint(end);
  if (!end->hasNPredecessorsOrMore(1))
    builder_.CreateUnreachable();
}

// Also a block, which runs once.
void FissionEmitter::emit_loop(const Step& step) {
  const bool is_loop = step.operations[0]->op == Op::loop;
  Frame& frame = frames_.emplace_back();
  frame.control = step.operations[0];
  frame.exit = new_block("block.exit");
  llvm::BasicBlock* header = new_block("block.loop");
  branch_to(header);
  if (is_loop)
    frame.latch = new_block("block.latch");
  emit_steps(step.regions[0]);
  if (!is_loop) {
    branch_to(frame.exit);
  } else {
    branch_to(frame.latch);
    if (frame.latch->hasNPredecessorsOrMore(1)) {
      emit_steps(step.regions[1]);
      if (is_open()) {
        block_.control().emit_stop(frame.exit);
        llvm::BranchInst* latch = builder_.CreateBr(header);
        if (plan_.interchanged.contains(step.operations[0]))
          forbid_unrolling(*latch);
      }
    } else {
      builder_.CreateUnreachable();
    }
    builder_.SetInsertPoint(frame.exit);
  }
  if (!frame.exit->hasNPredecessorsOrMore(1))
    builder_.CreateUnreachable();
  frames_.pop_back();
}

void FissionEmitter::emit_jump(const Operation& operation) {
  const Operation* target = shapes_.nesting().at(operation).target;
  if (target == nullptr) {
    builder_.CreateBr(end_);
    return;
  }
  const auto frame = std::find_if(frames_.rbegin(), frames_.rend(), [&](const Frame& known) {
    return known.control == target;
  });
  PHX_ASSERT(frame != frames_.rend());
  builder_.CreateBr(operation.op == Op::break_ ? frame->exit : frame->latch);
}

void FissionEmitter::emit_warps(const Step& step) {
  if (interleaved_blocks_ != nullptr)
    emit_interleaved_blocks(step);
  else if (warp_scratch_.empty())
    emit_warp_loop(step, launch_);
  else
    emit_unrolled_warps(step);
}

void FissionEmitter::join(llvm::Value* blocks, std::uint64_t block_bytes) {
  interleaved_blocks_ = blocks;
  block_bytes_ = block_bytes;
}

void FissionEmitter::emit_interleaved_blocks(const Step& step) {
  if (can_combine(step))
    emit_combined(step);
  else
    emit_block_loop([&](const LaunchState& launch) { emit_warp_loop(step, launch); });
}

// for (block = 0; block < blocks; ++block): what is emitted for its launch.
void FissionEmitter::emit_block_loop(
    const std::function<void(const LaunchState& launch)>& emit_block) {
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  llvm::BasicBlock* body = new_block("interleaved.block");
  llvm::BasicBlock* done = new_block("interleaved.done");
  builder_.CreateBr(body);
  builder_.SetInsertPoint(body);
  llvm::PHINode* number = builder_.CreatePHI(builder_.getInt32Ty(), 2, "interleaved");
  number->addIncoming(builder_.getInt32(0), before);
  llvm::Value* offset = builder_.CreateMul(
      builder_.CreateZExt(number, builder_.getInt64Ty()), builder_.getInt64(block_bytes_));
  LaunchState launch = launch_;
  launch.block_index[0] = builder_.CreateAdd(launch_.block_index[0], number);
  for (llvm::Value** memory : {&launch.scratch, &launch.dynamic_shared, &launch.warps})
    *memory = builder_.CreateGEP(builder_.getInt8Ty(), *memory, offset);
  emit_block(launch);
  llvm::Value* next = builder_.CreateAdd(number, builder_.getInt32(1), "", true, true);
  number->addIncoming(next, builder_.GetInsertBlock());
  forbid_unrolling(
      *builder_.CreateCondBr(builder_.CreateICmpULT(next, interleaved_blocks_), body, done));
  builder_.SetInsertPoint(done);
}

void FissionEmitter::start_warp(
    Emitter& emitter, const LaunchState& launch, const WarpPosition& position) {
  emitter.launch = launch;
  emitter.warp = position;
  emitter.function_exit = nullptr;
  define_parameters_(emitter);
  emitter.tracker().hold_interval();
}

void FissionEmitter::emit_warp_loop(const Step& step, const LaunchState& launch) {
  WarpLoop loop(builder_, launch, compilation_.variant, warps_, compilation_.plan.warp_bytes);
  const Segment segment(*this);
  Emitter emitter(compilation_, builder_, shapes_, segment);
  start_warp(emitter, launch, loop.position());
  if (threads_ != nullptr)
    emitter.set_mask(
        mask_of_ragged(builder_, compilation_.variant.lanes, emitter.warp.index, threads_));
  open_segment(emitter, step);
  for (const Operation* operation : step.operations) {
    emitter.emit_operation(*operation);
    if (!is_open())  // behind a loop without an end: never reached, and code all the same
      builder_.SetInsertPoint(new_block("never"));
  }
  close_segment(emitter, step);
  loop.close();
}

llvm::Value* FissionEmitter::at(Emitter& emitter, std::uint64_t offset) {
  return builder_.CreateConstGEP1_64(builder_.getInt8Ty(), emitter.warp.scratch, offset);
}

// A value made outside of the segment: the block's, computed again, or spilled by another segment.
Value FissionEmitter::resolve(Emitter& emitter, const Operation& operation) {
  if (block_.has_value(operation))
    return block_.value_of(operation);
  if (is_recomputed(operation, shapes_))
    return emitter.emit_value(operation);
  const std::vector<std::uint64_t>& offsets = slots_.of(operation);
  Value value;
  for (unsigned i = 0; i < offsets.size(); ++i) {
    const Shape& shape = shapes_.of(operation, i);
    llvm::Type* type = component_type_of(compilation_, operation.type, i, shape);
    llvm::Instruction* load = emitter.read(type, at(emitter, offsets[i]));
    mark_spill(*load);
    value.push_back({shape, load});
  }
  return value;
}

// Fetches, ahead of all control, what the segment needs from outside.
void FissionEmitter::open_segment(Emitter& emitter, const Step& step) {
  std::unordered_set<const Operation*> own;
  for_each_operation(step, [&](const Operation& operation) { own.insert(&operation); });
  for_each_operation(step, [&](const Operation& operation) {
    for (const Operation* operand : operation.operands) {
      if (own.contains(operand))
        continue;
      emitter.value_of(*operand);
      const Operation* affine = affine_before_wrap(*operand, shapes_);
      if (affine != nullptr && !own.contains(affine))
        emitter.value_of(*affine);
    }
    if (operation.op != Op::get && operation.op != Op::set)
      return;
    const ir::VariableId variable = operation.variable;
    if (emitter.has_slot(variable))
      return;
    if (plan_.block_variables.contains(variable)) {
      emitter.share_slot(variable, block_.slot_of(variable));
    } else if (plan_.spilled_variables.contains(variable)) {
      const Emitter::VariableSlot& slot = emitter.slot_of(variable);
      const std::vector<std::uint64_t>& offsets = slots_.of(variable);
      for (unsigned i = 0; i < offsets.size(); ++i) {
        llvm::Type* type = component_type_of(
            compilation_,
            compilation_.kernel.variables[variable].type,
            i,
            shapes_.of_variable(variable)[i]);
        llvm::Instruction* load = emitter.read(type, at(emitter, offsets[i]));
        mark_spill(*load);
        emitter.write(load, slot.components[i]);
      }
    }
  });
}

void FissionEmitter::close_segment(Emitter& emitter, const Step& step) {
  std::unordered_set<ir::VariableId> set;
  for_each_operation(step, [&](const Operation& operation) {
    if (operation.op == Op::set && plan_.spilled_variables.contains(operation.variable))
      set.insert(operation.variable);
  });
  const auto keep = [&](llvm::Value* value, std::uint64_t offset) {
    mark_spill(*emitter.write(value, at(emitter, offset)));
  };
  for (ir::VariableId v = 0; v < compilation_.kernel.variables.size(); ++v) {
    if (!set.contains(v))
      continue;
    const std::vector<std::uint64_t>& offsets = slots_.of(v);
    for (unsigned i = 0; i < offsets.size(); ++i) {
      llvm::Type* type = component_type_of(
          compilation_, compilation_.kernel.variables[v].type, i, shapes_.of_variable(v)[i]);
      keep(emitter.read(type, emitter.slot_of(v).components[i]), offsets[i]);
    }
  }
  for (const Operation* operation : step.operations) {
    if (!plan_.spilled_values.contains(operation))
      continue;
    const Value value = emitter.value_of(*operation);
    const std::vector<std::uint64_t>& offsets = slots_.of(*operation);
    for (unsigned i = 0; i < offsets.size(); ++i) keep(value[i].value, offsets[i]);
  }
}

void FissionEmitter::mark_spill(llvm::Instruction& access) {
  compilation_.alias.mark_spill(access);
}

}  // namespace phalanx::codegen::cpu
