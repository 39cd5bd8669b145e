// Joined addresses are the same numbers as before, for random sums of products.
#include "phalanx/codegen/nvptx/join_addresses.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>

namespace phalanx::codegen::nvptx {
namespace {

// Arrays, extents, and what differs from thread to thread: calls of an unknown function.
class RandomKernel {
 public:
  explicit RandomKernel(std::uint64_t seed) : random_(seed), builder_(context_) {
    llvm::Type* pointer = builder_.getPtrTy(1);
    llvm::Type* i64 = builder_.getInt64Ty();
    auto* type = llvm::FunctionType::get(builder_.getVoidTy(), {pointer, pointer, i64, i64}, false);
    function_ = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, "kernel", module_);
    builder_.SetInsertPoint(llvm::BasicBlock::Create(context_, "entry", function_));
    const auto unknown = module_.getOrInsertFunction("unknown", i64);
    for (int i = 0; i < 3; ++i) known_.push_back(builder_.CreateCall(unknown));
    known_.push_back(function_->getArg(2));
    known_.push_back(function_->getArg(3));
    for (int i = 0; i < 12; ++i) known_.push_back(number());
    for (int i = 0; i < 10; ++i) access();
    builder_.CreateRetVoid();
  }

  llvm::Function& function() { return *function_; }

 private:
  std::size_t below(std::size_t limit) { return random_() % limit; }
  llvm::Value* any() {
    return below(4) == 0 ? builder_.getInt64(below(9) - 4) : known_[below(known_.size())];
  }
  llvm::Value* number() {
    switch (below(4)) {
      case 0:
        return builder_.CreateAdd(any(), any());
      case 1:
        return builder_.CreateSub(any(), any());
      case 2:
        return builder_.CreateMul(any(), any());
      default:
        return builder_.CreateShl(any(), builder_.getInt64(below(5)));
    }
  }
  void access() {
    llvm::Value* pointer = function_->getArg(below(2));
    llvm::Type* const types[] = {
        builder_.getInt8Ty(),
        builder_.getFloatTy(),
        builder_.getDoubleTy(),
        llvm::ArrayType::get(builder_.getInt16Ty(), 3)};
    for (std::size_t i = below(3) + 1; i > 0; --i)
      pointer = builder_.CreateGEP(types[below(4)], pointer, any());
    if (below(3) == 0)
      builder_.CreateStore(builder_.getInt8(1), pointer);
    else
      builder_.CreateLoad(builder_.getInt8Ty(), pointer);
  }

  std::mt19937_64 random_;
  llvm::LLVMContext context_;
  llvm::Module module_{"kernels", context_};
  llvm::IRBuilder<> builder_;
  llvm::Function* function_ = nullptr;
  std::vector<llvm::Value*> known_;
};

// Numbers for the arguments and for what calls give.
class Evaluation {
 public:
  std::uint64_t operator()(llvm::Value* value) {
    if (auto* number = llvm::dyn_cast<llvm::ConstantInt>(value))
      return number->getZExtValue();
    if (auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(value)) {
      const std::uint64_t left = (*this)(operation->getOperand(0));
      const std::uint64_t right = (*this)(operation->getOperand(1));
      switch (operation->getOpcode()) {
        case llvm::Instruction::Add:
          return left + right;
        case llvm::Instruction::Sub:
          return left - right;
        case llvm::Instruction::Mul:
          return left * right;
        default:
          EXPECT_EQ(operation->getOpcode(), llvm::Instruction::Shl);
          return left << right;
      }
    }
    if (auto* step = llvm::dyn_cast<llvm::GEPOperator>(value)) {
      const llvm::DataLayout& layout =
          llvm::cast<llvm::Instruction>(value)->getModule()->getDataLayout();
      const std::uint64_t bytes = layout.getTypeAllocSize(step->getSourceElementType());
      return (*this)(step->getPointerOperand()) + bytes * (*this)(step->getOperand(1));
    }
    const auto [found, is_new] = numbers_.try_emplace(value, 0);
    if (is_new)
      found->second = random_();
    return found->second;
  }

  std::vector<std::uint64_t> addresses(llvm::Function& function) {
    std::vector<std::uint64_t> found;
    for (llvm::Instruction& each : llvm::instructions(function)) {
      if (llvm::Value* pointer = llvm::getLoadStorePointerOperand(&each))
        found.push_back((*this)(pointer));
    }
    return found;
  }

 private:
  std::mt19937_64 random_{1};
  std::map<llvm::Value*, std::uint64_t> numbers_;
};

TEST(JoinAddresses, KeepsTheNumbers) {
  int changed = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    RandomKernel kernel(seed);
    Evaluation evaluation;
    const auto before = evaluation.addresses(kernel.function());
    llvm::FunctionAnalysisManager analyses;
    llvm::PassBuilder().registerFunctionAnalyses(analyses);
    changed += JoinAddresses().run(kernel.function(), analyses).areAllPreserved() ? 0 : 1;
    ASSERT_FALSE(llvm::verifyFunction(kernel.function(), &llvm::errs()));
    ASSERT_EQ(evaluation.addresses(kernel.function()), before);
  }
  EXPECT_GT(changed, 100);
}

}  // namespace
}  // namespace phalanx::codegen::nvptx
