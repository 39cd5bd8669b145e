#include "phalanx/codegen/nvptx/join_addresses.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>
#include <vector>

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "phalanx/codegen/nvptx/linear_address.h"

namespace phalanx::codegen::nvptx {
namespace {

constexpr unsigned global_space = 1;
constexpr unsigned largest_scale = 16;  // of the types of arrays

// Loads and stores of a block whose addresses differ by what is uniform, in its order.
struct Group {
  std::vector<llvm::Instruction*> users;
  std::vector<Sum> offsets;
};

class Joiner {
 public:
  explicit Joiner(llvm::Function& function)
      : addresses_(function.getParent()->getDataLayout()), builder_(function.getContext()) {}

  bool run(llvm::BasicBlock& block);

 private:
  void rewrite(llvm::Value* base, const Sum& varying, const Group& group);

  Addresses addresses_;
  llvm::IRBuilder<> builder_;
};

// The terms, less the constant, that all of them have.
Sum common_terms(const std::vector<Sum>& sums) {
  Sum common = sums.front();
  common.erase(Product{});
  for (const Sum& sum : sums)
    std::erase_if(common, [&](const auto& term) {
      const auto found = sum.find(term.first);
      return found == sum.end() || found->second != term.second;
    });
  return common;
}

// The bytes of an element, in which the sum can be counted.
unsigned scale_of(const Sum& sum) {
  unsigned bits = std::countr_zero(largest_scale);
  for (const auto& [product, count] : sum) bits = std::min<unsigned>(bits, std::countr_zero(count));
  return 1U << bits;
}

Sum divided(const Sum& sum, unsigned scale) {
  Sum result;
  for (const auto& [product, count] : sum)
    result[product] =
        static_cast<std::uint64_t>(static_cast<std::int64_t>(count) / std::int64_t{scale});
  return result;
}

void Joiner::rewrite(llvm::Value* base, const Sum& varying, const Group& group) {
  const Sum common = common_terms(group.offsets);
  Sum joined = varying;
  add_to(joined, common);
  const unsigned scale = scale_of(joined);
  builder_.SetInsertPoint(group.users.front());
  llvm::Value* first = builder_.CreateGEP(
      llvm::ArrayType::get(builder_.getInt8Ty(), scale),
      base,
      addresses_.make(builder_, divided(joined, scale)));
  for (std::size_t i = 0; i < group.users.size(); ++i) {
    llvm::Instruction* user = group.users[i];
    Sum step = group.offsets[i];
    add_to(step, common, -1);
    builder_.SetInsertPoint(user);
    llvm::Value* pointer = first;
    if (llvm::Value* uniform = addresses_.make(builder_, step))
      pointer = builder_.CreatePtrAdd(pointer, uniform);
    if (const auto constant = step.find({}); constant != step.end())
      pointer = builder_.CreatePtrAdd(pointer, builder_.getInt64(constant->second));
    user->setOperand(llvm::isa<llvm::LoadInst>(user) ? 0 : 1, pointer);
  }
}

bool Joiner::run(llvm::BasicBlock& block) {
  llvm::MapVector<llvm::Value*, std::map<Sum, Group>> groups;
  for (llvm::Instruction& instruction : block) {
    llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (pointer == nullptr || pointer->getType()->getPointerAddressSpace() != global_space)
      continue;
    auto address = addresses_.split(pointer);
    if (!address || address->varying.empty())
      continue;
    Group& group = groups[address->base][address->varying];
    group.users.push_back(&instruction);
    group.offsets.push_back(std::move(address->uniform));
  }
  bool is_changed = false;
  for (const auto& [base, of_base] : groups) {
    for (const auto& [varying, group] : of_base) {
      const bool has_steps = std::ranges::any_of(
          group.offsets, [](const Sum& offset) { return offset.size() > offset.count(Product{}); });
      if (varying.size() == 1 && !has_steps)
        continue;  // an element of a row, and constants that loads and stores have room for
      rewrite(base, varying, group);
      is_changed = true;
    }
  }
  return is_changed;
}

}  // namespace

llvm::PreservedAnalyses JoinAddresses::run(
    llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const llvm::LoopInfo& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  Joiner joiner(function);
  bool is_changed = false;
  for (llvm::BasicBlock& block : function) {
    if (loops.getLoopFor(&block) == nullptr)
      is_changed |= joiner.run(block);
  }
  if (!is_changed)
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

}  // namespace phalanx::codegen::nvptx
