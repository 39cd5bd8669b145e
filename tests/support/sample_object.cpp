#include "tests/support/sample_object.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>

#include <memory>
#include <stdexcept>

namespace phalanx::jit {

std::vector<std::byte> compile_text(const std::string& text) {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  auto module = llvm::parseAssemblyString(text, problem, context);
  if (!module)
    throw std::runtime_error(problem.getMessage().str());
  const std::string triple = llvm::sys::getDefaultTargetTriple();
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
  const std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, "x86-64-v2", "", llvm::TargetOptions(), llvm::Reloc::PIC_));
  module->setDataLayout(machine->createDataLayout());
  module->setTargetTriple(triple);
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager passes;
  machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile);
  passes.run(*module);
  const auto* data = reinterpret_cast<const std::byte*>(object.data());
  return {data, data + object.size()};
}

std::vector<std::byte> sample_object(const std::string& entry) {
  return compile_text(
      "define void @" + entry + "(ptr %launch, i64 %first, i64 %last, ptr %scratch) { ret void }");
}

}  // namespace phalanx::jit
