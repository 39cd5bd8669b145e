// Every instruction that combines the values of lanes gets a use where it has none, and only there.
#include "phalanx/codegen/nvptx/keep_votes.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>

namespace phalanx::codegen::nvptx {
namespace {

struct Vote {
  std::string name;
  std::string result;
  std::string operand;  // the value, beside the mask
  bool mask_first = true;
};

const std::array votes = {
    Vote{"vote.all.sync", "i1", "i1"},
    Vote{"vote.any.sync", "i1", "i1"},
    Vote{"vote.uni.sync", "i1", "i1"},
    Vote{"vote.ballot.sync", "i32", "i1"},
    Vote{"match.any.sync.i32", "i32", "i32"},
    Vote{"match.any.sync.i64", "i32", "i64"},
    Vote{"match.all.sync.i32p", "{ i32, i1 }", "i32"},
    Vote{"match.all.sync.i64p", "{ i32, i1 }", "i64"},
    Vote{"redux.sync.add", "i32", "i32", false},
    Vote{"redux.sync.and", "i32", "i32", false},
    Vote{"redux.sync.or", "i32", "i32", false},
    Vote{"redux.sync.xor", "i32", "i32", false},
    Vote{"redux.sync.min", "i32", "i32", false},
    Vote{"redux.sync.max", "i32", "i32", false},
    Vote{"redux.sync.umin", "i32", "i32", false},
    Vote{"redux.sync.umax", "i32", "i32", false},
};

// How many uses keep_votes adds to a vote followed by `rest`.
unsigned uses_added(const Vote& vote, const std::string& rest) {
  const std::string name = "@llvm.nvvm." + vote.name;
  const auto in_order = [&](const std::string& mask, const std::string& value) {
    return vote.mask_first ? "(" + mask + ", " + value + ")" : "(" + value + ", " + mask + ")";
  };
  const std::string text = "declare " + vote.result + " " + name + in_order("i32", vote.operand) +
                           "\ndefine void @k(i32 %mask, " + vote.operand +
                           " %value, ptr %out) {\n  %v = call " + vote.result + " " + name +
                           in_order("i32 %mask", vote.operand + " %value") + "\n" + rest +
                           "  ret void\n}\n";
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  const auto module = llvm::parseAssemblyString(text, problem, context);
  if (module == nullptr) {
    ADD_FAILURE() << problem.getMessage().str() << "\n" << text;
    return 0;
  }
  keep_votes(*module);
  EXPECT_FALSE(llvm::verifyModule(*module, &llvm::errs()));
  unsigned found = 0;
  for (llvm::Instruction& instruction : llvm::instructions(*module->getFunction("k"))) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (call == nullptr || !call->isInlineAsm())
      continue;
    EXPECT_TRUE(call->isConvergent());
    EXPECT_TRUE(call->mayHaveSideEffects());
    ++found;
  }
  return found;
}

TEST(KeepVotes, uses_what_nobody_reads) {
  for (const Vote& vote : votes) EXPECT_EQ(uses_added(vote, ""), 1U) << vote.name;
}

TEST(KeepVotes, leaves_what_is_read) {
  for (const Vote& vote : votes) {
    const std::string rest = "  store " + vote.result + " %v, ptr %out\n";
    EXPECT_EQ(uses_added(vote, rest), 0U) << vote.name;
  }
}

}  // namespace
}  // namespace phalanx::codegen::nvptx
