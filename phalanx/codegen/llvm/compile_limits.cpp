#include "phalanx/codegen/llvm/compile_limits.h"

#include <algorithm>
#include <array>
#include <vector>

#include <llvm/ADT/StringMap.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/ErrorHandling.h>

namespace phalanx::codegen {

namespace {

// bench/compile_growth.py measures what these tables are for.
struct Setting {
  const char* name;
  const char* value;
};
constexpr std::array settings = {
    // Operations on memory in a region to schedule before their order is kept: 1000 in LLVM, where
    // 400 stores take 0.4 s, 800 eight times that.
    Setting{"dag-maps-huge-region", "250"},
    // Edges looked at to split one live range around a region: 10000 in LLVM.
    Setting{"grow-region-complexity-budget", "1000"},
};

// A pass that is left out in functions with more instructions, or longer blocks.
struct SlowPass {
  llvm::StringRef name;
  std::size_t instructions;
  std::size_t block;
};
constexpr std::size_t any_size = ~std::size_t{0};
constexpr std::array slow_optimizations = {
    // Quadratic in a block's length: 7 s of 14 for a block of 3,000 lines.
    SlowPass{"SLPVectorizerPass", any_size, 1000},
    // Quadratic in the number of loops, where each is changed.
    SlowPass{"LoopUnrollPass", 20000, any_size},
};
// Moves logic of masks to mask registers. Quadratic: half the time of 400 divisions in 32 lanes.
constexpr llvm::StringRef mask_pass = "X86 Domain Reassignment Pass";
constexpr std::size_t most_for_masks = 5000;  // instructions

constexpr std::size_t long_block = 1500;  // instructions; longer ones are cut
constexpr std::size_t chunk = 500;

std::size_t longest_block(const llvm::Function& function) {
  std::size_t longest = 0;
  for (const llvm::BasicBlock& block : function) longest = std::max(longest, block.size());
  return longest;
}

bool is_worth(const SlowPass& pass, const llvm::Function& function) {
  return (pass.instructions == any_size || function.getInstructionCount() <= pass.instructions) &&
         (pass.block == any_size || longest_block(function) <= pass.block);
}

// The first instructions of the chunks but the first, which has what must be at a function's start.
std::vector<llvm::Instruction*> split_points(llvm::BasicBlock& block) {
  std::vector<llvm::Instruction*> points;
  std::size_t since = 0;
  for (llvm::Instruction& instruction : block) {
    if (llvm::isa<llvm::PHINode, llvm::AllocaInst>(instruction)) {
      points.clear();
      since = 0;
    } else if (++since > chunk) {
      points.push_back(&instruction);
      since = 0;
    }
  }
  return points;
}

// LLVM would join the chunks again, were their addresses not taken. The last is cut off first: what
// follows a cut is moved.
void cut_long_blocks(llvm::Function& function) {
  std::vector<llvm::BasicBlock*> blocks;
  for (llvm::BasicBlock& block : function) {
    if (block.size() > long_block)
      blocks.push_back(&block);
  }
  for (llvm::BasicBlock* block : blocks) {
    const std::vector<llvm::Instruction*> points = split_points(*block);
    for (auto point = points.rbegin(); point != points.rend(); ++point)
      llvm::BlockAddress::get(block->splitBasicBlock(*point, "chunk"));
  }
}

}  // namespace

void bound_llvm() {
  llvm::StringMap<llvm::cl::Option*>& known = llvm::cl::getRegisteredOptions();
  for (const Setting& setting : settings) {
    const auto found = known.find(setting.name);
    if (found == known.end() || found->second->addOccurrence(0, setting.name, setting.value))
      llvm::report_fatal_error("LLVM does not have the setting that we use");
  }
}

void bound_optimization(llvm::PassInstrumentationCallbacks& callbacks) {
  callbacks.registerShouldRunOptionalPassCallback([](llvm::StringRef name, llvm::Any unit) {
    const auto* function = llvm::any_cast<const llvm::Function*>(&unit);
    const auto* const row = std::find_if(
        slow_optimizations.begin(), slow_optimizations.end(), [&](const SlowPass& pass) {
          return pass.name == name;
        });
    return function == nullptr || row == slow_optimizations.end() || is_worth(*row, **function);
  });
}

BoundedEmission::BoundedEmission(llvm::Module& module) : context_(module.getContext()) {
  for (llvm::Function& function : module) {
    is_large_ |= function.getInstructionCount() > most_for_masks;
    cut_long_blocks(function);
  }
  context_.setOptPassGate(*this);
}

BoundedEmission::~BoundedEmission() { context_.setOptPassGate(llvm::getGlobalPassGate()); }

bool BoundedEmission::shouldRunPass(llvm::StringRef name, llvm::StringRef /*description*/) {
  return name != mask_pass;
}

}  // namespace phalanx::codegen
