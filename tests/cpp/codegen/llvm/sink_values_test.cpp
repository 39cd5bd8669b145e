// Values move to where they are used before LLVM looks at them, in functions of many branches.
#include "phalanx/codegen/llvm/sink_values.h"

#include <gtest/gtest.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>

#include "phalanx/codegen/llvm/analyses.h"

namespace phalanx::codegen {
namespace {

// One function of an integer: checks, each a branch to the end, and after each a sum that goes on.
class SinkValuesTest : public ::testing::Test {
 protected:
  void make(unsigned checks) {
    llvm::Type* type = builder_.getInt64Ty();
    function_ = llvm::Function::Create(
        llvm::FunctionType::get(type, {type}, false),
        llvm::Function::ExternalLinkage,
        "f",
        module_);
    end_ = llvm::BasicBlock::Create(context_, "end", function_);
    builder_.SetInsertPoint(llvm::BasicBlock::Create(context_, "entry", function_, end_));
    llvm::Value* given = function_->getArg(0);
    llvm::Value* sum = given;
    for (unsigned i = 0; i < checks; ++i) {
      llvm::BasicBlock* next = llvm::BasicBlock::Create(context_, "next", function_, end_);
      sum = builder_.CreateAdd(builder_.CreateMul(sum, sum), given, "sum");
      builder_.CreateCondBr(builder_.CreateICmpEQ(given, builder_.getInt64(i + 1)), end_, next);
      builder_.SetInsertPoint(next);
    }
    last_ = builder_.GetInsertBlock();
    builder_.CreateRet(sum);
    builder_.SetInsertPoint(end_);
    builder_.CreateRet(builder_.getInt64(0));
  }

  void run() {
    llvm::PassBuilder passes;
    Analyses analyses;
    analyses.fill(passes);
    llvm::FunctionPassManager pipeline;
    pipeline.addPass(SinkValues());
    pipeline.run(*function_, analyses.functions);
    EXPECT_FALSE(llvm::verifyFunction(*function_, &llvm::errs()));
  }

  llvm::LLVMContext context_;
  llvm::Module module_{"test", context_};
  llvm::IRBuilder<> builder_{context_};
  llvm::Function* function_ = nullptr;
  llvm::BasicBlock* end_ = nullptr;
  llvm::BasicBlock* last_ = nullptr;
};

TEST_F(SinkValuesTest, a_sum_over_many_checks_is_computed_after_the_last) {
  make(100);
  run();
  EXPECT_EQ(last_->size(), 2 * 100 + 1);  // products, sums and the return
  EXPECT_EQ(function_->getEntryBlock().size(), 2);
}

TEST_F(SinkValuesTest, functions_of_few_branches_are_left_to_llvm) {
  make(10);
  run();
  EXPECT_EQ(last_->size(), 1);
}

TEST_F(SinkValuesTest, a_value_of_two_blocks_stays) {
  make(100);
  llvm::Instruction& sum = *std::next(function_->getEntryBlock().begin());
  end_->getTerminator()->eraseFromParent();
  builder_.SetInsertPoint(end_);
  auto* phi = builder_.CreatePHI(builder_.getInt64Ty(), 100);
  for (llvm::BasicBlock* before : llvm::predecessors(end_)) phi->addIncoming(&sum, before);
  builder_.CreateRet(phi);
  run();
  EXPECT_EQ(sum.getParent(), &function_->getEntryBlock());
}

TEST_F(SinkValuesTest, what_reads_memory_stays) {
  make(100);
  builder_.SetInsertPoint(function_->getEntryBlock().getTerminator());
  llvm::Value* memory = builder_.CreateIntToPtr(function_->getArg(0), builder_.getPtrTy());
  llvm::Instruction* load = builder_.CreateLoad(builder_.getInt64Ty(), memory);
  auto* result = llvm::cast<llvm::ReturnInst>(last_->getTerminator());
  builder_.SetInsertPoint(result);
  result->setOperand(0, builder_.CreateAdd(load, result->getReturnValue()));
  run();
  EXPECT_EQ(load->getParent(), &function_->getEntryBlock());
}

TEST_F(SinkValuesTest, nothing_moves_into_a_loop) {
  make(100);
  llvm::BasicBlock* loop = llvm::BasicBlock::Create(context_, "loop", function_, end_);
  auto* result = llvm::cast<llvm::ReturnInst>(last_->getTerminator());
  llvm::Value* sum = result->getReturnValue();
  result->eraseFromParent();
  builder_.SetInsertPoint(last_);
  builder_.CreateBr(loop);
  builder_.SetInsertPoint(loop);
  llvm::Value* again = builder_.CreateICmpSLT(sum, builder_.CreateFreeze(builder_.getInt64(7)));
  builder_.CreateCondBr(again, loop, end_);
  run();
  EXPECT_NE(llvm::cast<llvm::Instruction>(sum)->getParent(), loop);
}

}  // namespace
}  // namespace phalanx::codegen
