// What keeps LLVM's time near n log n of a function's size: some of its passes are quadratic.
#pragma once

#include <cstddef>

#include <llvm/IR/Module.h>
#include <llvm/IR/OptBisect.h>
#include <llvm/IR/PassInstrumentation.h>

namespace phalanx::codegen {

// The settings of LLVM that bound what it does in one function. Once per process.
void bound_llvm();

// Leaves out what is too slow for large functions while LLVM optimises.
void bound_optimization(llvm::PassInstrumentationCallbacks& callbacks);

// While one lives, the same for the passes that make machine code of the module. Long blocks are
// cut first: selection and scheduling of instructions are quadratic in a block's length.
class BoundedEmission : public llvm::OptPassGate {
 public:
  explicit BoundedEmission(llvm::Module& module);
  BoundedEmission(const BoundedEmission&) = delete;
  BoundedEmission& operator=(const BoundedEmission&) = delete;
  ~BoundedEmission() override;

  bool shouldRunPass(llvm::StringRef name, llvm::StringRef description) override;
  bool isEnabled() const override { return is_large_; }

 private:
  llvm::LLVMContext& context_;
  bool is_large_ = false;
};

}  // namespace phalanx::codegen
