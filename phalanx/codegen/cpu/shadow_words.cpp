#include "phalanx/codegen/cpu/shadow_words.h"

#include <llvm/IR/Constants.h>

#include "phalanx/base/cpu_kernel.h"

namespace phalanx::codegen::cpu {

llvm::Type* ShadowWords::type() const {
  llvm::Type* word = at_.word;
  return is_vector() ? llvm::FixedVectorType::get(word, at_.lanes) : word;
}

llvm::Value* ShadowWords::same(llvm::Value* scalar) const {
  return is_vector() ? builder_.CreateVectorSplat(at_.lanes, scalar) : scalar;
}

llvm::Value* ShadowWords::number(std::uint64_t value) const {
  return llvm::ConstantInt::get(type(), value);
}

llvm::Value* ShadowWords::load(Kind kind) {
  llvm::Value* pointer = pointer_to(kind);
  const llvm::Align alignment(at_.word->getBitWidth() / 8);
  if (at_.is_scattered)
    return builder_.CreateMaskedGather(type(), pointer, alignment, at_.mask, number(0));
  if (at_.mask != nullptr)
    return builder_.CreateMaskedLoad(type(), pointer, alignment, at_.mask, number(0));
  return builder_.CreateAlignedLoad(type(), pointer, alignment);
}

void ShadowWords::store(Kind kind, llvm::Value* words) {
  llvm::Value* pointer = pointer_to(kind);
  const llvm::Align alignment(at_.word->getBitWidth() / 8);
  if (at_.is_scattered)
    builder_.CreateMaskedScatter(words, pointer, alignment, at_.mask);
  else if (at_.mask != nullptr)
    builder_.CreateMaskedStore(words, pointer, alignment, at_.mask);
  else
    builder_.CreateAlignedStore(words, pointer, alignment);
}

llvm::Value* ShadowWords::and_number(llvm::Value* words, std::uint64_t bits) const {
  return builder_.CreateAnd(words, number(bits));
}

llvm::Value* ShadowWords::or_number(llvm::Value* words, std::uint64_t bits) const {
  return builder_.CreateOr(words, number(bits));
}

llvm::Value* ShadowWords::has(llvm::Value* words, std::uint64_t bits) const {
  return builder_.CreateICmpNE(and_number(words, bits), number(0));
}

llvm::Value* ShadowWords::lacks(llvm::Value* words, std::uint64_t bits) const {
  return builder_.CreateICmpEQ(and_number(words, bits), number(0));
}

llvm::Value* ShadowWords::only_active(llvm::Value* condition) const {
  return at_.mask == nullptr ? condition : builder_.CreateAnd(condition, at_.mask);
}

llvm::Value* RaceRules::own(std::uint64_t bits) const {
  llvm::Value* word = builder_.CreateOr(facts_.base, facts_.thread.number);
  return words_.or_number(word, bits);
}

// The word is of another thread than this access, or of several.
llvm::Value* RaceRules::differs(llvm::Value* word) const {
  llvm::Value* parts = builder_.CreateXor(word, facts_.thread.number);
  // The access's own number has no `more`, so that one look at the bits that differ is enough.
  llvm::Value* other = words_.has(parts, facts_.thread_mask | shadow::several_threads);
  if (facts_.thread.is_several == nullptr)
    return other;
  return builder_.CreateOr(other, facts_.thread.is_several);
}

llvm::Value* RaceRules::is_same_above(llvm::Value* word, unsigned shift) const {
  llvm::Value* parts = builder_.CreateXor(word, facts_.base);
  return builder_.CreateICmpULT(parts, words_.number(std::uint64_t{1} << shift));
}

llvm::Value* RaceRules::clashes(llvm::Value* word) const {
  if (facts_.is_shared)
    return builder_.CreateAnd(builder_.CreateICmpUGE(word, facts_.base), differs(word));
  llvm::Value* now = is_same_above(word, shadow::interval_shift);
  llvm::Value* within = builder_.CreateAnd(now, differs(word));
  if (!facts_.looks_at_blocks)
    return within;
  llvm::Value* is_own_block = is_same_above(word, shadow::epoch_shift);
  llvm::Value* beyond =
      builder_.CreateOr(builder_.CreateNot(is_own_block), words_.has(word, shadow::several_blocks));
  beyond = builder_.CreateAnd(builder_.CreateICmpUGE(word, first_), beyond);
  return builder_.CreateOr(within, beyond);
}

llvm::Value* RaceRules::is_known_as_read(llvm::Value* written, llvm::Value* read) const {
  llvm::Value* is_old = builder_.CreateICmpULT(written, facts_.base);
  llvm::Value* is_read = builder_.CreateICmpUGE(read, facts_.base);
  return builder_.CreateAnd(
      builder_.CreateAnd(is_old, is_read), words_.has(read, shadow::several_threads));
}

// The word of both accesses: it tells of the first, and that there were others.
llvm::Value* RaceRules::merged(llvm::Value* word, llvm::Value* own) const {
  if (facts_.thread.is_several != nullptr)
    own = builder_.CreateSelect(
        facts_.thread.is_several, words_.or_number(own, shadow::several_threads), own);
  llvm::Value* more = words_.or_number(word, shadow::several_threads);
  llvm::Value* together = builder_.CreateSelect(differs(word), more, word);
  if (facts_.is_shared)
    return builder_.CreateSelect(builder_.CreateICmpULT(word, facts_.base), own, together);
  llvm::Value* is_own_block = is_same_above(word, shadow::epoch_shift);
  llvm::Value* older = builder_.CreateOr(own, words_.and_number(word, shadow::several_blocks));
  llvm::Value* others = words_.or_number(word, shadow::several_blocks);
  llvm::Value* known = builder_.CreateSelect(is_own_block, older, others);
  known = builder_.CreateSelect(builder_.CreateICmpUGE(word, first_), known, own);
  return builder_.CreateSelect(is_same_above(word, shadow::interval_shift), together, known);
}

}  // namespace phalanx::codegen::cpu
