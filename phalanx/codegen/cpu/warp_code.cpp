#include "phalanx/codegen/cpu/warp_code.h"

#include <llvm/IR/Constants.h>

namespace phalanx::codegen::cpu {

namespace {

enum Field : unsigned { launch_field, scratch_field, block_field, warp_field = 5, first_field };

// floor(a / b) for 0 <= a < 2^16 and 0 < b: x86 has no integer division of vectors. (a + 1/2) / b
// is at least 1 / (2 b) away from a whole number, far more than the division's rounding error.
llvm::Value* small_quotient(llvm::IRBuilderBase& builder, llvm::Value* a, llvm::Value* b) {
  llvm::Type* floats = llvm::VectorType::get(
      builder.getFloatTy(), llvm::cast<llvm::VectorType>(a->getType())->getElementCount());
  llvm::Value* numerator =
      builder.CreateFAdd(builder.CreateUIToFP(a, floats), llvm::ConstantFP::get(floats, 0.5));
  llvm::Value* quotient = builder.CreateFDiv(numerator, builder.CreateUIToFP(b, floats));
  return builder.CreateFPToSI(quotient, a->getType());
}

// Thread coordinates from the number of a thread in its block.
std::array<llvm::Value*, 3> coordinates(
    llvm::IRBuilderBase& builder,
    llvm::Value* thread,
    const std::array<llvm::Value*, 3>& block,
    const std::function<llvm::Value*(llvm::Value*, llvm::Value*)>& divide) {
  const auto splat_like = [&](llvm::Value* value) {
    auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(thread->getType());
    return vector == nullptr ? value : builder.CreateVectorSplat(vector->getNumElements(), value);
  };
  llvm::Value* width = splat_like(block[0]);
  llvm::Value* height = splat_like(block[1]);
  llvm::Value* row = divide(thread, width);
  llvm::Value* x = builder.CreateSub(thread, builder.CreateMul(row, width));
  llvm::Value* z = divide(row, height);
  llvm::Value* y = builder.CreateSub(row, builder.CreateMul(z, height));
  return {x, y, z};
}

}  // namespace

llvm::Value* lane_numbers(llvm::IRBuilderBase& builder, unsigned lanes) {
  llvm::SmallVector<llvm::Constant*, 32> numbers;
  for (unsigned lane = 0; lane < lanes; ++lane) numbers.push_back(builder.getInt32(lane));
  return llvm::ConstantVector::get(numbers);
}

llvm::StructType* WarpContext::type(llvm::LLVMContext& context) {
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  llvm::Type* i32 = llvm::Type::getInt32Ty(context);
  return llvm::StructType::get(context, {pointer, pointer, i32, i32, i32, i32, i32});
}

llvm::Value* WarpContext::field(unsigned index) {
  return builder_.CreateStructGEP(type(builder_.getContext()), pointer_, index);
}

void WarpContext::store(const LaunchState& launch, llvm::Value* warp_index) {
  builder_.CreateStore(launch.launch, field(launch_field));
  builder_.CreateStore(launch.scratch, field(scratch_field));
  for (unsigned i = 0; i < 3; ++i)
    builder_.CreateStore(launch.block_index.at(i), field(block_field + i));
  builder_.CreateStore(warp_index, field(warp_field));
  if (launch.first_thread != nullptr)
    builder_.CreateStore(launch.first_thread, field(first_field));
}

LaunchState WarpContext::load(const SharedLayout& layout, const ir::Function& kernel) {
  llvm::Type* pointer = builder_.getPtrTy();
  llvm::Value* launch = builder_.CreateLoad(pointer, field(launch_field), "launch");
  llvm::Value* scratch = builder_.CreateLoad(pointer, field(scratch_field), "scratch");
  LaunchState state = load_launch(builder_, launch, scratch, layout, kernel);
  for (unsigned i = 0; i < 3; ++i)
    state.block_index.at(i) = builder_.CreateLoad(builder_.getInt32Ty(), field(block_field + i));
  return state;
}

llvm::Value* WarpContext::load_warp_index() {
  return builder_.CreateLoad(builder_.getInt32Ty(), field(warp_field), "warp");
}

llvm::Value* WarpContext::load_first_thread() {
  return builder_.CreateLoad(builder_.getInt32Ty(), field(first_field), "first.thread");
}

WarpPosition single_thread(llvm::IRBuilderBase& builder, const LaunchState& launch) {
  WarpPosition position = {.index = builder.getInt32(0), .scratch = launch.warps};
  position.thread.fill(builder.getInt32(0));
  return position;
}

WarpPosition position_of(
    llvm::IRBuilderBase& builder,
    const LaunchState& launch,
    const CpuVariant& variant,
    llvm::Value* index,
    llvm::Value* scratch) {
  WarpPosition position;
  position.index = index;
  position.scratch = scratch;
  llvm::Value* first = builder.CreateMul(index, builder.getInt32(variant.lanes), "first.thread");
  if (launch.first_thread != nullptr)
    first = builder.CreateAdd(first, launch.first_thread);
  if (variant.shape == BlockShape::one_dimensional) {
    position.thread = {first, builder.getInt32(0), builder.getInt32(0)};
  } else if (variant.shape == BlockShape::general && variant.lanes > 1) {
    llvm::Value* threads = builder.CreateAdd(
        builder.CreateVectorSplat(variant.lanes, first), lane_numbers(builder, variant.lanes));
    position.thread =
        coordinates(builder, threads, launch.block, [&](llvm::Value* a, llvm::Value* b) {
          return small_quotient(builder, a, b);
        });
  } else {
    position.thread =
        coordinates(builder, first, launch.block, [&](llvm::Value* a, llvm::Value* b) {
          return builder.CreateUDiv(a, b);
        });
  }
  return position;
}

llvm::AllocaInst* make_context_slot(llvm::Function& function) {
  llvm::IRBuilder<> builder(&function.getEntryBlock(), function.getEntryBlock().begin());
  return builder.CreateAlloca(WarpContext::type(function.getContext()), nullptr, "warp.context");
}

}  // namespace phalanx::codegen::cpu
