// Speculation with a test at run time (as LLVM's LoopVersioning has for loops) on indices that are
// varying to the analysis: affine but for an edge, x % width or a wrapped negative index, or but
// for some numbers of the block's: t & (stride - 1). Most warps then load and store vectors instead
// of gathering, or gather with indices of 32 bits.
#pragma once

#include <optional>
#include <unordered_map>

#include "phalanx/codegen/cpu/address.h"
#include "phalanx/codegen/cpu/emitter_part.h"

namespace phalanx::codegen::cpu {

class SpeculativeIndices : EmitterPart {
 public:
  using EmitterPart::EmitterPart;

  // The affine form of an index; without a test where it is affine in any case.
  std::optional<SpeculativelyAffine> form_of(const ir::Operation& index);
  // Adds the form of an array access's address, if there is one.
  void find_form(const ir::Operation& access, Address& address);
  bool try_emit_remainder(const ir::Operation& operation, Value& result);
  llvm::Value* is_within(const Component& affine, llvm::Value* low, llvm::Value* high);

 private:
  std::optional<SpeculativelyAffine> form_of_result(const ir::Operation& operation);
  std::optional<SpeculativelyAffine> form_of_bits(
      ir::Op op, const SpeculativelyAffine& affine, const Component& number, llvm::Value* holds);
  void find_narrow(const ir::Operation& access, const Value& view, Address& address);

  std::unordered_map<const ir::Operation*, SpeculativelyAffine> known_;
};

}  // namespace phalanx::codegen::cpu
