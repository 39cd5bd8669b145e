// A mask of what a vote asks is a selection by the vote's predicate, and only there.
#include "phalanx/codegen/nvptx/masks_of_votes.h"

#include <gtest/gtest.h>

#include <string>

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>

namespace phalanx::codegen::nvptx {
namespace {

// The selections in a kernel with `body`, which has a vote %v of what %p asks; and what is left of
// sign extensions.
std::string selections_in(const std::string& body) {
  const std::string text =
      "declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)\n"
      "define i32 @k(i32 %x, i1 %given) {\n"
      "  %bit = and i32 %x, 4\n  %p = icmp eq i32 %bit, 0\n" +
      body + "  ret i32 %made\n}\n";
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  const auto module = llvm::parseAssemblyString(text, problem, context);
  if (module == nullptr)
    return problem.getMessage().str();
  select_by_votes(*module);
  if (llvm::verifyModule(*module, &llvm::errs()))
    return "broken";
  std::string found;
  for (llvm::Instruction& instruction : llvm::instructions(*module->getFunction("k"))) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (call != nullptr && call->isInlineAsm())
      found += llvm::cast<llvm::InlineAsm>(call->getCalledOperand())->getAsmString() + " ";
    if (llvm::isa<llvm::SExtInst>(instruction))
      found += "sext ";
  }
  return found;
}

const std::string vote = "  %v = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %p)\n";

TEST(MasksOfVotes, AreSelectedByWhatTheVoteAsks) {
  EXPECT_EQ(
      selections_in(vote + "  %m = sext i1 %p to i32\n  %made = xor i32 %v, %m\n"),
      "selp.b32 $0, -1, 0, $1; ");
  EXPECT_EQ(
      selections_in(
          vote + "  %n = xor i1 %p, true\n  %m = sext i1 %n to i32\n  %made = xor i32 %v, %m\n"),
      "selp.b32 $0, 0, -1, $1; ");
}

TEST(MasksOfVotes, OtherMasksStay) {
  const std::string other = "  %q = icmp sgt i32 %x, 7\n  %m = sext i1 %q to i32\n";
  EXPECT_EQ(selections_in(vote + other + "  %made = xor i32 %v, %m\n"), "sext ");
  EXPECT_EQ(selections_in("  %m = sext i1 %p to i32\n  %made = add i32 %m, %x\n"), "sext ");
  EXPECT_EQ(selections_in(vote + "  %w = sext i1 %p to i64\n  %made = add i32 %v, 1\n"), "sext ");
  EXPECT_EQ(
      selections_in("  %v = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %given)\n"
                    "  %m = sext i1 %given to i32\n  %made = xor i32 %v, %m\n"),
      "sext ");
}

}  // namespace
}  // namespace phalanx::codegen::nvptx
