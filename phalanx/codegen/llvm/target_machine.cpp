#include "phalanx/codegen/llvm/target_machine.h"

#include <map>
#include <mutex>

#include <llvm/ADT/StringMap.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Host.h>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/llvm/compile_limits.h"

extern "C" {
void LLVMInitializeX86TargetInfo();
void LLVMInitializeX86Target();
void LLVMInitializeX86TargetMC();
void LLVMInitializeX86AsmPrinter();
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace phalanx::codegen {
namespace {

constexpr const char* cpu_triple = "x86_64-unknown-linux-gnu";
constexpr const char* cuda_triple = "nvptx64-nvidia-cuda";

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
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
}

std::unique_ptr<llvm::TargetMachine> make_target_machine(
    const Target& target, const Options& options) {
  initialize_llvm();
  const bool is_cpu = target.kind == DeviceKind::cpu;
  const char* triple = is_cpu ? cpu_triple : cuda_triple;
  std::string error;
  const llvm::Target* found = llvm::TargetRegistry::lookupTarget(triple, error);
  if (found == nullptr)
    throw CompileError(CompileError::Kind::lowering, "LLVM has no target " + error);
  llvm::TargetOptions settings;
  // On the CPU fused operations come from the contract flags alone. On the GPU this decides whether
  // ptxas, too, may fuse: without it each addition and multiplication says how it rounds.
  if (!is_cpu && options.contracts())
    settings.AllowFPOpFusion = llvm::FPOpFusion::Fast;
  settings.UnsafeFPMath = options.fastmath.is_all();
  std::unique_ptr<llvm::TargetMachine> machine(found->createTargetMachine(
      triple,
      target.cpu,
      target.features,
      settings,
      llvm::Reloc::PIC_,
      is_cpu ? std::optional(llvm::CodeModel::Small) : std::nullopt,
      level_of(options.optimization),
      /*JIT=*/is_cpu));
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

namespace {

// The widest vectors worth using: 512 bits only where the whole AVX-512 of servers is there.
unsigned vector_bits_of(const llvm::StringMap<bool>& features) {
  const auto has = [&](const char* name) { return features.lookup(name); };
  if (has("avx512f") && has("avx512vl") && has("avx512bw") && has("avx512dq"))
    return 512;
  return has("avx2") && has("fma") ? 256 : 128;
}

}  // namespace

Target host_target() {
  Target target;
  target.kind = DeviceKind::cpu;
  target.cpu = llvm::sys::getHostCPUName().str();
  const llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  std::map<std::string, bool> sorted;  // the text is part of cache keys
  for (const auto& feature : features) sorted[feature.first().str()] = feature.second;
  for (const auto& [name, is_there] : sorted) {
    if (!target.features.empty())
      target.features += ',';
    target.features += (is_there ? '+' : '-') + name;
  }
  target.vector_bits = vector_bits_of(features);
  return target;
}

Target cuda_target(unsigned compute_capability) {
  constexpr unsigned oldest = 75;
  // The newest that LLVM 19 knows; newer chips' drivers compile its PTX.
  constexpr unsigned newest = 90;
  if (compute_capability < oldest)
    throw CompileError(
        CompileError::Kind::unsupported,
        "compute capability " + std::to_string(compute_capability / 10) + "." +
            std::to_string(compute_capability % 10) + " is too old: 7.5 is the oldest supported");
  constexpr unsigned known[] = {75, 80, 86, 87, 89, newest};
  unsigned chosen = oldest;
  for (const unsigned candidate : known) {
    if (candidate <= compute_capability)
      chosen = candidate;
  }
  Target target;
  target.kind = DeviceKind::cuda;
  target.cpu = "sm_" + std::to_string(chosen);
  target.compute_capability = chosen;
  // That of CUDA 11.8, the oldest driver we run on (runtime/cuda/driver.h): it knows sm_90, and
  // debug information. "Release notes" of NVIDIA's PTX ISA has the table of versions and drivers.
  target.features = "+ptx78";
  return target;
}

}  // namespace phalanx::codegen
