#include "phalanx/codegen/nvptx/libdevice.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Transforms/IPO/Internalize.h>

#include <algorithm>
#include <array>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/libdevice.h"
#include "phalanx/codegen/llvm/lower_types.h"
#include "phalanx/codegen/nvptx/hoist_loads.h"

namespace phalanx::codegen::nvptx {
namespace {

using ir::Op;

// float32 functions that have an approximate form, __nv_fast_<name>f.
bool has_fast_form(Op op) {
  switch (op) {
    case Op::sin:
    case Op::cos:
    case Op::tan:
    case Op::exp:
    case Op::log:
    case Op::log2:
    case Op::log10:
    case Op::power:
      return true;
    default:
      return false;
  }
}

// "__nv_sin" -> "__nv_fast_sinf"
std::string fast_name(std::string_view name) {
  constexpr std::string_view prefix = "__nv_";
  return std::string(prefix) + "fast_" + std::string(name.substr(prefix.size())) + "f";
}

char register_of(const llvm::Type* type) {
  if (type->isFloatingPointTy())
    return type->isDoubleTy() ? 'd' : 'f';
  return type->isIntegerTy(64) ? 'l' : 'r';
}

llvm::Value* call_assembler(
    llvm::IRBuilderBase& builder,
    llvm::StringRef text,
    llvm::Type* result,
    llvm::ArrayRef<llvm::Value*> operands) {
  llvm::SmallVector<llvm::Type*, 2> types;
  std::string constraints = {'=', register_of(result)};
  for (const llvm::Value* operand : operands) {
    types.push_back(operand->getType());
    constraints += {',', register_of(operand->getType())};
  }
  auto* type = llvm::FunctionType::get(result, types, false);
  return builder.CreateCall(llvm::InlineAsm::get(type, text, constraints, false), operands);
}

// What libdevice calls, and the instruction it is.
struct Instruction {
  llvm::StringLiteral name;
  llvm::StringLiteral text;
};
constexpr std::array instructions = {
    // This LLVM does not know it as an intrinsic yet.
    Instruction{"llvm.nvvm.tanh.approx.f32", "tanh.approx.f32 $0, $1;"},
    // It takes these for its own conversions, which round to nearest (InstCombine, by
    // NVPTXTargetTransformInfo.cpp).
    Instruction{"llvm.nvvm.i2f.rz", "cvt.rz.f32.s32 $0, $1;"},
    Instruction{"llvm.nvvm.ui2f.rz", "cvt.rz.f32.u32 $0, $1;"},
    Instruction{"llvm.nvvm.ll2f.rz", "cvt.rz.f32.s64 $0, $1;"},
    Instruction{"llvm.nvvm.ull2f.rz", "cvt.rz.f32.u64 $0, $1;"},
    Instruction{"llvm.nvvm.ll2d.rz", "cvt.rz.f64.s64 $0, $1;"},
    Instruction{"llvm.nvvm.ull2d.rz", "cvt.rz.f64.u64 $0, $1;"},
};

// A call of an intrinsic that LLVM does not know would become a call of a function of that name.
void refuse_unknown_intrinsic(const llvm::Function& function) {
  if (function.getName().starts_with("llvm.") &&
      function.getIntrinsicID() == llvm::Intrinsic::not_intrinsic)
    throw CompileError(
        CompileError::Kind::lowering,
        "libdevice.10.bc is too new: it uses " + function.getName().str() +
            "; name an older file in the environment variable PHALANX_LIBDEVICE");
}

void replace_by_instructions(llvm::Module& module) {
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    const auto* row = std::ranges::find(instructions, function.getName(), &Instruction::name);
    if (row == instructions.end()) {
      refuse_unknown_intrinsic(function);
      continue;
    }
    for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
      auto* call = llvm::cast<llvm::CallInst>(user);
      llvm::IRBuilder<> builder(call);
      const llvm::SmallVector<llvm::Value*, 2> operands(call->args());
      call->replaceAllUsesWith(call_assembler(builder, row->text, call->getType(), operands));
      call->eraseFromParent();
    }
    function.eraseFromParent();
  }
}

}  // namespace

llvm::Value* LibdeviceMath::call(
    llvm::IRBuilderBase& builder, Op op, DType dtype, std::span<llvm::Value* const> operands) {
  PHX_ASSERT(dtype == DType::float32 || dtype == DType::float64);
  const llvm::ArrayRef<llvm::Value*> arguments(operands.data(), operands.size());
  const bool is_fast = approximates_ && dtype == DType::float32;
  if (is_fast && op == Op::tanh)
    return call_assembler(builder, "tanh.approx.f32 $0, $1;", builder.getFloatTy(), arguments);
  const std::string_view stem = ir::info(op).nv;
  PHX_ASSERT(!stem.empty());
  std::string name(stem);
  if (is_fast && has_fast_form(op))
    name = fast_name(stem);
  else if (dtype == DType::float32)
    name += 'f';
  llvm::SmallVector<llvm::Type*, 2> types;
  for (const llvm::Value* operand : operands) types.push_back(operand->getType());
  llvm::Type* result = register_type(builder.getContext(), dtype);
  is_used_ = true;
  hold_loads(builder);
  return builder.CreateCall(
      module_->getOrInsertFunction(name, llvm::FunctionType::get(result, types, false)), arguments);
}

void link_libdevice(llvm::Module& module) {
  const std::string path = libdevice_path();
  if (path.empty())
    throw CompileError(
        CompileError::Kind::lowering,
        "libdevice.10.bc was not found: reinstall phalanx, or name the file in the environment "
        "variable PHALANX_LIBDEVICE");
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    throw CompileError(
        CompileError::Kind::lowering, "cannot read " + path + ": " + buffer.getError().message());
  auto library = llvm::getOwningLazyBitcodeModule(std::move(*buffer), module.getContext());
  if (!library)
    throw CompileError(
        CompileError::Kind::lowering,
        path + " is not LLVM bitcode: " + llvm::toString(library.takeError()));
  (*library)->setTargetTriple(module.getTargetTriple());
  (*library)->setDataLayout(module.getDataLayout());
  const auto make_internal = [](llvm::Module& linked, const llvm::StringSet<>& names) {
    llvm::internalizeModule(linked, [&names](const llvm::GlobalValue& value) {
      return !value.hasName() || !names.contains(value.getName());
    });
  };
  if (llvm::Linker::linkModules(
          module, std::move(*library), llvm::Linker::LinkOnlyNeeded, make_internal))
    throw CompileError(CompileError::Kind::lowering, "linking " + path + " failed");
  replace_by_instructions(module);
}

}  // namespace phalanx::codegen::nvptx
