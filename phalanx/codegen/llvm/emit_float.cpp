// Floating-point operations: Python's division and remainder, NaN rules, calls of the library.
#include <array>
#include <cmath>
#include <limits>

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/llvm/emit_parts.h"
#include "phalanx/codegen/llvm/lower_types.h"

namespace phalanx::codegen {
namespace {

using ir::Op;

// Like CPython and NumPy: the remainder has the divisor's sign, the quotient is rounded so that it
// is the nearest whole number to (dividend - remainder) / divisor.
llvm::Value* remainder(OpEmitter& emitter, DType dtype, Operands x) {
  llvm::IRBuilderBase& builder = emitter.builder;
  llvm::Value* zero = llvm::Constant::getNullValue(x[0]->getType());
  llvm::Value* plain = emit(emitter, Op::fmod, dtype, {x[0], x[1]});
  llvm::Value* is_negative = builder.CreateFCmpOLT(x[1], zero);
  llvm::Value* differs = builder.CreateXor(builder.CreateFCmpOLT(plain, zero), is_negative);
  llvm::Value* moved = builder.CreateSelect(differs, builder.CreateFAdd(plain, x[1]), plain);
  return builder.CreateSelect(
      builder.CreateFCmpOEQ(plain, zero), emit(emitter, Op::copysign, dtype, {zero, x[1]}), moved);
}

llvm::Value* floor_divide(OpEmitter& emitter, DType dtype, Operands x) {
  llvm::IRBuilderBase& builder = emitter.builder;
  llvm::Value* ratio = builder.CreateFDiv(x[0], x[1]);
  if (emitter.fastmath.has(FastFlag::afn))
    return emit(emitter, Op::floor, dtype, {ratio});
  llvm::Value* zero = llvm::Constant::getNullValue(x[0]->getType());
  llvm::Value* one = llvm::ConstantFP::get(x[0]->getType(), 1.0);
  llvm::Value* plain = emit(emitter, Op::fmod, dtype, {x[0], x[1]});
  llvm::Value* quotient = builder.CreateFDiv(builder.CreateFSub(x[0], plain), x[1]);
  llvm::Value* differs = builder.CreateAnd(
      builder.CreateFCmpUNE(plain, zero),
      builder.CreateXor(builder.CreateFCmpOLT(plain, zero), builder.CreateFCmpOLT(x[1], zero)));
  quotient = builder.CreateSelect(differs, builder.CreateFSub(quotient, one), quotient);
  llvm::Value* floored = emit(emitter, Op::floor, dtype, {quotient});
  llvm::Value* is_short = builder.CreateFCmpOGT(
      builder.CreateFSub(quotient, floored), llvm::ConstantFP::get(x[0]->getType(), 0.5));
  floored = builder.CreateSelect(is_short, builder.CreateFAdd(floored, one), floored);
  floored = builder.CreateSelect(
      builder.CreateFCmpOEQ(quotient, zero),
      emit(emitter, Op::copysign, dtype, {zero, ratio}),
      floored);
  return builder.CreateSelect(builder.CreateFCmpOEQ(x[1], zero), ratio, floored);
}

// Exponents that programs write as literals; beyond, squaring loses more digits than pow does.
constexpr double longest_chain = 16.0;

llvm::Value* power(OpEmitter& emitter, DType dtype, Operands x) {
  llvm::IRBuilderBase& builder = emitter.builder;
  llvm::Type* type = x[0]->getType();
  const std::optional<double> exponent = constant_number(x[1]);
  if (exponent == 0.5) {
    // pow(-inf, 0.5) is inf, and pow(-0.0, 0.5) is 0.0.
    llvm::Value* root = emit(
        emitter, Op::sqrt, dtype, {builder.CreateFAdd(x[0], llvm::Constant::getNullValue(type))});
    llvm::Value* infinity = llvm::ConstantFP::getInfinity(type);
    llvm::Value* least = llvm::ConstantFP::getInfinity(type, true);
    return builder.CreateSelect(builder.CreateFCmpOEQ(x[0], least), infinity, root);
  }
  if (exponent && std::trunc(*exponent) == *exponent && std::abs(*exponent) <= longest_chain) {
    llvm::Value* one = llvm::ConstantFP::get(type, 1.0);
    if (*exponent == 0.0)
      return one;
    const auto count = static_cast<std::uint64_t>(std::abs(*exponent));
    llvm::Value* chain = multiply_chain(emitter, dtype, x[0], count);
    return *exponent > 0.0 ? chain : builder.CreateFDiv(one, chain);
  }
  return emitter.math.call(builder, Op::power, dtype, x);
}

// The next float is the next pattern of bits, away from zero or towards it.
llvm::Value* next_small_float(OpEmitter& emitter, DType dtype, Operands x) {
  llvm::IRBuilderBase& builder = emitter.builder;
  llvm::Type* word = with_element(x[0]->getType(), builder.getInt16Ty());
  llvm::Value* from = builder.CreateBitCast(x[0], word);
  llvm::Value* to = builder.CreateBitCast(x[1], word);
  llvm::Value* one = llvm::ConstantInt::get(word, 1);
  llvm::Value* sign = llvm::ConstantInt::get(word, 0x8000);
  const auto compare = [&](Op op, llvm::Value* first, llvm::Value* second) {
    return emit(emitter, op, dtype, {first, second});
  };
  llvm::Value* zero = llvm::Constant::getNullValue(x[0]->getType());
  llvm::Value* grows =
      builder.CreateICmpEQ(compare(Op::less, x[0], x[1]), compare(Op::greater, x[0], zero));
  llvm::Value* next =
      builder.CreateSelect(grows, builder.CreateAdd(from, one), builder.CreateSub(from, one));
  llvm::Value* least = builder.CreateOr(builder.CreateAnd(to, sign), one);
  next = builder.CreateSelect(compare(Op::equal, x[0], zero), least, next);
  next = builder.CreateSelect(compare(Op::equal, x[0], x[1]), to, next);
  llvm::Value* is_nan = builder.CreateOr(
      emit(emitter, Op::isnan, dtype, {x[0]}), emit(emitter, Op::isnan, dtype, {x[1]}));
  return builder.CreateSelect(
      is_nan,
      emit(emitter, Op::add, dtype, {x[0], x[1]}),
      builder.CreateBitCast(next, x[0]->getType()));
}

// Signs of float16 and bfloat16 are bits: no CPU has these operations, and LLVM may widen them.
llvm::Value* emit_small_float(OpEmitter& emitter, Op op, DType dtype, Operands x) {
  llvm::IRBuilderBase& builder = emitter.builder;
  if (op == Op::nextafter)
    return next_small_float(emitter, dtype, x);
  if (op == Op::fma && emitter.fuses_small_floats)
    return builder.CreateIntrinsic(llvm::Intrinsic::fma, {x[0]->getType()}, {x[0], x[1], x[2]});
  if (op == Op::fma) {
    // The product is exact in float64; only a tie within 2**-29 of the result's digits could
    // differ.
    std::array<llvm::Value*, 3> wide{};
    for (std::size_t i = 0; i < wide.size(); ++i)
      wide.at(i) = emit_cast(emitter, dtype, DType::float64, x[i]);
    llvm::Value* sum = emit(emitter, Op::fma, DType::float64, {wide[0], wide[1], wide[2]});
    return emit_cast(emitter, DType::float64, dtype, sum);
  }
  llvm::Type* word = with_element(x[0]->getType(), builder.getInt16Ty());
  llvm::Value* value = builder.CreateBitCast(x[0], word);
  llvm::Value* sign = llvm::ConstantInt::get(word, 0x8000);
  llvm::Value* magnitude = builder.CreateAnd(value, builder.CreateNot(sign));
  if (op == Op::negative)
    value = builder.CreateXor(value, sign);
  else if (op == Op::absolute)
    value = magnitude;
  else
    value = builder.CreateOr(magnitude, builder.CreateAnd(builder.CreateBitCast(x[1], word), sign));
  return builder.CreateBitCast(value, x[0]->getType());
}

// With fast-math flags LLVM would assume the answer.
llvm::Value* classify(OpEmitter& emitter, Op op, llvm::Value* value) {
  llvm::IRBuilderBase& builder = emitter.builder;
  builder.clearFastMathFlags();
  if (op == Op::isnan)
    return builder.CreateFCmpUNO(value, value);
  llvm::Value* magnitude = builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value);
  llvm::Value* infinity = llvm::ConstantFP::getInfinity(value->getType());
  return op == Op::isinf ? builder.CreateFCmpOEQ(magnitude, infinity)
                         : builder.CreateFCmpOLT(magnitude, infinity);
}

llvm::Intrinsic::ID extremum(Op op) {
  switch (op) {
    case Op::minimum:
      return llvm::Intrinsic::minimum;
    case Op::maximum:
      return llvm::Intrinsic::maximum;
    case Op::fmin:
      return llvm::Intrinsic::minnum;
    default:
      return llvm::Intrinsic::maxnum;
  }
}

llvm::Value* call_intrinsic(OpEmitter& emitter, Op op, Operands x) {
  const llvm::Intrinsic::ID intrinsic = llvm::Function::lookupIntrinsicID(ir::info(op).llvm);
  return emitter.builder.CreateIntrinsic(
      intrinsic, {x[0]->getType()}, llvm::ArrayRef<llvm::Value*>(x.data(), x.size()));
}

}  // namespace

llvm::Value* emit_floating(OpEmitter& emitter, Op op, DType dtype, Operands x) {
  llvm::IRBuilderBase& builder = emitter.builder;
  if (size_of(dtype) == 2)
    return emit_small_float(emitter, op, dtype, x);
  switch (op) {
    case Op::add:
      return builder.CreateFAdd(x[0], x[1]);
    case Op::subtract:
      return builder.CreateFSub(x[0], x[1]);
    case Op::multiply:
      return builder.CreateFMul(x[0], x[1]);
    case Op::true_divide:
      return builder.CreateFDiv(x[0], x[1]);
    case Op::floor_divide:
      return floor_divide(emitter, dtype, x);
    case Op::remainder:
      return remainder(emitter, dtype, x);
    case Op::power:
      return power(emitter, dtype, x);
    case Op::negative:
      return builder.CreateFNeg(x[0]);
    case Op::minimum:
    case Op::maximum:
    case Op::fmin:
    case Op::fmax:
      return builder.CreateBinaryIntrinsic(extremum(op), x[0], x[1]);
    case Op::isnan:
    case Op::isinf:
    case Op::isfinite:
      return classify(emitter, op, x[0]);
    default:
      break;
  }
  const ir::OpInfo& row = ir::info(op);
  if (!row.llvm.empty())
    return call_intrinsic(emitter, op, x);
  if (row.nv.empty() && row.sleef.empty())
    throw CompileError(
        CompileError::Kind::lowering,
        "the operation " + std::string(row.name) + " has no form for floats");
  return emitter.math.call(builder, op, dtype, x);
}

}  // namespace phalanx::codegen
