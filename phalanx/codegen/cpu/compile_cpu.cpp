// The CPU's way from IR to an object: build, optimise, emit.
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/MCContext.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/raw_ostream.h>

#include "phalanx/base/errors.h"
#include "phalanx/base/routines.h"
#include "phalanx/codegen/codegen.h"
#include "phalanx/codegen/cpu/backend.h"
#include "phalanx/codegen/cpu/grid_loops.h"
#include "phalanx/codegen/cpu/kernel_builder.h"
#include "phalanx/codegen/cpu/lower_block_votes.h"
#include "phalanx/codegen/cpu/mask_numbers.h"
#include "phalanx/codegen/cpu/shared_windows.h"
#include "phalanx/codegen/cpu/sleef_math.h"
#include "phalanx/codegen/cpu/small_float.h"
#include "phalanx/codegen/cpu/stride_versions.h"
#include "phalanx/codegen/llvm/analyses.h"
#include "phalanx/codegen/llvm/compile_limits.h"
#include "phalanx/codegen/llvm/sink_values.h"
#include "phalanx/codegen/llvm/target_machine.h"
#include "phalanx/codegen/module_facts.h"

namespace phalanx::codegen::cpu {

namespace {

// One compilation, from IR to LLVM.
struct Built {
  llvm::LLVMContext context;
  Diagnostics diagnostics{context};
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::Module> module;
  Binary binary;
};

// Kernels are vector code already: what O3 and LLVM's vectorisers could find there is not worth
// their time. A CPU function is scalar code, and lives on them.
llvm::OptimizationLevel level_of(unsigned optimization, bool is_scalar) {
  switch (optimization) {
    case 0:
      return llvm::OptimizationLevel::O0;
    case 1:
      return llvm::OptimizationLevel::O1;
    default:
      return is_scalar && optimization > 2 ? llvm::OptimizationLevel::O3
                                           : llvm::OptimizationLevel::O2;
  }
}

std::uint32_t parameter_bytes(const ir::Function& kernel) {
  std::vector<ir::Type> types;
  for (const auto& parameter : kernel.parameters) types.push_back(parameter->type);
  return static_cast<std::uint32_t>(ir::layout_parameters(types).bytes);
}

void refuse_foreign_code(const ir::Module& source, const CpuVariant& variant) {
  for (const auto& function : source.functions) {
    if (function->kind == ir::FunctionKind::external && variant.shape == BlockShape::single &&
        !function->name.starts_with(routine_prefix))
      throw CompileError(
          CompileError::Kind::lowering,
          "the function " + source.kernel().name + " calls " + function->name +
              "(), which is linked code (cuda.declare_device): only kernels call it");
    if (function->kind == ir::FunctionKind::exported)
      throw CompileError(
          CompileError::Kind::lowering,
          "device functions are compiled for other code on a GPU only: see cuda.compile");
  }
}

// A kernel as it is compiled: votes are counted, there are versions for strides, and grid-stride
// loops count passes. The last two not in check mode and debug mode, whose reports name blocks one
// after the other.
class Rewritten {
 public:
  Rewritten(const ir::Module& given, const Options& options, const CpuVariant& variant) {
    counted_ = lower_block_votes(given);
    if (variant.shape == BlockShape::single || options.reports())
      return;
    versions_ = make_stride_versions(of(given), variant.lanes);
    const std::uint32_t threads = variant.block[0] * variant.block[1] * variant.block[2];
    const bool has_whole_warps = variant.lanes > 1 && threads != 0 && threads % variant.lanes == 0;
    grid_ = find_grid_loops(of(given), has_whole_warps);
  }

  const ir::Module& of(const ir::Module& given) const {
    if (grid_)
      return grid_->module;
    if (versions_)
      return *versions_;
    return counted_ ? *counted_ : given;
  }

  void describe(Compilation& compilation) const {
    const auto& block = compilation.variant.block;
    const std::uint32_t threads = block[0] * block[1] * block[2];
    // Masked code has no use for versions: blocks of whole warps get code without it.
    compilation.is_for_block =
        versions_ && threads != 0 && threads % compilation.variant.lanes == 0;
    if (!grid_)
      return;
    compilation.grid_loops = grid_->loops;
    compilation.grid_guards = grid_->guards;
  }

 private:
  std::optional<ir::Module> counted_;
  std::optional<ir::Module> versions_;
  std::optional<GridLoops> grid_;
};

Entry entry_of(const ir::Module& source, const Compilation& compilation) {
  const CpuVariant& variant = compilation.variant;
  Entry entry;
  entry.symbol = entry_name;
  entry.parameter_bytes = parameter_bytes(compilation.kernel);
  entry.shared_bytes = memory_bytes(compilation.plan.shared_bytes, "block");
  entry.launch_memory = launch_memory(source);
  entry.lanes = variant.lanes;
  entry.lane_axis = variant.lane_axis;
  if (compilation.is_for_block)
    entry.block = variant.block;
  entry.warp_bytes = memory_bytes(
      std::max(compilation.plan.warp_bytes, compilation.interleaved_warp_bytes), "warp");
  if (variant.shape == BlockShape::single)
    entry.result = ir::to_string(source.result);
  entry.stages_tiles = stages_tiles(source);
  entry.is_cooperative = is_cooperative(source);
  entry.can_stop = compilation.options.reports() && variant.shape != BlockShape::single;
  entry.has_shadow = compilation.shadow.has_shadow;
  entry.shared_granule = compilation.shadow.shared_granule;
  entry.global_granule = compilation.shadow.global_granule;
  entry.shadowed_arrays = compilation.shadow.arrays;
  return entry;
}

void build(
    Built& built,
    const ir::Module& given,
    const Target& target,
    const Options& options,
    const CpuVariant& variant) {
  refuse_foreign_code(given, variant);
  built.machine = make_target_machine(target, options, machine_settings());
  built.module = std::make_unique<llvm::Module>("kernel", built.context);
  built.module->setTargetTriple(built.machine->getTargetTriple().str());
  built.module->setDataLayout(built.machine->createDataLayout());
  const Rewritten rewritten(given, options, variant);
  const ir::Module& source = rewritten.of(given);
  const ir::Function& kernel = source.kernel();
  SleefMath math(*built.module, target, options.fastmath.has(FastFlag::afn));
  Compilation compilation{
      .source = source,
      .module = *built.module,
      .alias = AliasScopes(built.context),
      .math = math,
      .target = target,
      .machine = built.machine.get(),
      .options = options,
      .variant = variant,
      .kernel = kernel};
  rewritten.describe(compilation);
  std::optional<SourceLines> lines;
  if (options.lineinfo)
    compilation.lines = &lines.emplace(*built.module);
  KernelBuilder(compilation).build();
  if (lines)
    lines->finish();
  define_bfloat16_rounding(*built.module, source);
  verify_module(*built.module);
  built.binary.kind = BinaryKind::object;
  built.binary.entry() = entry_of(source, compilation);
  built.binary.fault_sites = std::move(compilation.fault_sites);
  built.binary.uses_print = uses_print(source);
}

void optimize(
    Built& built, const Target& target, const Options& options, const CpuVariant& variant) {
  constexpr unsigned bits_with_mask_registers = 512;
  const bool is_scalar = variant.shape == BlockShape::single;
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = is_scalar;
  tuning.SLPVectorization = is_scalar;
  llvm::PassInstrumentationCallbacks callbacks;
  bound_optimization(callbacks);
  llvm::PassBuilder passes(built.machine.get(), tuning, std::nullopt, &callbacks);
  sink_values_first(passes);
  add_shared_windows(passes);
  Analyses analyses;
  analyses.fill(passes);
  const llvm::OptimizationLevel level = level_of(options.optimization, is_scalar);
  pipeline_of(passes, level).run(*built.module, analyses.modules);
  inline_vector_forms(*built.module, analyses.modules);
  widen_half_choices(*built.module);
  if (target.vector_bits == bits_with_mask_registers)
    hide_combined_masks(*built.module);
}

void emit_object(Built& built) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager emission;
  if (built.machine->addPassesToEmitFile(
          emission, stream, nullptr, llvm::CodeGenFileType::ObjectFile))
    throw CompileError(CompileError::Kind::lowering, "LLVM cannot write an object for this CPU");
  const BoundedEmission bounded(*built.module);
  emission.run(*built.module);
  const auto* data = reinterpret_cast<const std::byte*>(bytes.data());
  built.binary.code.assign(data, data + bytes.size());
}

Binary compile(
    const ir::Module& module,
    const Target& target,
    const Options& options,
    const CpuVariant& variant) {
  Built built;
  build(built, module, target, options, variant);
  optimize(built, target, options, variant);
  emit_object(built);
  built.diagnostics.rethrow();
  return std::move(built.binary);
}

std::string llvm_text(
    const ir::Module& module,
    const Target& target,
    const Options& options,
    const CpuVariant& variant,
    bool optimized) {
  Built built;
  build(built, module, target, options, variant);
  if (optimized)
    optimize(built, target, options, variant);
  return text_of(*built.module);
}

Target target(unsigned /*compute_capability*/) { return host_target(); }

}  // namespace

const Backend backend{
    .target = target,
    .common_targets = common_targets,
    .runs = runs,
    .is_for_blocks = true,
    .compile = compile,
    .llvm_text = llvm_text,
    .assembly = disassemble};

}  // namespace phalanx::codegen::cpu
