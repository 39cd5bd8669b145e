#include "phalanx/codegen/llvm/target_machine.h"

#include <mutex>

#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/raw_ostream.h>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/llvm/compile_limits.h"

namespace phalanx::codegen {
namespace {

llvm::CodeGenOptLevel level_of(unsigned optimization) {
  switch (optimization) {
    case 0:
      return llvm::CodeGenOptLevel::None;
    case 1:
      return llvm::CodeGenOptLevel::Less;
    case 2:
      return llvm::CodeGenOptLevel::Default;
    default:
      return llvm::CodeGenOptLevel::Aggressive;
  }
}

class Handler : public llvm::DiagnosticHandler {
 public:
  explicit Handler(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() == llvm::DS_Error) {
      std::string text;
      llvm::raw_string_ostream stream(text);
      llvm::DiagnosticPrinterRawOStream printer(stream);
      info.print(printer);
      diagnostics_.add(text);
    }
    return true;
  }

 private:
  Diagnostics& diagnostics_;
};

// LLVM would end the process. It is built without exceptions, so that what it had allocated leaks;
// its own data stays usable, because each compilation has a context of its own.
[[noreturn]] void throw_fatal_error(void*, const char* reason, bool) {
  throw CompileError(CompileError::Kind::lowering, "LLVM: " + std::string(reason));
}

}  // namespace

void initialize_llvm() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::install_fatal_error_handler(throw_fatal_error);
    bound_llvm();
  });
}

const llvm::Target& llvm_target(const MachineSettings& settings) {
  static std::mutex mutex;  // LLVM's list of targets has none
  initialize_llvm();
  const std::lock_guard lock(mutex);
  settings.register_target();
  std::string error;
  const llvm::Target* found = llvm::TargetRegistry::lookupTarget(settings.triple, error);
  if (found == nullptr)
    throw CompileError(CompileError::Kind::lowering, "LLVM has no target " + error);
  return *found;
}

std::unique_ptr<llvm::TargetMachine> make_target_machine(
    const Target& target, const Options& options, const MachineSettings& given) {
  const llvm::Target& found = llvm_target(given);
  llvm::TargetOptions settings;
  if (given.fuses && options.contracts())
    settings.AllowFPOpFusion = llvm::FPOpFusion::Fast;
  settings.UnsafeFPMath = options.fastmath.is_all();
  std::unique_ptr<llvm::TargetMachine> machine(found.createTargetMachine(
      given.triple,
      target.cpu,
      target.features,
      settings,
      llvm::Reloc::PIC_,
      given.is_loaded ? std::optional(llvm::CodeModel::Small) : std::nullopt,
      level_of(options.optimization),
      /*JIT=*/given.is_loaded));
  if (machine == nullptr)
    throw CompileError(CompileError::Kind::lowering, "LLVM cannot generate code for " + target.cpu);
  return machine;
}

void verify_module(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (llvm::verifyModule(module, &stream))
    throw CompileError(CompileError::Kind::lowering, "phalanx bug: malformed LLVM IR: " + text);
}

std::string text_of(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return text;
}

Diagnostics::Diagnostics(llvm::LLVMContext& context) {
  context.setDiagnosticHandler(std::make_unique<Handler>(*this));
}

void Diagnostics::add(const std::string& message) {
  if (first_error_.empty())
    first_error_ = message;
}

void Diagnostics::rethrow() const {
  if (!first_error_.empty())
    throw CompileError(CompileError::Kind::lowering, first_error_);
}

}  // namespace phalanx::codegen
