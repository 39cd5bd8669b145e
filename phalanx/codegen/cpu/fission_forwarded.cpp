// Store-to-load forwarding of tiles that are read where the matrix has them, in code for one size
// of blocks.
#include <algorithm>

#include <llvm/IR/Constants.h>

#include "phalanx/codegen/cpu/fission_kernel.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;

void FissionEmitter::find_forwardings() {
  llvm::BasicBlock& entry = builder_.GetInsertBlock()->getParent()->getEntryBlock();
  llvm::IRBuilder<> at_entry(&entry, entry.begin());
  for (ForwardedTile& tile : find_forwarded_tiles(plan_, shapes_, compilation_.variant)) {
    Forwarding& forwarding = forwardings_.emplace_back();
    forwarding.tile = std::move(tile);
    forwarding.data = at_entry.CreateAlloca(builder_.getPtrTy(), nullptr, "tile.data");
    forwarding.width = at_entry.CreateAlloca(builder_.getInt64Ty(), nullptr, "tile.width");
    at_entry.CreateStore(llvm::ConstantPointerNull::get(builder_.getPtrTy()), forwarding.data);
  }
}

// Those whose copy all threads make where `holding` holds.
std::vector<FissionEmitter::Forwarding*> FissionEmitter::forwardings_of(
    const Step& step, const Operations& holding) {
  std::vector<Forwarding*> found;
  for (Forwarding& forwarding : forwardings_) {
    const bool is_whole = std::ranges::all_of(
        forwarding.tile.guards, [&](const Operation* guard) { return holding.contains(guard); });
    if (forwarding.tile.step == &step && is_whole && block_.has_value(*forwarding.tile.tile))
      found.push_back(&forwarding);
  }
  return found;
}

// The tile is the matrix, from the element of the block's first thread on.
void FissionEmitter::forward(Forwarding& forwarding, Emitter& first_warp) {
  const Value matrix = first_warp.value_of(*forwarding.tile.load->operands[0]);
  llvm::Value* data = first_warp.memory().element_address(*forwarding.tile.load).pointer.value;
  prefetch_next(forwarding, data, matrix[2].value);
  builder_.CreateStore(data, forwarding.data);
  builder_.CreateStore(matrix[2].value, forwarding.width);
}

// Programs go on by the same step from tile to tile. A wrong guess costs what it costs to ask.
void FissionEmitter::prefetch_next(
    const Forwarding& forwarding, llvm::Value* data, llvm::Value* width) {
  constexpr std::uint64_t cache_line = 64;
  const Operation& tile = *forwarding.tile.tile;
  const std::uint64_t item = ir::size_of(tile.type.element());
  const std::uint64_t bytes = item * static_cast<std::uint64_t>(tile.shape[1]);
  llvm::Type* byte = builder_.getInt8Ty();
  llvm::Value* before = builder_.CreateLoad(builder_.getPtrTy(), forwarding.data);
  llvm::Value* step = builder_.CreatePtrDiff(byte, data, before);
  llvm::Value* row = builder_.CreateGEP(byte, data, step);
  llvm::Value* stride = builder_.CreateMul(width, builder_.getInt64(item));
  const auto prefetch = [&](std::uint64_t offset) {
    llvm::Value* address = builder_.CreateConstGEP1_64(byte, row, offset);
    const auto number = [&](std::uint32_t value) { return builder_.getInt32(value); };
    constexpr std::uint32_t to_read = 0;
    constexpr std::uint32_t into_l2 = 2;
    constexpr std::uint32_t of_data = 1;
    builder_.CreateIntrinsic(
        llvm::Intrinsic::prefetch,
        {builder_.getPtrTy()},
        {address, number(to_read), number(into_l2), number(of_data)});
  };
  for (std::int64_t i = 0; i < tile.shape[0]; ++i) {
    for (std::uint64_t offset = 0; offset < bytes; offset += cache_line) prefetch(offset);
    prefetch(bytes - 1);  // rows may begin anywhere in a cache line
    row = builder_.CreateGEP(byte, row, stride);
  }
}

void FissionEmitter::keep(Forwarding& forwarding) {
  const Value own = block_.value_of(*forwarding.tile.tile);
  builder_.CreateStore(own[0].value, forwarding.data);
  builder_.CreateStore(own[2].value, forwarding.width);
}

// What the loop reads of a tile is where the segment before it has said.
void FissionEmitter::emit_loop_over_forwarded(const Step& step) {
  std::vector<std::pair<const Operation*, Value>> own;
  for (const Forwarding& forwarding : forwardings_) {
    if (!forwarding.is_open)
      continue;
    const Operation& tile = *forwarding.tile.tile;
    Value view = block_.value_of(tile);
    own.emplace_back(&tile, view);
    view[0].value = builder_.CreateLoad(builder_.getPtrTy(), forwarding.data);
    view[2] = {
        Shape::of(Uniformity::block), builder_.CreateLoad(builder_.getInt64Ty(), forwarding.width)};
    block_.define(tile, view);
    forwarded_.insert(&tile);
  }
  emit_loop(step);
  for (auto& [tile, view] : own) block_.define(*tile, std::move(view));
  forwarded_.clear();
}

}  // namespace phalanx::codegen::cpu
