#include "phalanx/codegen/nvptx/unrolling.h"

#include <algorithm>

#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace phalanx::codegen::nvptx {
namespace {

// In LLVM's instructions. What NVIDIA's own compiler does for CUDA C was the measure.
constexpr std::size_t straight_code = 512;  // all turns of a loop, or of the outer loop of a nest
// The same where it makes registers of an array: memory of a thread's own costs more than code.
constexpr std::size_t straight_code_of_array = 4096;
constexpr std::size_t repeated_code = 448;
constexpr unsigned most_repeats = 8;
constexpr std::size_t long_loop = 40;  // too long for ptxas to repeat

std::size_t size_of(const llvm::Loop& loop) {
  std::size_t count = 0;
  for (const llvm::BasicBlock* block : loop.blocks()) count += block->sizeWithoutDebug();
  return count;
}

bool is_planned(const llvm::Loop& loop) {
  return llvm::any_of(
      llvm::ArrayRef{"llvm.loop.unroll.disable", "llvm.loop.unroll.full", "llvm.loop.unroll.count"},
      [&](const char* name) { return llvm::findOptionMDForLoop(&loop, name) != nullptr; });
}

// Only straight code tells each turn's element of a local array.
bool indexes_local_array(const llvm::Loop& loop) {
  const auto is_index_into_one = [](const llvm::Instruction& instruction) {
    const auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
    return element != nullptr && !element->hasAllConstantIndices() &&
           llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(element));
  };
  return llvm::any_of(loop.blocks(), [&](const llvm::BasicBlock* block) {
    return std::any_of(block->begin(), block->end(), is_index_into_one);
  });
}

std::size_t most_straight_code(const llvm::Loop& loop) {
  return loop.isInnermost() && indexes_local_array(loop) ? straight_code_of_array : straight_code;
}

// Inner loops come first: a nest is looked at with those made straight that could be.
struct PlanStraightCode : llvm::PassInfoMixin<PlanStraightCode> {
  llvm::PreservedAnalyses run(
      llvm::Loop& loop,
      llvm::LoopAnalysisManager&,
      llvm::LoopStandardAnalysisResults& analyses,
      llvm::LPMUpdater&) {
    const unsigned turns = analyses.SE.getSmallConstantTripCount(&loop);
    if (turns > 1 && !is_planned(loop) && turns * size_of(loop) <= most_straight_code(loop))
      llvm::addStringMetadataToLoop(&loop, "llvm.loop.unroll.full", 1);
    return llvm::PreservedAnalyses::all();
  }
};

// The repeats divide the turns: none are left over.
unsigned repeats_of(const llvm::Loop& loop, unsigned turns) {
  unsigned repeats = most_repeats;
  while (repeats > 1 && (turns % repeats != 0 || repeats * size_of(loop) > repeated_code))
    repeats /= 2;
  return repeats;
}

struct PlanRepeats : llvm::PassInfoMixin<PlanRepeats> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
    for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
      const unsigned turns = evolution.getSmallConstantTripCount(loop);
      if (turns == 0 || !loop->isInnermost() || is_planned(*loop))
        continue;
      if (const unsigned repeats = repeats_of(*loop, turns); repeats > 1)
        llvm::addStringMetadataToLoop(loop, "llvm.loop.unroll.count", repeats);
    }
    return llvm::PreservedAnalyses::all();
  }
};

bool is_barrier(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::nvvm_barrier0;
}

bool is_long(const llvm::Loop& loop) {
  return !loop.isInnermost() || size_of(loop) > long_loop ||
         llvm::any_of(loop.blocks(), [](const llvm::BasicBlock* block) {
           return std::any_of(block->begin(), block->end(), is_barrier);
         });
}

}  // namespace

void plan_unrolling(llvm::PassBuilder& passes) {
  passes.registerLateLoopOptimizationsEPCallback(
      [](llvm::LoopPassManager& loops, llvm::OptimizationLevel) {
        loops.addPass(PlanStraightCode());
      });
  // Once local arrays are registers, a loop has its true size.
  passes.registerVectorizerStartEPCallback(
      [](llvm::FunctionPassManager& functions, llvm::OptimizationLevel) {
        functions.addPass(PlanRepeats());
      });
}

void limit_unrolling(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration())
      continue;
    const llvm::DominatorTree dominators(function);
    const llvm::LoopInfo loops(dominators);
    for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
      if (is_long(*loop))
        loop->setLoopAlreadyUnrolled();  // becomes .pragma "nounroll"
    }
  }
}

}  // namespace phalanx::codegen::nvptx
