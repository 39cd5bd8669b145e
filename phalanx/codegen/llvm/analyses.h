// The analyses that LLVM's passes ask for, by what they are about; alive while passes run.
#pragma once

#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>

namespace phalanx::codegen {

// LLVM wants them destroyed in the order of the nesting, modules first.
struct Analyses {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;

  // Those that were registered before stay.
  void fill(llvm::PassBuilder& passes) {
    passes.registerModuleAnalyses(modules);
    passes.registerCGSCCAnalyses(components);
    passes.registerFunctionAnalyses(functions);
    passes.registerLoopAnalyses(loops);
    passes.crossRegisterProxies(loops, functions, components, modules);
  }
};

// The passes that LLVM itself runs at a level.
inline llvm::ModulePassManager pipeline_of(
    llvm::PassBuilder& passes, llvm::OptimizationLevel level) {
  return level == llvm::OptimizationLevel::O0 ? passes.buildO0DefaultPipeline(level)
                                              : passes.buildPerModuleDefaultPipeline(level);
}

}  // namespace phalanx::codegen
