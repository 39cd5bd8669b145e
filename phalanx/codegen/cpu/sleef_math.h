// The CPU's mathematical functions: vector forms of SLEEF, always of the widest register, and
// formulas of our own. A value's result does not depend on the lanes around it, nor on their
// number.
#pragma once

#include <string>
#include <string_view>

#include <llvm/IR/PassManager.h>

#include "phalanx/base/target.h"
#include "phalanx/codegen/llvm/emit_op.h"

namespace phalanx::codegen::cpu {

class SleefMath : public MathLibrary {
 public:
  // `module` receives the declarations. `approximates`: the less precise forms will do.
  SleefMath(llvm::Module& module, const Target& target, bool approximates);

  llvm::Value* call(
      llvm::IRBuilderBase& builder,
      ir::Op op,
      DType dtype,
      std::span<llvm::Value* const> operands) override;

 private:
  bool has_fma() const;
  std::string name_of(ir::Op op, DType dtype) const;
  std::string sleef_name(ir::Op op, DType dtype, unsigned width, std::string_view extension) const;
  llvm::Function* declare(const std::string& name, llvm::ArrayRef<llvm::Type*> types);
  llvm::Function* own_form(
      ir::Op op, DType dtype, llvm::ArrayRef<llvm::Type*> types, const llvm::Function& caller);
  llvm::Function* vector_form(
      ir::Op op, DType dtype, llvm::ArrayRef<llvm::Type*> types, const llvm::Function& caller);
  void define(llvm::Function& function, ir::Op op, DType dtype);
  llvm::Function* first_lane_of(llvm::Function& vector_form, const llvm::Function& caller);
  llvm::Function* scalar_form(ir::Op op, llvm::Function& vector_form, const llvm::Function& caller);
  llvm::Value* call_scalar(
      llvm::IRBuilderBase& builder,
      ir::Op op,
      llvm::Function& vector_form,
      std::span<llvm::Value* const> operands);
  llvm::Value* call_part(
      llvm::IRBuilderBase& builder,
      llvm::Function& function,
      std::span<llvm::Value* const> operands,
      unsigned first,
      unsigned width);

  llvm::Module& module_;
  unsigned vector_bits_;
  std::string_view extension_;  // of SLEEF's names
  bool approximates_;
};

// After all other passes, as the vectoriser sees calls only: the bodies of short forms take the
// place of their calls where these are few, so that constants stay in registers over a loop. In
// kernels of many calls they would double the time to compile. Forms that nothing calls go.
void inline_vector_forms(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

}  // namespace phalanx::codegen::cpu
