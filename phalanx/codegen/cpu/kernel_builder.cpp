#include "phalanx/codegen/cpu/kernel_builder.h"

#include <algorithm>

#include <llvm/IR/Constants.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Target/TargetMachine.h>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/cpu/device_function.h"
#include "phalanx/codegen/cpu/parallel_bodies.h"
#include "phalanx/codegen/cpu/shadow_state.h"
#include "phalanx/codegen/cpu/warp_loop.h"

namespace phalanx::codegen::cpu {

namespace {

// LLVM's vectoriser takes gathers for fast on every CPU with AVX-512, where its own table of CPUs
// knows better: on a Zen 5, scalar loads were 1.7 times as fast in loops over the columns of an
// array, and nothing was slower (bench/results/2026-11-22-numba-benchmark.md).
std::string features_of(const Compilation& compilation) {
  const std::string& features = compilation.target.features;
  const bool is_vectorised = compilation.variant.shape == BlockShape::single;
  if (!is_vectorised || compilation.machine->getMCSubtargetInfo()->checkFeatures("+fast-gather"))
    return features;
  return features + (features.empty() ? "" : ",") + "+prefer-no-gather,+prefer-no-scatter";
}

}  // namespace

void set_attributes(llvm::Function& function, const Compilation& compilation) {
  const std::string bits = std::to_string(compilation.target.vector_bits);
  function.addFnAttr("prefer-vector-width", bits);
  function.addFnAttr("min-legal-vector-width", bits);
  function.addFnAttr("target-cpu", compilation.target.cpu);
  function.addFnAttr("target-features", features_of(compilation));
  // Spilled vectors lie on cache lines of their own: without this, registers are given out before
  // LLVM knows that it wants an aligned stack, and every spill may touch two lines.
  if (compilation.variant.lanes > 1)
    function.addFnAttr("stackrealign");
  function.setDoesNotThrow();
}

bool may_be_ragged(const CpuVariant& variant) {
  return variant.lanes > 1 &&
         (variant.shape == BlockShape::one_dimensional || variant.shape == BlockShape::general);
}

llvm::Value* mask_of_ragged(
    llvm::IRBuilderBase& builder, unsigned lanes, llvm::Value* index, llvm::Value* threads) {
  llvm::Value* first = builder.CreateMul(index, builder.getInt32(lanes));
  llvm::Value* left = builder.CreateSub(threads, first);
  return builder.CreateICmpULT(
      lane_numbers(builder, lanes), builder.CreateVectorSplat(lanes, left), "mask");
}

namespace {

// Code for one size of blocks where that makes values uniform or affine: in thread // 32, a block
// of 256 threads has a warp's number; the same in a block of any size may change within the warp.
FunctionShapes find_shapes(Compilation& compilation) {
  const CpuVariant& variant = compilation.variant;
  const bool is_launched = compilation.kernel.kind != ir::FunctionKind::parallel_body &&
                           variant.shape != BlockShape::single;
  LaunchFacts facts;
  facts.has_whole_starts =
      is_launched && !coalesce_blocks(compilation.source, variant).can_coalesce;
  FunctionShapes shapes(compilation.kernel, variant, facts);
  if (!is_launched || variant.block[0] == 0 || variant.lane_axis || compilation.options.reports())
    return shapes;
  facts.has_block = true;
  FunctionShapes of_block(compilation.kernel, variant, facts);
  if (!of_block.is_better_than(shapes))
    return shapes;
  compilation.is_for_block = true;
  return of_block;
}

}  // namespace

KernelBuilder::KernelBuilder(Compilation& compilation)
    : compilation_(compilation),
      shapes_(find_shapes(compilation)),
      builder_(compilation.module.getContext()) {}

void KernelBuilder::build() {
  compilation_.shadow = plan_shadow(compilation_.source);
  const auto& body = compilation_.kernel.body;
  const bool has_barrier = std::any_of(body.begin(), body.end(), [&](const auto& operation) {
    return shapes_.nesting().at(*operation).has_barrier;
  });
  if (compilation_.kernel.kind == ir::FunctionKind::parallel_body)
    build_parallel_body();
  else if (compilation_.variant.shape == BlockShape::single)
    build_single();
  else if (!has_barrier && compilation_.grid_loops.empty())
    build_plain();
  else if (!try_build_fission())
    build_coroutines();
  define_device_functions(compilation_);
  define_parallel_bodies(compilation_);
}

void KernelBuilder::build_single() {
  compilation_.plan = plan_memory(compilation_.source, compilation_.variant, false);
  open_entry();
  launch_.block_index.fill(builder_.getInt32(0));
  emit_full_warp(single_thread(builder_, launch_));
  builder_.CreateRetVoid();
}

void KernelBuilder::build_parallel_body() {
  compilation_.plan = plan_memory(compilation_.source, compilation_.variant, false);
  open_entry();
  emit_block_loop([&] { emit_full_warp(single_thread(builder_, launch_)); });
  builder_.CreateRetVoid();
  if (masked_ != nullptr)
    emit_masked_function();
}

void KernelBuilder::build_plain() {
  compilation_.plan = plan_memory(compilation_.source, compilation_.variant, false);
  coalesced_ = coalesce_blocks(compilation_.source, compilation_.variant);
  open_entry();
  if (!coalesced_.non_temporal.empty())
    find_non_temporal();
  emit_block_loop([&] {
    if (coalesced_.can_coalesce)
      emit_coalesced_start();
    emit_warp_loop();
  });
  emit_non_temporal_end();
  builder_.CreateRetVoid();
  if (masked_ != nullptr)
    emit_masked_function();
}

// The entry function with the launch's state loaded. The plan of memory is complete by now.
void KernelBuilder::open_entry() {
  function_ = make_entry();
  launch_ = load_launch(
      builder_,
      function_->getArg(0),
      function_->getArg(3),
      compilation_.shared_layout(),
      compilation_.kernel);
  if (compilation_.is_for_block) {
    for (unsigned i = 0; i < 3; ++i)
      launch_.block.at(i) = builder_.getInt32(compilation_.variant.block.at(i));
  }
  context_slot_ = make_context_slot(*function_);
  emit_shadow_start(builder_, compilation_, launch_);
}

llvm::Value* KernelBuilder::block_threads() {
  llvm::Value* threads = builder_.CreateMul(
      builder_.CreateMul(launch_.block[0], launch_.block[1]), launch_.block[2], "threads");
  if (launch_.coalesced == nullptr)
    return threads;
  return builder_.CreateSub(
      builder_.CreateMul(threads, launch_.coalesced), launch_.first_thread, "threads.left");
}

llvm::Function* KernelBuilder::make_entry() {
  llvm::Type* pointer = builder_.getPtrTy();
  llvm::Type* i64 = builder_.getInt64Ty();
  auto* type = llvm::FunctionType::get(builder_.getVoidTy(), {pointer, i64, i64, pointer}, false);
  // A parallel body was declared where it is launched.
  llvm::Function* function =
      compilation_.kernel.kind == ir::FunctionKind::parallel_body
          ? declare_parallel_body(compilation_, compilation_.kernel)
          : llvm::Function::Create(
                type, llvm::GlobalValue::ExternalLinkage, entry_name, compilation_.module);
  set_attributes(*function, compilation_);
  const char* names[] = {"launch", "first", "last", "scratch"};
  for (unsigned i = 0; i < 4; ++i) function->getArg(i)->setName(names[i]);
  function->addParamAttr(
      3, llvm::Attribute::getWithAlignment(builder_.getContext(), llvm::Align(64)));
  builder_.SetInsertPoint(llvm::BasicBlock::Create(builder_.getContext(), "entry", function));
  return function;
}

// So few that a thread's number among them fits 31 bits.
constexpr std::uint64_t most_coalesced = std::uint64_t{1} << 20;

// for (block = first; block < last; ++block), with its three indices kept up to date.
void KernelBuilder::emit_block_loop(const std::function<void()>& emit_block) {
  llvm::LLVMContext& context = builder_.getContext();
  llvm::Type* i32 = builder_.getInt32Ty();
  llvm::Type* i64 = builder_.getInt64Ty();
  const auto wide = [&](llvm::Value* value) { return builder_.CreateZExt(value, i64); };
  llvm::Value* first = function_->getArg(1);
  llvm::Value* last = function_->getArg(2);
  llvm::Value* columns = wide(launch_.grid[0]);
  llvm::Value* row = builder_.CreateUDiv(first, columns);
  llvm::Value* rows = wide(launch_.grid[1]);
  llvm::Value* starts[3] = {
      builder_.CreateURem(first, columns),
      builder_.CreateURem(row, rows),
      builder_.CreateUDiv(row, rows)};
  for (llvm::Value*& start : starts) start = builder_.CreateTrunc(start, i32);
  auto* body = llvm::BasicBlock::Create(context, "block", function_);
  auto* exit = llvm::BasicBlock::Create(context, "return", function_);
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  builder_.CreateCondBr(builder_.CreateICmpULT(first, last), body, exit);
  builder_.SetInsertPoint(body);
  llvm::PHINode* number = builder_.CreatePHI(i64, 2, "number");
  number->addIncoming(first, before);
  llvm::PHINode* index[3];
  for (unsigned i = 0; i < 3; ++i) {
    index[i] = builder_.CreatePHI(i32, 2, "block.index");
    index[i]->addIncoming(starts[i], before);
    launch_.block_index[i] = index[i];
  }
  emit_shadow_block(builder_, compilation_, launch_, number);
  llvm::Value* count = builder_.getInt32(1);
  if (coalesced_.can_coalesce)
    count = launch_.coalesced = coalesced_count(number, index[0], most_coalesced);
  else if (interleaved_blocks_ != 0)
    count = interleaved_count_ = coalesced_count(number, index[0], interleaved_blocks_);
  emit_block();
  llvm::Value* zero = builder_.getInt32(0);
  llvm::Value* x = builder_.CreateAdd(index[0], count);
  llvm::Value* row_ends = builder_.CreateICmpEQ(x, launch_.grid[0]);
  llvm::Value* y = builder_.CreateAdd(index[1], builder_.CreateZExt(row_ends, i32));
  llvm::Value* plane_ends = builder_.CreateICmpEQ(y, launch_.grid[1]);
  llvm::Value* z = builder_.CreateAdd(index[2], builder_.CreateZExt(plane_ends, i32));
  llvm::BasicBlock* latch = builder_.GetInsertBlock();
  index[0]->addIncoming(builder_.CreateSelect(row_ends, zero, x), latch);
  index[1]->addIncoming(builder_.CreateSelect(plane_ends, zero, y), latch);
  index[2]->addIncoming(z, latch);
  llvm::Value* next = builder_.CreateAdd(number, wide(count));
  number->addIncoming(next, latch);
  builder_.CreateCondBr(builder_.CreateICmpULT(next, last), body, exit);
  builder_.SetInsertPoint(exit);
}

// The whole warps, then the ragged one.
void KernelBuilder::emit_warp_loop() {
  llvm::LLVMContext& context = builder_.getContext();
  const CpuVariant& variant = compilation_.variant;
  llvm::Value* threads = block_threads();
  llvm::Value* width = builder_.getInt32(variant.lanes);
  llvm::Value* whole = builder_.CreateUDiv(threads, width, "whole.warps");
  WarpLoop loop(builder_, launch_, variant, whole, 0);
  emit_full_warp(loop.position());
  loop.close();
  if (!may_be_ragged(variant))
    return;
  llvm::Value* ragged = builder_.CreateURem(threads, width, "ragged.threads");
  auto* partial = llvm::BasicBlock::Create(context, "ragged", function_);
  auto* done = llvm::BasicBlock::Create(context, "ragged.done", function_);
  builder_.CreateCondBr(builder_.CreateICmpEQ(ragged, builder_.getInt32(0)), done, partial);
  builder_.SetInsertPoint(partial);
  llvm::IntegerType* bits = builder_.getIntNTy(variant.lanes);
  llvm::Value* count = builder_.CreateZExtOrTrunc(ragged, bits);
  llvm::Value* ones = llvm::Constant::getAllOnesValue(bits);
  emit_masked_call(whole, builder_.CreateNot(builder_.CreateShl(ones, count)));
  builder_.CreateBr(done);
  builder_.SetInsertPoint(done);
}

class KernelBuilder::MaskedCode final : public Surroundings {
 public:
  MaskedCode(KernelBuilder& kernel, llvm::Value* warp_index)
      : kernel_(kernel), warp_index_(warp_index) {}

  bool has_masked_code() const override { return kernel_.compilation_.variant.lanes > 1; }
  void restart_masked() const override {
    llvm::Type* bits = kernel_.builder_.getIntNTy(kernel_.compilation_.variant.lanes);
    kernel_.emit_masked_call(warp_index_, llvm::Constant::getAllOnesValue(bits));
  }

 private:
  KernelBuilder& kernel_;
  llvm::Value* warp_index_;
};

void KernelBuilder::emit_full_warp(const WarpPosition& position) {
  const MaskedCode masked(*this, position.index);
  Emitter emitter(compilation_, builder_, shapes_, masked);
  emitter.launch = launch_;
  emitter.warp = position;
  emitter.function_exit = llvm::BasicBlock::Create(builder_.getContext(), "warp.end", function_);
  define_parameters(emitter);
  emitter.tracker().hold_interval();
  emitter.emit_function(compilation_.kernel.body);
}

void KernelBuilder::define_parameters(Emitter& emitter) {
  const auto& parameters = compilation_.kernel.parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    Value value;
    const Shapes& shapes = shapes_.of(*parameters[i]);
    for (std::size_t c = 0; c < shapes.size(); ++c)
      value.push_back({shapes[c], emitter.launch.parameters[i][c]});
    emitter.define(*parameters[i], std::move(value));
  }
}

void KernelBuilder::emit_masked_call(llvm::Value* warp_index, llvm::Value* mask_bits) {
  WarpContext(builder_, context_slot_).store(launch_, warp_index);
  builder_.CreateCall(masked_function(), {context_slot_, mask_bits});
}

llvm::Function* KernelBuilder::masked_function() {
  if (masked_ != nullptr)
    return masked_;
  auto* type = llvm::FunctionType::get(
      builder_.getVoidTy(),
      {builder_.getPtrTy(), builder_.getIntNTy(compilation_.variant.lanes)},
      false);
  masked_ = llvm::Function::Create(
      type, llvm::GlobalValue::InternalLinkage, "masked_warp", compilation_.module);
  masked_->addFnAttr(llvm::Attribute::NoInline);
  set_attributes(*masked_, compilation_);
  return masked_;
}

// The kernel for some of a warp's lanes.
void KernelBuilder::emit_masked_function() {
  llvm::LLVMContext& context = builder_.getContext();
  builder_.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", masked_));
  const CpuVariant& variant = compilation_.variant;
  WarpContext caller(builder_, masked_->getArg(0));
  Emitter emitter(compilation_, builder_, shapes_);
  emitter.launch = caller.load(compilation_.shared_layout(), compilation_.kernel);
  if (coalesced_.can_coalesce)
    emitter.launch.first_thread = caller.load_first_thread();
  emitter.warp = position_of(
      builder_, emitter.launch, variant, caller.load_warp_index(), emitter.launch.warps);
  emitter.set_mask(builder_.CreateBitCast(
      masked_->getArg(1), llvm::FixedVectorType::get(builder_.getInt1Ty(), variant.lanes), "mask"));
  emitter.function_exit = llvm::BasicBlock::Create(context, "warp.end", masked_);
  define_parameters(emitter);
  emitter.tracker().hold_interval();
  emitter.emit_function(compilation_.kernel.body);
  builder_.CreateRetVoid();
}

}  // namespace phalanx::codegen::cpu
