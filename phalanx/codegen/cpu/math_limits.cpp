#include "phalanx/codegen/cpu/math_limits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/MDBuilder.h>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/llvm/emit_parts.h"

namespace phalanx::codegen::cpu {

namespace {

using ir::Op;

// Results beyond the limit of one function in one format.
struct Far {
  llvm::IRBuilderBase& builder;
  MathLibrary& math;
  llvm::Value* x;

  DType dtype() const {
    return x->getType()->getScalarType()->isFloatTy() ? DType::float32 : DType::float64;
  }
  llvm::Value* number(double value) const { return llvm::ConstantFP::get(x->getType(), value); }
  llvm::Value* magnitude() const { return builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x); }
  llvm::Value* with_sign(llvm::Value* value) const {
    return builder.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, value, x);
  }
  llvm::Value* call(Op op, llvm::Value* operand) const {
    const std::array operands = {operand};
    return math.call(builder, op, dtype(), operands);
  }
};

// exp(x) / 2 as exp(x - k ln 2) 2**(k - 1), which no step of overflows before the result does. k is
// one for which k ln 2 lies very close to a number of the format: FreeBSD's msun/src/k_exp.c and
// k_expf.c, "carefully chosen to minimize |exp(kln2) - 2**k|".
llvm::Value* half_exp(const Far& far) {
  const bool is_single = far.dtype() == DType::float32;
  const double k_ln2 = is_single ? 162.88958740 : 1246.97177782734161156;
  const int power = is_single ? 234 : 1798;
  llvm::Value* scale = far.number(std::ldexp(1.0, power / 2));
  llvm::Value* reduced =
      far.call(Op::exp, far.builder.CreateFSub(far.magnitude(), far.number(k_ln2)));
  return far.builder.CreateFMul(far.builder.CreateFMul(reduced, scale), scale);
}
llvm::Value* far_sinh(const Far& far) { return far.with_sign(half_exp(far)); }
llvm::Value* far_cosh(const Far& far) { return half_exp(far); }

// log(2 |x|): the 1 under the root is below half a unit, as in fdlibm's s_asinh.c.
llvm::Value* log_of_twice(const Far& far) {
  return far.builder.CreateFAdd(far.call(Op::log, far.magnitude()), far.number(std::numbers::ln2));
}
llvm::Value* far_asinh(const Far& far) { return far.with_sign(log_of_twice(far)); }

llvm::Value* far_log1p(const Far& far) { return far.call(Op::log, far.magnitude()); }

struct Row {
  Op op;
  double single_limit;  // of |x|, or of x where only that side goes on
  double double_limit;
  bool has_two_sides;
  llvm::Value* (*emit)(const Far&);
};
constexpr std::array rows = {
    Row{Op::sinh, 85, 700, true, far_sinh},
    Row{Op::cosh, 85, 700, true, far_cosh},
    Row{Op::arcsinh, 1e18, 1e150, true, far_asinh},
    Row{Op::arccosh, 1e18, 1e150, false, log_of_twice},
    Row{Op::log1p, 1e36, 1e300, false, far_log1p},
};

}  // namespace

bool is_limited(Op op) { return std::ranges::find(rows, op, &Row::op) != rows.end(); }

llvm::Value* emit_beyond_limit(
    llvm::IRBuilderBase& builder, MathLibrary& math, Op op, llvm::Value* x, llvm::Value* known) {
  const auto* row = std::ranges::find(rows, op, &Row::op);
  PHX_ASSERT(row != rows.end());
  const Far far = {.builder = builder, .math = math, .x = x};
  const bool is_single = far.dtype() == DType::float32;
  llvm::Value* limit = far.number(is_single ? row->single_limit : row->double_limit);
  llvm::Value* is_far = builder.CreateFCmpOGT(row->has_two_sides ? far.magnitude() : x, limit);
  return replace_rare_lanes(builder, is_far, known, [&] { return row->emit(far); });
}

llvm::Value* replace_rare_lanes(
    llvm::IRBuilderBase& builder,
    llvm::Value* is_rare,
    llvm::Value* known,
    llvm::function_ref<llvm::Value*()> make) {
  llvm::Function* function = builder.GetInsertBlock()->getParent();
  llvm::BasicBlock* before = builder.GetInsertBlock();
  auto* rare = llvm::BasicBlock::Create(builder.getContext(), "rare", function);
  auto* done = llvm::BasicBlock::Create(builder.getContext(), "done", function);
  llvm::MDNode* weights = llvm::MDBuilder(builder.getContext()).createUnlikelyBranchWeights();
  builder.CreateCondBr(any_lane(builder, is_rare), rare, done, weights);
  builder.SetInsertPoint(rare);
  llvm::Value* chosen = builder.CreateSelect(is_rare, make(), known);
  rare = builder.GetInsertBlock();
  builder.CreateBr(done);
  builder.SetInsertPoint(done);
  llvm::PHINode* result = builder.CreatePHI(known->getType(), 2, "result");
  result->addIncoming(known, before);
  result->addIncoming(chosen, rare);
  return result;
}

}  // namespace phalanx::codegen::cpu
