#include "phalanx/codegen/cpu/sleef_math.h"

#include <algorithm>
#include <array>
#include <string>

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/cpu/float32_sine.h"
#include "phalanx/codegen/cpu/float_remainder.h"
#include "phalanx/codegen/cpu/math_limits.h"

namespace phalanx::codegen::cpu {

namespace {

// In SLEEF's names ("u10"), of each operation; empty where the function is exact.
struct Accuracy {
  std::string_view precise;
  std::string_view fast;  // for FastFlag::afn
};

constexpr Accuracy accuracy(std::string_view column) {
  const std::size_t blank = column.find(' ');
  if (blank == std::string_view::npos)
    return {column, column};
  return {column.substr(0, blank), column.substr(blank + 1)};
}

constexpr std::array accuracies = {
#define OP(name, arity, rule, kinds, llvm, nv, sleef, ulp, ...) accuracy(ulp),
#include "phalanx/ir/ops.def"
#undef OP
};

std::string_view stem_of(ir::Op op) {
  const std::string_view stem = ir::info(op).sleef;
  if (!stem.empty())
    return stem;
  throw CompileError(
      CompileError::Kind::unsupported,
      "the CPU device has no function for '" + std::string(ir::name_of(op)) + "'");
}

std::string_view extension_of(const Target& target) {
  if (target.vector_bits >= 512)
    return "avx512f";
  if (target.vector_bits >= 256)
    return target.features.find("+fma") != std::string::npos || target.features.empty() ? "avx2"
                                                                                        : "avx";
  return target.features.find("+sse4.1") != std::string::npos ? "sse4" : "sse2";
}

// A function of the module itself, for the caller's CPU.
void make_internal(llvm::Function& function, const llvm::Function& caller) {
  function.setLinkage(llvm::GlobalValue::InternalLinkage);
  for (const char* key : {"target-cpu", "target-features", "prefer-vector-width"}) {
    if (caller.hasFnAttribute(key))
      function.addFnAttr(caller.getFnAttribute(key));
  }
}

// Marks forms so short that a call costs a quarter of their time.
constexpr llvm::StringRef inlined_late = "phalanx-inlined-late";

// 1 of a single number.
unsigned width_of(const llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector == nullptr ? 1 : vector->getNumElements();
}

bool is_remainder(ir::Op op) { return op == ir::Op::fmod || op == ir::Op::ieee_remainder; }

bool has_own_form(ir::Op op, DType dtype) {
  return is_remainder(op) || is_limited(op) || is_float32_sine(op, dtype);
}

}  // namespace

SleefMath::SleefMath(llvm::Module& module, const Target& target, bool approximates)
    : module_(module),
      vector_bits_(std::clamp(target.vector_bits, 128U, 512U)),
      extension_(extension_of(target)),
      approximates_(approximates) {}

std::string SleefMath::name_of(ir::Op op, DType dtype) const {
  return sleef_name(op, dtype, vector_bits_ / bits_of(dtype), extension_);
}

// The forms whose results are the same on every width and do not depend on the other lanes: "finz"
// where there is fused multiply-add, "cinz" where there is none.
std::string SleefMath::sleef_name(
    ir::Op op, DType dtype, unsigned width, std::string_view extension) const {
  const Accuracy& forms = accuracies.at(static_cast<std::size_t>(op));
  return std::string(has_fma() ? "Sleef_finz_" : "Sleef_cinz_") + std::string(stem_of(op)) +
         (dtype == DType::float32 ? "f" : "d") + std::to_string(width) + "_" +
         std::string(approximates_ ? forms.fast : forms.precise) + std::string(extension);
}

bool SleefMath::has_fma() const { return extension_ == "avx512f" || extension_ == "avx2"; }

// The function of one number that has the vector form's results.
llvm::Function* SleefMath::scalar_form(
    ir::Op op, llvm::Function& vector_form, const llvm::Function& caller) {
  llvm::SmallVector<llvm::Type*, 2> types;
  for (llvm::Argument& argument : vector_form.args())
    types.push_back(argument.getType()->getScalarType());
  const DType dtype = types[0]->isFloatTy() ? DType::float32 : DType::float64;
  if (is_float32_sine(op, dtype))
    return own_form(op, dtype, types, caller);
  if (has_own_form(op, dtype))
    return first_lane_of(vector_form, caller);
  return declare(sleef_name(op, dtype, 1, has_fma() ? "purecfma" : "purec"), types);
}

// Where the call is in a loop, LLVM's vectoriser takes the vector form.
llvm::Value* SleefMath::call_scalar(
    llvm::IRBuilderBase& builder,
    ir::Op op,
    llvm::Function& vector_form,
    std::span<llvm::Value* const> operands) {
  llvm::Function* scalar = scalar_form(op, vector_form, *builder.GetInsertBlock()->getParent());
  llvm::appendToCompilerUsed(module_, {&vector_form});  // the call's attribute alone names it
  const llvm::ArrayRef<llvm::Value*> arguments(operands.data(), operands.size());
  llvm::CallInst* call = builder.CreateCall(scalar, arguments);
  if (op == ir::Op::ldexp)
    return call;  // its second operand is of another width
  const unsigned width = lanes_of(vector_form.getArg(0));
  const std::string mapping = "_ZGV_LLVM_N" + std::to_string(width) +
                              std::string(operands.size(), 'v') + "_" + scalar->getName().str() +
                              "(" + vector_form.getName().str() + ")";
  call->addFnAttr(
      llvm::Attribute::get(builder.getContext(), "vector-function-abi-variant", mapping));
  return call;
}

// The function of one number that is the vector form's first lane.
llvm::Function* SleefMath::first_lane_of(
    llvm::Function& vector_form, const llvm::Function& caller) {
  const std::string name = "first.lane." + vector_form.getName().str();
  if (llvm::Function* known = module_.getFunction(name))
    return known;
  llvm::SmallVector<llvm::Type*, 2> types;
  for (llvm::Argument& argument : vector_form.args())
    types.push_back(argument.getType()->getScalarType());
  llvm::Function* function = declare(name, types);
  make_internal(*function, caller);
  function->addFnAttr(llvm::Attribute::NoInline);  // or the vectoriser could not see it
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module_.getContext(), "entry", function));
  llvm::SmallVector<llvm::Value*, 2> vectors;
  for (unsigned i = 0; i < types.size(); ++i)
    vectors.push_back(
        builder.CreateVectorSplat(lanes_of(vector_form.getArg(i)), function->getArg(i)));
  builder.CreateRet(
      builder.CreateExtractElement(builder.CreateCall(&vector_form, vectors), std::uint64_t{0}));
  return function;
}

llvm::Function* SleefMath::declare(const std::string& name, llvm::ArrayRef<llvm::Type*> types) {
  auto* type = llvm::FunctionType::get(types[0], types, false);
  auto* declared = llvm::cast<llvm::Function>(module_.getOrInsertFunction(name, type).getCallee());
  declared->setDoesNotThrow();
  declared->setWillReturn();
  declared->setDoesNotAccessMemory();
  declared->addFnAttr("min-legal-vector-width", std::to_string(vector_bits_));
  return declared;
}

// A function of the module: of a vector, or of one number.
llvm::Function* SleefMath::own_form(
    ir::Op op, DType dtype, llvm::ArrayRef<llvm::Type*> types, const llvm::Function& caller) {
  const std::string name = "phalanx." + std::string(ir::name_of(op)) + "." +
                           std::string(info(dtype).text) + (approximates_ ? ".approximate" : "") +
                           ".x" + std::to_string(width_of(types[0]));
  if (llvm::Function* known = module_.getFunction(name))
    return known;
  llvm::Function* function = declare(name, types);
  make_internal(*function, caller);
  define(*function, op, dtype);
  if (is_float32_sine(op, dtype)) {
    function->addFnAttr(llvm::Attribute::NoInline);
    if (types[0]->isVectorTy())
      function->addFnAttr(inlined_late);
  }
  return function;
}

// SLEEF's function of a whole vector, or one of our own where SLEEF's does not do.
llvm::Function* SleefMath::vector_form(
    ir::Op op, DType dtype, llvm::ArrayRef<llvm::Type*> types, const llvm::Function& caller) {
  if (has_own_form(op, dtype))
    return own_form(op, dtype, types, caller);
  return declare(name_of(op, dtype), types);
}

void SleefMath::define(llvm::Function& function, ir::Op op, DType dtype) {
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module_.getContext(), "entry", &function));
  llvm::Value* x = function.getArg(0);
  if (op == ir::Op::fmod) {
    builder.CreateRet(emit_fmod(builder, x, function.getArg(1)));
  } else if (op == ir::Op::ieee_remainder) {
    builder.CreateRet(emit_ieee_remainder(builder, x, function.getArg(1)));
  } else if (is_float32_sine(op, dtype)) {
    builder.CreateRet(emit_float32_sine(builder, *this, op, x, has_fma()));
  } else {
    llvm::Function* sleef = declare(name_of(op, dtype), {x->getType()});
    builder.CreateRet(emit_beyond_limit(builder, *this, op, x, builder.CreateCall(sleef, {x})));
  }
}

// Lanes [first, first + width) of the operands, the last one repeated where there are no more.
llvm::Value* SleefMath::call_part(
    llvm::IRBuilderBase& builder,
    llvm::Function& function,
    std::span<llvm::Value* const> operands,
    unsigned first,
    unsigned width) {
  llvm::SmallVector<llvm::Value*, 2> parts;
  for (unsigned i = 0; i < operands.size(); ++i) {
    llvm::Value* operand = operands[i];
    const unsigned wanted =
        llvm::cast<llvm::FixedVectorType>(function.getArg(i)->getType())->getNumElements();
    const unsigned lanes = lanes_of(operand);
    llvm::SmallVector<int, 16> picks;
    for (unsigned lane = 0; lane < wanted; ++lane)
      picks.push_back(static_cast<int>(std::min({first + lane, first + width - 1, lanes - 1})));
    parts.push_back(lanes == wanted ? operand : builder.CreateShuffleVector(operand, picks));
  }
  return builder.CreateCall(&function, parts);
}

llvm::Value* SleefMath::call(
    llvm::IRBuilderBase& builder, ir::Op op, DType dtype, std::span<llvm::Value* const> operands) {
  if (op == ir::Op::rsqrt) {
    llvm::Value* root = builder.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, operands[0]);
    return builder.CreateFDiv(llvm::ConstantFP::get(root->getType(), 1.0), root);
  }
  const llvm::Function& caller = *builder.GetInsertBlock()->getParent();
  // One call for all lanes: several chains at a time, and its constants are loaded once.
  if (is_float32_sine(op, dtype) && operands[0]->getType()->isVectorTy()) {
    llvm::Function* function = own_form(op, dtype, {operands[0]->getType()}, caller);
    return builder.CreateCall(function, operands[0]);
  }
  const unsigned width = vector_bits_ / bits_of(dtype);
  llvm::SmallVector<llvm::Type*, 2> types;
  llvm::SmallVector<llvm::Value*, 2> vectors;
  const unsigned given = lanes_of(operands[0]);
  for (llvm::Value* operand : operands) {
    llvm::Type* scalar = operand->getType()->getScalarType();
    types.push_back(llvm::FixedVectorType::get(scalar, width));
    vectors.push_back(operand);
  }
  llvm::Function* function = vector_form(op, dtype, types, caller);
  if (given == 0)
    return call_scalar(builder, op, *function, operands);
  llvm::SmallVector<llvm::Value*, 4> results;
  for (unsigned first = 0; first < given; first += width)
    results.push_back(
        call_part(builder, *function, vectors, first, std::min(width, given - first)));
  // Join them two by two: the widths are powers of two.
  while (results.size() > 1) {
    llvm::SmallVector<llvm::Value*, 4> concatenated;
    for (std::size_t i = 0; i < results.size(); i += 2) {
      llvm::SmallVector<int, 32> picks(2 * lanes_of(results[i]));
      for (std::size_t lane = 0; lane < picks.size(); ++lane) picks[lane] = static_cast<int>(lane);
      concatenated.push_back(builder.CreateShuffleVector(results[i], results[i + 1], picks));
    }
    results = concatenated;
  }
  if (lanes_of(results[0]) == given)
    return results[0];
  llvm::SmallVector<int, 16> picks(given);
  for (unsigned lane = 0; lane < given; ++lane) picks[lane] = static_cast<int>(lane);
  return builder.CreateShuffleVector(results[0], picks);
}

void inline_vector_forms(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  constexpr unsigned most_calls = 4;  // of one loop, interleaved
  llvm::removeFromUsedLists(module, [](llvm::Constant*) { return true; });
  for (llvm::Function& function : module) {
    function.removeDeadConstantUsers();  // the list's
    if (function.hasFnAttribute(inlined_late) && !function.hasNUsesOrMore(most_calls + 1)) {
      function.removeFnAttr(llvm::Attribute::NoInline);
      function.addFnAttr(llvm::Attribute::AlwaysInline);
    }
  }
  llvm::AlwaysInlinerPass().run(module, analyses);
  llvm::GlobalDCEPass().run(module, analyses);
}

}  // namespace phalanx::codegen::cpu
