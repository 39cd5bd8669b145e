// Tiles that are read where the matrix has them, in code for one size of blocks.
#include <algorithm>

#include <llvm/IR/Constants.h>

#include "phalanx/codegen/cpu/fission_kernel.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;

void FissionEmitter::find_loans() {
  llvm::BasicBlock& entry = builder_.GetInsertBlock()->getParent()->getEntryBlock();
  llvm::IRBuilder<> at_entry(&entry, entry.begin());
  for (BorrowedTile& tile : find_borrowed_tiles(plan_, shapes_, compilation_.variant)) {
    Loan& loan = loans_.emplace_back();
    loan.tile = std::move(tile);
    loan.data = at_entry.CreateAlloca(builder_.getPtrTy(), nullptr, "tile.data");
    loan.width = at_entry.CreateAlloca(builder_.getInt64Ty(), nullptr, "tile.width");
    at_entry.CreateStore(llvm::ConstantPointerNull::get(builder_.getPtrTy()), loan.data);
  }
}

// Those whose copy all threads make where `holding` holds.
std::vector<FissionEmitter::Loan*> FissionEmitter::loans_of(
    const Step& step, const Operations& holding) {
  std::vector<Loan*> found;
  for (Loan& loan : loans_) {
    const bool is_whole = std::ranges::all_of(
        loan.tile.guards, [&](const Operation* guard) { return holding.contains(guard); });
    if (loan.tile.step == &step && is_whole && block_.has_value(*loan.tile.tile))
      found.push_back(&loan);
  }
  return found;
}

// The tile is the matrix, from the element of the block's first thread on.
void FissionEmitter::lend(Loan& loan, Emitter& first_warp) {
  const Value matrix = first_warp.value_of(*loan.tile.load->operands[0]);
  llvm::Value* data = first_warp.element_pointer(*loan.tile.load).value;
  prefetch_next(loan, data, matrix[2].value);
  builder_.CreateStore(data, loan.data);
  builder_.CreateStore(matrix[2].value, loan.width);
}

// Programs go on by the same step from tile to tile. A wrong guess costs what it costs to ask.
void FissionEmitter::prefetch_next(const Loan& loan, llvm::Value* data, llvm::Value* width) {
  constexpr std::uint64_t line = 64;
  const Operation& tile = *loan.tile.tile;
  const std::uint64_t item = ir::size_of(tile.type.element());
  const std::uint64_t bytes = item * static_cast<std::uint64_t>(tile.shape[1]);
  llvm::Type* byte = builder_.getInt8Ty();
  llvm::Value* before = builder_.CreateLoad(builder_.getPtrTy(), loan.data);
  llvm::Value* step = builder_.CreatePtrDiff(byte, data, before);
  llvm::Value* row = builder_.CreateGEP(byte, data, step);
  llvm::Value* stride = builder_.CreateMul(width, builder_.getInt64(item));
  const auto prefetch = [&](std::uint64_t offset) {
    llvm::Value* place = builder_.CreateConstGEP1_64(byte, row, offset);
    const auto number = [&](std::uint32_t value) { return builder_.getInt32(value); };
    constexpr std::uint32_t to_read = 0;
    constexpr std::uint32_t into_l2 = 2;
    constexpr std::uint32_t of_data = 1;
    builder_.CreateIntrinsic(
        llvm::Intrinsic::prefetch,
        {builder_.getPtrTy()},
        {place, number(to_read), number(into_l2), number(of_data)});
  };
  for (std::int64_t i = 0; i < tile.shape[0]; ++i) {
    for (std::uint64_t offset = 0; offset < bytes; offset += line) prefetch(offset);
    prefetch(bytes - 1);  // rows may begin anywhere in a line
    row = builder_.CreateGEP(byte, row, stride);
  }
}

void FissionEmitter::keep(Loan& loan) {
  const Value own = block_.value_of(*loan.tile.tile);
  builder_.CreateStore(own[0].value, loan.data);
  builder_.CreateStore(own[2].value, loan.width);
}

// What the loop reads of a tile is where the segment before it has said.
void FissionEmitter::emit_loop_over_loans(const Step& step) {
  std::vector<std::pair<const Operation*, Value>> own;
  for (const Loan& loan : loans_) {
    if (!loan.is_open)
      continue;
    const Operation& tile = *loan.tile.tile;
    Value view = block_.value_of(tile);
    own.emplace_back(&tile, view);
    view[0].value = builder_.CreateLoad(builder_.getPtrTy(), loan.data);
    view[2] = {Shape::of(Spread::block), builder_.CreateLoad(builder_.getInt64Ty(), loan.width)};
    block_.define(tile, view);
    lent_.insert(&tile);
  }
  emit_loop(step);
  for (auto& [tile, view] : own) block_.define(*tile, std::move(view));
  lent_.clear();
}

}  // namespace phalanx::codegen::cpu
