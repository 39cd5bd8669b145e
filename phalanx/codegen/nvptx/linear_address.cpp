#include "phalanx/codegen/nvptx/linear_address.h"

#include <algorithm>
#include <utility>

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

namespace phalanx::codegen::nvptx {
namespace {

constexpr unsigned wide = 64;
constexpr std::size_t most_terms = 8;
constexpr unsigned deepest = 6;

std::optional<Sum> product_of(const Sum& left, const Sum& right) {
  if (left.size() * right.size() > most_terms)
    return std::nullopt;
  Sum result;
  for (const auto& [product, count] : left) {
    for (const auto& [other, more] : right) {
      Product joined = product;
      joined.insert(joined.end(), other.begin(), other.end());
      std::ranges::sort(joined);
      add_to(result, {{std::move(joined), count * more}});
    }
  }
  return result;
}

}  // namespace

void add_to(Sum& sum, const Sum& more, std::uint64_t factor) {
  for (const auto& [product, count] : more) {
    if ((sum[product] += factor * count) == 0)
      sum.erase(product);
  }
}

Sum Addresses::leaf(llvm::Value* value) {
  const auto [found, is_new] = numbers_.try_emplace(value, values_.size());
  if (is_new)
    values_.push_back(value);
  return {{{found->second}, 1}};
}

bool Addresses::is_uniform(const Product& product) const {
  return std::ranges::all_of(
      product, [this](unsigned number) { return llvm::isa<llvm::Argument>(values_[number]); });
}

bool Addresses::is_uniform(const Sum& sum) const {
  return std::ranges::all_of(sum, [this](const auto& term) { return is_uniform(term.first); });
}

// Sums and multiples of what differs from thread to thread are not taken apart: others have them,
// too, the position of the thread in the grid first of all.
Sum Addresses::sum_of(llvm::Value* value, unsigned depth) {
  if (auto* number = llvm::dyn_cast<llvm::ConstantInt>(value))
    return number->isZero() ? Sum{} : Sum{{{}, number->getZExtValue()}};
  auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(value);
  if (operation == nullptr || depth == deepest)
    return leaf(value);
  const auto operand = [&](unsigned i) { return sum_of(operation->getOperand(i), depth + 1); };
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(operation->getOperand(1));
  switch (operation->getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub: {
      Sum left = operand(0);
      const Sum right = operand(1);
      if (!is_uniform(left) && !is_uniform(right))
        return leaf(value);
      add_to(left, right, operation->getOpcode() == llvm::Instruction::Sub ? -1 : 1);
      return left;
    }
    case llvm::Instruction::Mul: {
      const Sum left = operand(0);
      if (number != nullptr && !is_uniform(left))
        return leaf(value);
      if (auto product = product_of(left, operand(1)))
        return *std::move(product);
      return leaf(value);
    }
    case llvm::Instruction::Shl: {
      const Sum left = operand(0);
      if (number == nullptr || number->getValue().uge(wide) || !is_uniform(left))
        return leaf(value);
      Sum result;
      add_to(result, left, std::uint64_t{1} << number->getZExtValue());
      return result;
    }
    default:
      return leaf(value);
  }
}

std::optional<Address> Addresses::split(llvm::Value* pointer) {
  Address address;
  while (auto* step = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
    llvm::MapVector<llvm::Value*, llvm::APInt> indices;
    llvm::APInt constant(wide, 0);
    if (!step->collectOffset(layout_, wide, indices, constant))
      return std::nullopt;
    add_to(address.uniform, {{{}, constant.getZExtValue()}});
    for (const auto& [index, bytes] : indices) {
      if (!index->getType()->isIntegerTy(wide))
        return std::nullopt;
      for (const auto& [product, count] : sum_of(index))
        add_to(
            is_uniform(product) ? address.uniform : address.varying,
            {{product, count * bytes.getZExtValue()}});
    }
    pointer = step->getPointerOperand();
  }
  address.base = pointer;
  return address;
}

// Products first: one of them and the number that is added to it are one instruction.
llvm::Value* Addresses::make(llvm::IRBuilderBase& builder, const Sum& sum) const {
  std::vector<std::pair<Product, std::uint64_t>> terms(sum.begin(), sum.end());
  std::ranges::stable_sort(
      terms, [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
  llvm::Value* total = nullptr;
  for (const auto& [product, count] : terms) {
    if (product.empty())
      continue;
    llvm::Value* term = values_[product.front()];
    for (const unsigned number : llvm::drop_begin(product))
      term = builder.CreateMul(term, values_[number]);
    const bool is_negative = static_cast<std::int64_t>(count) < 0;
    const std::uint64_t factor = is_negative ? -count : count;
    if (factor != 1)
      term = builder.CreateMul(term, builder.getInt64(factor));
    if (total == nullptr)
      total = is_negative ? builder.CreateNeg(term) : term;
    else
      total = is_negative ? builder.CreateSub(total, term) : builder.CreateAdd(total, term);
  }
  return total;
}

}  // namespace phalanx::codegen::nvptx
