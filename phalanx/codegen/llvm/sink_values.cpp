#include "phalanx/codegen/llvm/sink_values.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>

namespace phalanx::codegen {

namespace {

constexpr std::size_t few_blocks = 64;

bool can_move(const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::PHINode, llvm::AllocaInst>(instruction) || instruction.isTerminator() ||
      instruction.isEHPad() || instruction.mayReadOrWriteMemory() ||
      instruction.mayHaveSideEffects())
    return false;
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call == nullptr || !call->isConvergent();
}

llvm::BasicBlock* block_of(const llvm::Use& use) {
  auto* user = llvm::cast<llvm::Instruction>(use.getUser());
  auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
  return phi == nullptr ? user->getParent() : phi->getIncomingBlock(use);
}

// The one block with all uses, if it is another than the value's own.
llvm::BasicBlock* user_block(const llvm::Instruction& instruction) {
  if (instruction.use_empty())
    return nullptr;
  llvm::BasicBlock* block = block_of(*instruction.use_begin());
  const bool is_one = block != instruction.getParent() &&
                      llvm::all_of(instruction.uses(), [&](const llvm::Use& use) {
                        return block_of(use) == block;
                      });
  return is_one ? block : nullptr;
}

// For each block the level, in the tree of dominators, of the first one from which each block on
// the way to it has a single predecessor: no path joins on the way, and none is repeated.
llvm::DenseMap<const llvm::BasicBlock*, unsigned> first_levels(
    llvm::Function& function, const llvm::DominatorTree& dominators) {
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> levels;
  for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function)) {
    const llvm::BasicBlock* before = block->getUniquePredecessor();
    const auto found = before == nullptr ? levels.end() : levels.find(before);
    levels[block] = found == levels.end() ? dominators.getNode(block)->getLevel() : found->second;
  }
  return levels;
}

}  // namespace

llvm::PreservedAnalyses SinkValues::run(
    llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  if (function.size() <= few_blocks)
    return llvm::PreservedAnalyses::all();
  const auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  const auto levels = first_levels(function, dominators);
  // Users come before what they use, so that each value moves once.
  for (llvm::BasicBlock* block : llvm::post_order(&function)) {
    const unsigned level = dominators.getNode(block)->getLevel();
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::reverse(*block))) {
      if (!can_move(instruction))
        continue;
      llvm::BasicBlock* target = user_block(instruction);
      if (target == nullptr || !levels.contains(target))
        continue;
      if (dominators.dominates(block, target) && levels.lookup(target) <= level)
        instruction.moveBefore(*target, target->getFirstInsertionPt());
    }
  }
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

void sink_values_first(llvm::PassBuilder& passes) {
  passes.registerPipelineEarlySimplificationEPCallback(
      [](llvm::ModulePassManager& modules, llvm::OptimizationLevel) {
        modules.addPass(llvm::createModuleToFunctionPassAdaptor(SinkValues()));
      });
}

}  // namespace phalanx::codegen
