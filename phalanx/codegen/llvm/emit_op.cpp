// The entrance to elementwise emission: brings operands to one shape and picks the part.
#include "phalanx/codegen/llvm/emit_op.h"

#include <algorithm>

#include <llvm/ADT/SmallVector.h>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/llvm/emit_parts.h"

namespace phalanx::codegen {
namespace {

using ir::Op;

llvm::FastMathFlags flags_of(const OpEmitter& emitter) {
  const FastMath& allowed = emitter.fastmath;
  llvm::FastMathFlags flags;
  flags.setNoNaNs(allowed.has(FastFlag::nnan));
  flags.setNoInfs(allowed.has(FastFlag::ninf));
  flags.setNoSignedZeros(allowed.has(FastFlag::nsz));
  flags.setAllowReciprocal(allowed.has(FastFlag::arcp));
  flags.setAllowContract(emitter.contracts);
  flags.setApproxFunc(allowed.has(FastFlag::afn));
  flags.setAllowReassoc(allowed.has(FastFlag::reassoc));
  return flags;
}

struct Comparison {
  Op op;
  llvm::CmpInst::Predicate floating;
  llvm::CmpInst::Predicate with_sign;
  llvm::CmpInst::Predicate without_sign;
};

// `not_equal` alone is true of NaN.
constexpr Comparison comparisons[] = {
    {Op::equal, llvm::CmpInst::FCMP_OEQ, llvm::CmpInst::ICMP_EQ, llvm::CmpInst::ICMP_EQ},
    {Op::not_equal, llvm::CmpInst::FCMP_UNE, llvm::CmpInst::ICMP_NE, llvm::CmpInst::ICMP_NE},
    {Op::less, llvm::CmpInst::FCMP_OLT, llvm::CmpInst::ICMP_SLT, llvm::CmpInst::ICMP_ULT},
    {Op::less_equal, llvm::CmpInst::FCMP_OLE, llvm::CmpInst::ICMP_SLE, llvm::CmpInst::ICMP_ULE},
    {Op::greater, llvm::CmpInst::FCMP_OGT, llvm::CmpInst::ICMP_SGT, llvm::CmpInst::ICMP_UGT},
    {Op::greater_equal, llvm::CmpInst::FCMP_OGE, llvm::CmpInst::ICMP_SGE, llvm::CmpInst::ICMP_UGE},
};

llvm::Value* emit_comparison(OpEmitter& emitter, Op op, DType dtype, Operands operands) {
  const auto* row = std::find_if(
      std::begin(comparisons), std::end(comparisons), [op](const auto& c) { return c.op == op; });
  PHX_ASSERT(row != std::end(comparisons));
  llvm::IRBuilderBase& builder = emitter.builder;
  if (is_complex(dtype)) {
    const DType part = real_part_of(dtype);
    llvm::Value* real =
        emit(emitter, op, part, {real_of(emitter, operands[0]), real_of(emitter, operands[1])});
    llvm::Value* imaginary = emit(
        emitter,
        op,
        part,
        {imaginary_of(emitter, operands[0]), imaginary_of(emitter, operands[1])});
    return op == Op::equal ? builder.CreateAnd(real, imaginary) : builder.CreateOr(real, imaginary);
  }
  if (is_floating(dtype))
    return builder.CreateFCmp(row->floating, operands[0], operands[1]);
  const auto predicate = is_signed(dtype) ? row->with_sign : row->without_sign;
  return builder.CreateICmp(predicate, operands[0], operands[1]);
}

llvm::Value* emit_select(OpEmitter& emitter, DType dtype, Operands operands) {
  llvm::IRBuilderBase& builder = emitter.builder;
  if (!is_complex(dtype))
    return builder.CreateSelect(operands[0], operands[1], operands[2]);
  return make_complex(
      emitter,
      builder.CreateSelect(
          operands[0], real_of(emitter, operands[1]), real_of(emitter, operands[2])),
      builder.CreateSelect(
          operands[0], imaginary_of(emitter, operands[1]), imaginary_of(emitter, operands[2])));
}

bool is_small_float(DType dtype) { return dtype == DType::float16 || dtype == DType::bfloat16; }

// float16 and bfloat16 are computed in float32: with at most half of its digits, the second
// rounding never changes the result of + - * / and sqrt.
bool computes_in_float32(Op op, DType dtype) {
  switch (op) {
    case Op::select:
    case Op::negative:
    case Op::absolute:
    case Op::copysign:
    case Op::nextafter:
    case Op::fma:
      return false;
    default:
      return is_small_float(dtype);
  }
}

llvm::Value* emit_one_shape(OpEmitter& emitter, Op op, DType dtype, Operands operands);

llvm::Value* emit_in_float32(OpEmitter& emitter, Op op, DType dtype, Operands operands) {
  llvm::SmallVector<llvm::Value*, 3> wide;
  for (llvm::Value* operand : operands) {
    const bool is_float = operand->getType()->isFPOrFPVectorTy();
    wide.push_back(is_float ? emit_cast(emitter, dtype, DType::float32, operand) : operand);
  }
  llvm::Value* result = emit_one_shape(emitter, op, DType::float32, wide);
  const bool yields_float = result->getType()->isFPOrFPVectorTy();
  return yields_float ? emit_cast(emitter, DType::float32, dtype, result) : result;
}

llvm::Value* emit_one_shape(OpEmitter& emitter, Op op, DType dtype, Operands operands) {
  if (computes_in_float32(op, dtype))
    return emit_in_float32(emitter, op, dtype, operands);
  if (op == Op::select)
    return emit_select(emitter, dtype, operands);
  if (ir::info(op).rule == ir::Rule::compare)
    return emit_comparison(emitter, op, dtype, operands);
  switch (kind_of(dtype)) {
    case DTypeKind::boolean:
      return emit_boolean(emitter, op, operands);
    case DTypeKind::signed_integer:
    case DTypeKind::unsigned_integer:
      return emit_integer(emitter, op, dtype, operands);
    case DTypeKind::floating:
      return emit_floating(emitter, op, dtype, operands);
    case DTypeKind::complex_floating:
      return emit_complex(emitter, op, dtype, operands);
  }
  return nullptr;
}

}  // namespace

llvm::Value* emit(
    OpEmitter& emitter, Op op, DType dtype, std::initializer_list<llvm::Value*> operands) {
  return emit_elementwise(
      emitter, op, ir::Type(dtype), Operands(operands.begin(), operands.size()));
}

llvm::Value* emit_elementwise(
    OpEmitter& emitter, Op op, const ir::Type& operand, std::span<llvm::Value* const> operands) {
  PHX_ASSERT(ir::is_elementwise(op) && operand.is_scalar());
  PHX_ASSERT(operands.size() == static_cast<std::size_t>(ir::info(op).arity));
  unsigned lanes = 0;
  for (const llvm::Value* value : operands) lanes = std::max(lanes, lanes_of(value));
  llvm::SmallVector<llvm::Value*, 3> same_shape;
  for (llvm::Value* value : operands) same_shape.push_back(splat(emitter.builder, value, lanes));
  // A scalar condition may choose between whole vectors.
  if (op == Op::select && lanes_of(operands[0]) == 0)
    same_shape[0] = operands[0];

  const llvm::IRBuilderBase::FastMathFlagGuard guard(emitter.builder);
  emitter.builder.setFastMathFlags(flags_of(emitter));
  return emit_one_shape(emitter, op, operand.dtype(), same_shape);
}

llvm::Value* emit_boolean(OpEmitter& emitter, Op op, Operands operands) {
  llvm::IRBuilderBase& builder = emitter.builder;
  switch (op) {
    case Op::bitwise_and:
    case Op::minimum:
    case Op::fmin:
      return builder.CreateAnd(operands[0], operands[1]);
    case Op::bitwise_or:
    case Op::maximum:
    case Op::fmax:
      return builder.CreateOr(operands[0], operands[1]);
    case Op::bitwise_xor:
      return builder.CreateXor(operands[0], operands[1]);
    case Op::invert:
    case Op::logical_not:
      return builder.CreateNot(operands[0]);
    default:
      throw CompileError(
          CompileError::Kind::lowering,
          "the operation " + std::string(ir::name_of(op)) + " has no form for bool");
  }
}

}  // namespace phalanx::codegen
