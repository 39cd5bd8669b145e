#include "phalanx/codegen/cpu/warp_permute.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsX86.h>

namespace phalanx::codegen::cpu {

namespace {

constexpr unsigned lanes = 32;

llvm::Value* slice(llvm::IRBuilderBase& builder, llvm::Value* vector, unsigned first, unsigned n) {
  llvm::SmallVector<int, 16> picks;
  for (unsigned i = 0; i < n; ++i) picks.push_back(static_cast<int>(first + i));
  return builder.CreateShuffleVector(vector, picks);
}

llvm::Value* join(llvm::IRBuilderBase& builder, llvm::ArrayRef<llvm::Value*> parts) {
  llvm::SmallVector<llvm::Value*, 4> rest(parts.begin(), parts.end());
  while (rest.size() > 1) {
    llvm::SmallVector<llvm::Value*, 4> concatenated;
    for (std::size_t i = 0; i < rest.size(); i += 2) {
      llvm::SmallVector<int, 32> picks(
          2 * llvm::cast<llvm::FixedVectorType>(rest[i]->getType())->getNumElements());
      for (std::size_t lane = 0; lane < picks.size(); ++lane) picks[lane] = static_cast<int>(lane);
      concatenated.push_back(builder.CreateShuffleVector(rest[i], rest[i + 1], picks));
    }
    rest = concatenated;
  }
  return rest[0];
}

}  // namespace

// AVX-512 permutes two registers by one vector of indices: all 32 lanes of 32 bits at once, and
// 64-bit ones in two goes between which the index's fifth bit chooses.
llvm::Value* WarpPermute::through_registers(llvm::Value* words, llvm::Value* indices) const {
  const bool is_wide = words->getType()->getScalarSizeInBits() == 64;
  const unsigned n = is_wide ? 8 : 16;
  const auto intrinsic = is_wide ? llvm::Intrinsic::x86_avx512_vpermi2var_q_512
                                 : llvm::Intrinsic::x86_avx512_vpermi2var_d_512;
  if (is_wide)
    indices = builder.CreateZExt(indices, llvm::FixedVectorType::get(builder.getInt64Ty(), lanes));
  const auto pick = [&](unsigned table, llvm::Value* index) {
    llvm::Value* low = slice(builder, words, table, n);
    llvm::Value* high = slice(builder, words, table + n, n);
    return builder.CreateIntrinsic(intrinsic, {}, {low, index, high});
  };
  llvm::SmallVector<llvm::Value*, 4> parts;
  for (unsigned first = 0; first < lanes; first += n) {
    llvm::Value* index = slice(builder, indices, first, n);
    llvm::Value* part = pick(0, index);
    if (is_wide) {
      llvm::Value* is_upper =
          builder.CreateICmpUGE(index, llvm::ConstantInt::get(index->getType(), 2 * n));
      part = builder.CreateSelect(is_upper, pick(2 * n, index), part);
    }
    parts.push_back(part);
  }
  return join(builder, parts);
}

llvm::Value* WarpPermute::through_memory(llvm::Value* values, llvm::Value* indices) const {
  llvm::Type* scalar = values->getType()->getScalarType();
  llvm::Value* slot = make_slot(values->getType());
  const llvm::Align alignment(64);
  builder.CreateAlignedStore(values, slot, alignment);
  llvm::Value* pointers = builder.CreateGEP(scalar, slot, indices);
  return builder.CreateMaskedGather(
      values->getType(), pointers, llvm::Align(scalar->getScalarSizeInBits() / 8));
}

llvm::Value* WarpPermute::operator()(llvm::Value* values, llvm::Value* indices) const {
  llvm::Type* type = values->getType();
  if (auto* known = llvm::dyn_cast<llvm::Constant>(indices)) {
    llvm::SmallVector<int, lanes> picks;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const auto* index =
          llvm::dyn_cast_or_null<llvm::ConstantInt>(known->getAggregateElement(lane));
      picks.push_back(index == nullptr ? 0 : static_cast<int>(index->getZExtValue()));
    }
    return builder.CreateShuffleVector(values, picks);
  }
  constexpr unsigned wide_enough = 512;
  if (vector_bits < wide_enough)
    return through_memory(values, indices);
  llvm::Type* words =
      llvm::FixedVectorType::get(builder.getIntNTy(type->getScalarSizeInBits()), lanes);
  llvm::Value* moved = through_registers(builder.CreateBitCast(values, words), indices);
  return builder.CreateBitCast(moved, type);
}

}  // namespace phalanx::codegen::cpu
