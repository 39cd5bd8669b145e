#include "phalanx/codegen/nvptx/narrow_integers.h"

#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

namespace phalanx::codegen::nvptx {
namespace {

constexpr unsigned wide = 64;
constexpr unsigned narrow = 32;

class Narrower {
 public:
  Narrower(llvm::Function& function, llvm::FunctionAnalysisManager& analyses)
      : function_(function),
        layout_(function.getParent()->getDataLayout()),
        evolution_(analyses.getResult<llvm::ScalarEvolutionAnalysis>(function)),
        assumptions_(analyses.getResult<llvm::AssumptionAnalysis>(function)),
        dominators_(analyses.getResult<llvm::DominatorTreeAnalysis>(function)) {}

  bool run();

 private:
  bool fits(llvm::Value* value);
  bool is_natural(llvm::Value* value);
  bool is_narrow_shift(llvm::Value* amount);
  bool operands_fit(llvm::Instruction& instruction);
  bool can_narrow(llvm::Instruction& instruction);
  bool can_narrow_cast(llvm::CastInst& cast);
  void find();
  llvm::Value* narrowed(llvm::Value* value);
  llvm::Value* make(llvm::Instruction& instruction);
  void replace(llvm::Instruction& instruction);

  llvm::Function& function_;
  const llvm::DataLayout& layout_;
  llvm::ScalarEvolution& evolution_;
  llvm::AssumptionCache& assumptions_;
  llvm::DominatorTree& dominators_;
  llvm::DenseMap<llvm::Value*, bool> fits_;
  llvm::DenseMap<llvm::Value*, bool> is_natural_;
  llvm::DenseMap<llvm::Value*, llvm::Value*> narrowed_;
  std::vector<llvm::Instruction*> found_;  // to be computed in 32 bits, definitions before uses
};

// What 64 bits make slow. Sums alone are not: those that become addresses are folded into them.
bool gains(const llvm::Instruction& instruction) {
  switch (instruction.getOpcode()) {
    case llvm::Instruction::ICmp:
    case llvm::Instruction::Mul:
    case llvm::Instruction::SDiv:
    case llvm::Instruction::SRem:
    case llvm::Instruction::UDiv:
    case llvm::Instruction::URem:
    case llvm::Instruction::SIToFP:
    case llvm::Instruction::UIToFP:
    case llvm::Instruction::Trunc:
      return true;
    default:
      return false;
  }
}

// As a signed number of 32 bits.
bool Narrower::fits(llvm::Value* value) {
  const auto [found, is_new] = fits_.try_emplace(value, false);
  if (!is_new)
    return found->second;
  const bool result =
      llvm::ComputeNumSignBits(value, layout_, 0, &assumptions_, nullptr, &dominators_) >
          wide - narrow ||
      evolution_.getSignedRange(evolution_.getSCEV(value)).getMinSignedBits() <= narrow;
  return fits_[value] = result;
}

bool Narrower::is_natural(llvm::Value* value) {
  const auto [found, is_new] = is_natural_.try_emplace(value, false);
  if (!is_new)
    return found->second;
  return is_natural_[value] = evolution_.isKnownNonNegative(evolution_.getSCEV(value));
}

// True if 32 bits can be shifted by the amount too.
bool Narrower::is_narrow_shift(llvm::Value* amount) {
  return evolution_.getUnsignedRange(evolution_.getSCEV(amount)).getUnsignedMax().ult(narrow);
}

bool Narrower::operands_fit(llvm::Instruction& instruction) {
  return llvm::all_of(instruction.operands(), [&](llvm::Value* operand) { return fits(operand); });
}

bool Narrower::can_narrow_cast(llvm::CastInst& cast) {
  if (!cast.getSrcTy()->isIntegerTy(wide) || !fits(cast.getOperand(0)))
    return false;
  return cast.getOpcode() == llvm::Instruction::SIToFP ||
         (cast.getOpcode() == llvm::Instruction::Trunc &&
          cast.getDestTy()->getIntegerBitWidth() <= narrow) ||
         (cast.getOpcode() == llvm::Instruction::UIToFP && is_natural(cast.getOperand(0)));
}

// The low half of a sum depends on the low halves of its operands only; where all of them fit, it
// does not overflow either. Operations that look at high bits need operands that fit.
bool Narrower::can_narrow(llvm::Instruction& instruction) {
  if (auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&instruction))
    return comparison->getOperand(0)->getType()->isIntegerTy(wide) && operands_fit(instruction);
  if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction))
    return can_narrow_cast(*cast);
  if (!instruction.getType()->isIntegerTy(wide) || !fits(&instruction))
    return false;
  switch (instruction.getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Mul:
    case llvm::Instruction::And:
    case llvm::Instruction::Or:
    case llvm::Instruction::Xor:
    case llvm::Instruction::PHI:
    case llvm::Instruction::SDiv:
      return operands_fit(instruction);
    case llvm::Instruction::SRem:  // the least number by -1 overflows, though the remainder fits
      return operands_fit(instruction) &&
             (is_natural(instruction.getOperand(0)) || is_natural(instruction.getOperand(1)));
    case llvm::Instruction::AShr:
    case llvm::Instruction::Shl:
      return operands_fit(instruction) && is_narrow_shift(instruction.getOperand(1));
    case llvm::Instruction::LShr:
      return operands_fit(instruction) && is_natural(instruction.getOperand(0)) &&
             is_narrow_shift(instruction.getOperand(1));
    case llvm::Instruction::UDiv:
    case llvm::Instruction::URem:
      return operands_fit(instruction) && is_natural(instruction.getOperand(0)) &&
             is_natural(instruction.getOperand(1));
    case llvm::Instruction::Select:
      return fits(instruction.getOperand(1)) && fits(instruction.getOperand(2));
    default:
      return false;
  }
}

// The low half of a value that fits, made once, where the value is made.
llvm::Value* Narrower::narrowed(llvm::Value* value) {
  if (const auto found = narrowed_.find(value); found != narrowed_.end())
    return found->second;
  llvm::Type* type = llvm::Type::getIntNTy(function_.getContext(), narrow);
  if (auto* number = llvm::dyn_cast<llvm::ConstantInt>(value))
    return llvm::ConstantInt::get(type, number->getValue().trunc(narrow));
  if (auto* undefined = llvm::dyn_cast<llvm::UndefValue>(value))
    return llvm::isa<llvm::PoisonValue>(undefined) ? llvm::PoisonValue::get(type)
                                                   : llvm::UndefValue::get(type);
  if (auto* cast = llvm::dyn_cast<llvm::CastInst>(value);
      cast != nullptr && llvm::isa<llvm::SExtInst, llvm::ZExtInst>(cast) &&
      cast->getSrcTy() == type)
    return narrowed_[value] = cast->getOperand(0);
  llvm::IRBuilder<> builder(function_.getContext());
  auto* made = llvm::dyn_cast<llvm::Instruction>(value);
  if (made != nullptr)
    builder.SetInsertPoint(*made->getInsertionPointAfterDef());
  else
    builder.SetInsertPoint(&*function_.getEntryBlock().getFirstInsertionPt());
  return narrowed_[value] = builder.CreateTrunc(value, type);
}

llvm::Value* Narrower::make(llvm::Instruction& instruction) {
  llvm::IRBuilder<> builder(&instruction);
  if (auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&instruction))
    return builder.CreateICmp(
        comparison->getPredicate(),
        narrowed(comparison->getOperand(0)),
        narrowed(comparison->getOperand(1)));
  if (llvm::isa<llvm::SelectInst>(instruction))
    return builder.CreateSelect(
        instruction.getOperand(0),
        narrowed(instruction.getOperand(1)),
        narrowed(instruction.getOperand(2)));
  if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) {
    llvm::Value* number = narrowed(cast->getOperand(0));
    return cast->getType()->isIntegerTy() ? builder.CreateTrunc(number, cast->getType())
                                          : builder.CreateSIToFP(number, cast->getType());
  }
  auto* operation = llvm::cast<llvm::BinaryOperator>(&instruction);
  llvm::Value* made = builder.CreateBinOp(
      operation->getOpcode(),
      narrowed(operation->getOperand(0)),
      narrowed(operation->getOperand(1)));
  if (auto* kept = llvm::dyn_cast<llvm::Instruction>(made)) {
    kept->copyIRFlags(operation);  // a sum whose operands fit does not overflow 32 bits either
    if (llvm::isa<llvm::OverflowingBinaryOperator>(kept)) {
      kept->setHasNoSignedWrap();
      kept->setHasNoUnsignedWrap(operation->hasNoUnsignedWrap() && is_natural(operation));
    }
  }
  return made;
}

// Whoever needs all 64 bits gets them from the 32.
void Narrower::replace(llvm::Instruction& instruction) {
  llvm::Value* made = narrowed_.lookup(&instruction);
  if (instruction.getType() == made->getType()) {  // a comparison, or a conversion
    instruction.replaceAllUsesWith(made);
    return;
  }
  llvm::IRBuilder<> builder(function_.getContext());
  builder.SetInsertPoint(*instruction.getInsertionPointAfterDef());
  instruction.replaceAllUsesWith(
      is_natural(&instruction) ? builder.CreateZExt(made, instruction.getType())
                               : builder.CreateSExt(made, instruction.getType()));
}

// All that can be narrowed and that something which gains is made of.
void Narrower::find() {
  llvm::SetVector<llvm::Instruction*> wanted;
  const auto want = [&](llvm::Value* value) {
    auto* made = llvm::dyn_cast<llvm::Instruction>(value);
    if (made != nullptr && can_narrow(*made))
      wanted.insert(made);
  };
  for (llvm::Instruction& instruction : llvm::instructions(function_)) {
    if (gains(instruction))
      want(&instruction);
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    for (llvm::Value* operand : wanted[i]->operands()) want(operand);
  }
  for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function_)) {
    for (llvm::Instruction& instruction : *block) {
      if (wanted.contains(&instruction))
        found_.push_back(&instruction);
    }
  }
}

bool Narrower::run() {
  find();
  llvm::Type* type = llvm::Type::getIntNTy(function_.getContext(), narrow);
  for (llvm::Instruction* each : found_) {
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(each))
      narrowed_[phi] =
          llvm::PHINode::Create(type, phi->getNumIncomingValues(), "", phi->getIterator());
  }
  for (llvm::Instruction* each : found_) {
    if (!llvm::isa<llvm::PHINode>(each))
      narrowed_[each] = make(*each);
  }
  for (llvm::Instruction* each : found_) {
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(each)) {
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        llvm::cast<llvm::PHINode>(narrowed_[phi])
            ->addIncoming(narrowed(phi->getIncomingValue(i)), phi->getIncomingBlock(i));
    }
  }
  for (llvm::Instruction* each : found_) is_natural(each);  // computed before the first one changes
  for (llvm::Instruction* each : found_) replace(*each);
  for (llvm::Instruction* each : llvm::reverse(found_)) {
    each->replaceAllUsesWith(llvm::PoisonValue::get(each->getType()));
    each->eraseFromParent();
  }
  return !found_.empty();
}

}  // namespace

llvm::PreservedAnalyses NarrowIntegers::run(
    llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  if (!Narrower(function, analyses).run())
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

}  // namespace phalanx::codegen::nvptx
