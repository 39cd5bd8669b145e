#include "phalanx/codegen/cpu/lane_addresses.h"

#include <algorithm>

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Operator.h>

namespace phalanx::codegen::cpu {

namespace {

constexpr unsigned deepest = 16;

// The constant that all lanes, or the scalar, have.
std::optional<std::int64_t> constant_of(llvm::Value* value) {
  if (auto* vector = llvm::dyn_cast<llvm::Constant>(value);
      vector != nullptr && vector->getType()->isVectorTy())
    value = vector->getSplatValue();
  const auto* number = llvm::dyn_cast_or_null<llvm::ConstantInt>(value);
  return number == nullptr ? std::nullopt : std::optional(number->getSExtValue());
}

// Modulo 2^64, as addresses are.
std::int64_t product(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

std::int64_t sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

class Reader {
 public:
  Reader(LaneAddresses& result, const llvm::DataLayout& layout)
      : result_(result), layout_(layout) {}

  bool read_pointer(llvm::Value* pointer, unsigned depth = 0) {
    if (pointer->getType()->isVectorTy()) {
      if (llvm::Value* scalar = llvm::getSplatValue(pointer))
        pointer = scalar;
    }
    auto* element = llvm::dyn_cast<llvm::GEPOperator>(pointer);
    if (element == nullptr || depth == deepest) {
      result_.base = pointer;
      return !pointer->getType()->isVectorTy();
    }
    for (auto index = llvm::gep_type_begin(*element); index != llvm::gep_type_end(*element);
         ++index) {
      if (index.isStruct())
        return false;
      const auto bytes = static_cast<std::int64_t>(index.getSequentialElementStride(layout_));
      if (!read_integer(index.getOperand(), bytes, depth + 1))
        return false;
    }
    return read_pointer(element->getPointerOperand(), depth + 1);
  }

 private:
  // Adds `factor` times the value.
  bool read_integer(llvm::Value* value, std::int64_t factor, unsigned depth) {
    if (!value->getType()->getScalarType()->isIntegerTy(64))
      return false;
    if (const auto constant = constant_of(value)) {
      for (std::int64_t& each : result_.bytes) each = sum(each, product(factor, *constant));
      return true;
    }
    if (auto* constants = llvm::dyn_cast<llvm::Constant>(value);
        constants != nullptr && value->getType()->isVectorTy())
      return read_constants(*constants, factor);
    if (value->getType()->isVectorTy()) {
      if (llvm::Value* scalar = llvm::getSplatValue(value))
        value = scalar;
    }
    if (depth < deepest && read_operation(value, factor, depth))
      return true;
    if (value->getType()->isVectorTy())
      return false;
    add_factor(value, factor);
    return true;
  }

  bool read_constants(llvm::Constant& constants, std::int64_t factor) {
    for (unsigned lane = 0; lane < result_.bytes.size(); ++lane) {
      const auto* number =
          llvm::dyn_cast_or_null<llvm::ConstantInt>(constants.getAggregateElement(lane));
      if (number == nullptr)
        return false;
      result_.bytes[lane] = sum(result_.bytes[lane], product(factor, number->getSExtValue()));
    }
    return true;
  }

  // What was read before is taken back where an operand cannot be.
  bool read_operation(llvm::Value* value, std::int64_t factor, unsigned depth) {
    auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(value);
    if (operation == nullptr)
      return false;
    llvm::Value* left = operation->getOperand(0);
    llvm::Value* right = operation->getOperand(1);
    const LaneAddresses before = result_;
    bool is_read = false;
    switch (operation->getOpcode()) {
      case llvm::Instruction::Or:
        if (!llvm::cast<llvm::PossiblyDisjointInst>(operation)->isDisjoint())
          return false;
        [[fallthrough]];
      case llvm::Instruction::Add:
        is_read = read_integer(left, factor, depth + 1) && read_integer(right, factor, depth + 1);
        break;
      case llvm::Instruction::Sub:
        is_read = read_integer(left, factor, depth + 1) &&
                  read_integer(right, product(factor, -1), depth + 1);
        break;
      case llvm::Instruction::Shl:
        if (const auto bits = constant_of(right); bits && *bits >= 0 && *bits < 32)
          is_read = read_integer(left, product(factor, std::int64_t{1} << *bits), depth + 1);
        break;
      case llvm::Instruction::Mul:
        if (const auto times = constant_of(right); times)
          is_read = read_integer(left, product(factor, *times), depth + 1);
        break;
      default:
        break;
    }
    if (!is_read)
      result_ = before;
    return is_read;
  }

  void add_factor(llvm::Value* value, std::int64_t factor) {
    const auto known = std::ranges::find_if(
        result_.factors, [&](const auto& each) { return each.first == value; });
    if (known != result_.factors.end())
      known->second = sum(known->second, factor);
    else
      result_.factors.emplace_back(value, factor);
  }

  LaneAddresses& result_;
  const llvm::DataLayout& layout_;
};

}  // namespace

llvm::Value* LaneAddresses::pointer(llvm::IRBuilderBase& builder) const {
  llvm::Value* address = base;
  for (const auto& [value, factor] : factors) {
    if (factor == 0)
      continue;
    llvm::Value* offset =
        factor == 1
            ? value
            : builder.CreateMul(value, builder.getInt64(static_cast<std::uint64_t>(factor)));
    address = builder.CreateGEP(builder.getInt8Ty(), address, offset);
  }
  return address;
}

std::optional<LaneAddresses> lane_addresses(llvm::Value& pointers, const llvm::DataLayout& layout) {
  LaneAddresses result;
  result.bytes.assign(
      llvm::cast<llvm::FixedVectorType>(pointers.getType())->getNumElements(), std::int64_t{0});
  if (!Reader(result, layout).read_pointer(&pointers))
    return std::nullopt;
  return result;
}

}  // namespace phalanx::codegen::cpu
