// From the IR's module to PTX text: emit, link libdevice, optimise, print.
#include <cstring>

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Scalar/DCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/llvm/analyses.h"
#include "phalanx/codegen/llvm/target_machine.h"
#include "phalanx/codegen/module_facts.h"
#include "phalanx/codegen/nvptx/backend.h"
#include "phalanx/codegen/nvptx/expand_atomics.h"
#include "phalanx/codegen/nvptx/hoist_loads.h"
#include "phalanx/codegen/nvptx/join_addresses.h"
#include "phalanx/codegen/nvptx/keep_votes.h"
#include "phalanx/codegen/nvptx/masks_of_votes.h"
#include "phalanx/codegen/nvptx/module_state.h"
#include "phalanx/codegen/nvptx/narrow_integers.h"
#include "phalanx/codegen/nvptx/unrolling.h"
#include "phalanx/ir/abi.h"
#include "phalanx/ir/clone.h"

namespace phalanx::codegen::nvptx {
namespace {

llvm::OptimizationLevel level_of(unsigned optimization) {
  switch (optimization) {
    case 0:
      return llvm::OptimizationLevel::O0;
    case 1:
      return llvm::OptimizationLevel::O1;
    case 2:
      return llvm::OptimizationLevel::O2;
    default:
      return llvm::OptimizationLevel::O3;
  }
}

// The name of its first kernel.
const std::string& name_of(const ir::Module& source) {
  const std::vector<ir::Function*> kernels = source.kernels();
  return kernels.empty() ? source.kernel().name : kernels.front()->name;
}

// One compilation: everything that lives as long as its LLVM module.
class PtxCompilation {
 public:
  PtxCompilation(const ir::Module& source, const Target& target, const Options& options)
      : options_(options),
        diagnostics_(context_),
        machine_(make_target_machine(target, options, machine_settings())),
        module_(name_of(source), context_),
        state_(module_, source, target, options) {
    module_.setTargetTriple(machine_->getTargetTriple().str());
    module_.setDataLayout(machine_->createDataLayout());
    module_.addModuleFlag(
        llvm::Module::Override, "nvvm-reflect-ftz", options.fastmath.is_all() ? 1 : 0);
    emit_functions(state_);
    verify_module(module_);
  }

  void optimize();
  std::string ptx();

  const llvm::Module& module() const { return module_; }
  const ModuleState& state() const { return state_; }

 private:
  Options options_;
  llvm::LLVMContext context_;
  Diagnostics diagnostics_;
  std::unique_ptr<llvm::TargetMachine> machine_;
  llvm::Module module_;
  ModuleState state_;
};

// On libdevice's functions, too: those with other attributes are not inlined, or take them away.
void allow_approximation(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
    function.addFnAttr("unsafe-fp-math", "true");
  }
}

llvm::FunctionPassManager passes_for_the_chip() {
  llvm::FunctionPassManager passes;
  passes.addPass(NarrowIntegers());
  passes.addPass(JoinAddresses());
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::DCEPass());
  passes.addPass(HoistLoads());
  passes.addPass(PinLoads());
  return passes;
}

void PtxCompilation::optimize() {
  if (state_.math.is_used())
    link_libdevice(module_);
  if (options_.fastmath.is_all())
    allow_approximation(module_);
  llvm::PipelineTuningOptions tuning;
  // Each thread is a scalar program: there is nothing to vectorise, and looking for it takes time.
  tuning.LoopVectorization = false;
  tuning.LoopInterleaving = false;
  tuning.SLPVectorization = false;
  llvm::PassBuilder passes(machine_.get(), tuning);
  machine_->registerPassBuilderCallbacks(passes);
  Analyses analyses;
  analyses.functions.registerPass([this] {
    return llvm::TargetLibraryAnalysis(llvm::TargetLibraryInfoImpl(machine_->getTargetTriple()));
  });
  analyses.fill(passes);
  // Checks need registers of their own: with long loops too, blocks would no longer fit.
  if (!options_.checks.any())
    plan_unrolling(passes);
  llvm::ModulePassManager pipeline = pipeline_of(passes, level_of(options_.optimization));
  if (options_.optimization != 0)
    pipeline.addPass(llvm::createModuleToFunctionPassAdaptor(passes_for_the_chip()));
  pipeline.run(module_, analyses.modules);
  expand_atomics(module_);
  keep_votes(module_);
  select_by_votes(module_);
  limit_unrolling(module_);
  diagnostics_.rethrow();
}

std::string PtxCompilation::ptx() {
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  if (machine_->addPassesToEmitFile(
          passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile, /*DisableVerify=*/true))
    throw CompileError(CompileError::Kind::lowering, "LLVM cannot write PTX");
  passes.run(module_);
  diagnostics_.rethrow();
  return text.str().str();
}

// The entry of the only kernel of `module`.
Entry entry_of(const ir::Module& module, const ModuleState& state) {
  const ir::Function& kernel = module.kernel();
  std::vector<ir::Type> parameters;
  for (const auto& parameter : kernel.parameters) parameters.push_back(parameter->type);
  Entry entry;
  entry.symbol = ptx_name(kernel.name);
  entry.parameter_bytes = static_cast<std::uint32_t>(ir::layout_parameters(parameters).bytes);
  entry.shared_bytes =
      memory_bytes(fixed_shared_bytes(module) + state.further_shared_bytes, "block");
  entry.moved_shared_bytes = memory_bytes(state.moved_shared_bytes, "block");
  entry.launch_memory = launch_memory(module);
  entry.is_cooperative = is_cooperative(module);
  return entry;
}

Binary compile(
    const ir::Module& module,
    const Target& target,
    const Options& options,
    const CpuVariant& /*variant*/) {
  PtxCompilation compilation(module, target, options);
  compilation.optimize();
  const std::string text = compilation.ptx();
  Binary binary;
  binary.kind = BinaryKind::ptx;
  binary.code.resize(text.size() + 1);
  std::memcpy(binary.code.data(), text.c_str(), text.size() + 1);
  binary.entries.clear();
  ir::for_each_kernel(module, [&](const ir::Module& own) {
    binary.entries.push_back(entry_of(own, compilation.state()));
  });
  binary.fault_sites = compilation.state().fault_sites;
  binary.uses_print = compilation.state().uses_print;
  return binary;
}

std::string llvm_text(
    const ir::Module& module,
    const Target& target,
    const Options& options,
    const CpuVariant& /*variant*/,
    bool optimized) {
  PtxCompilation compilation(module, target, options);
  if (optimized)
    compilation.optimize();
  return text_of(compilation.module());
}

// PTX ends with a zero byte, for the driver.
std::string assembly(const Binary& binary, const Target& /*target*/) {
  return reinterpret_cast<const char*>(binary.code.data());
}

}  // namespace

const Backend backend{
    .target = cuda_target,
    .common_targets = common_targets,
    .runs = runs,
    .is_for_blocks = false,
    .compile = compile,
    .llvm_text = llvm_text,
    .assembly = assembly};

}  // namespace phalanx::codegen::nvptx
