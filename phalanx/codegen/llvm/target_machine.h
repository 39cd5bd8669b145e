// LLVM's target machines, made once a compilation, and the steps every compilation shares.
#pragma once

#include <memory>
#include <string>

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include "phalanx/base/target.h"
#include "phalanx/codegen/codegen.h"

namespace phalanx::codegen {

// From now on LLVM's fatal errors are CompileError; cheap after the first call, safe from any
// thread.
void initialize_llvm();

// What LLVM has to know of a code generator.
struct MachineSettings {
  const char* triple;
  void (*register_target)();  // with LLVM; cheap after the first call, safe from any thread
  bool is_loaded;             // into this process, where it is called
  bool fuses;                 // if asked to, beyond what the contract flags of operations allow
};

// Throws CompileError if LLVM does not know the target.
const llvm::Target& llvm_target(const MachineSettings& settings);
std::unique_ptr<llvm::TargetMachine> make_target_machine(
    const Target& target, const Options& options, const MachineSettings& settings);

// Throws CompileError with LLVM's words if the module is malformed: a bug of ours.
void verify_module(const llvm::Module& module);

std::string text_of(const llvm::Module& module);

// A context whose diagnostics of severity error become CompileError at `rethrow`, instead of ending
// the process.
class Diagnostics {
 public:
  explicit Diagnostics(llvm::LLVMContext& context);
  Diagnostics(const Diagnostics&) = delete;
  Diagnostics& operator=(const Diagnostics&) = delete;

  void rethrow() const;  // throws the first error, if there was one
  void add(const std::string& message);

 private:
  std::string first_error_;
};

}  // namespace phalanx::codegen
