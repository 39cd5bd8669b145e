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

llvm::Value* call_assembler(
    llvm::IRBuilderBase& builder, const char* text, llvm::ArrayRef<llvm::Value*> operands) {
  llvm::SmallVector<llvm::Type*, 2> types;
  std::string constraints = "=f";
  for (const llvm::Value* operand : operands) {
    types.push_back(operand->getType());
    constraints += ",f";
  }
  auto* type = llvm::FunctionType::get(builder.getFloatTy(), types, false);
  return builder.CreateCall(llvm::InlineAsm::get(type, text, constraints, false), operands);
}

// What libdevice calls and this LLVM does not know as an intrinsic yet, and the instruction it is.
struct NewerIntrinsic {
  llvm::StringLiteral name;
  const char* text;
};
constexpr std::array newer_intrinsics = {
    NewerIntrinsic{"llvm.nvvm.tanh.approx.f32", "tanh.approx.f32 $0, $1;"},
};

// A call of an intrinsic that LLVM does not know would become a call of a function of that name.
void replace_newer_intrinsics(llvm::Module& module) {
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    const bool is_unknown = function.getName().starts_with("llvm.") &&
                            function.getIntrinsicID() == llvm::Intrinsic::not_intrinsic;
    if (!is_unknown)
      continue;
    const auto* row =
        std::ranges::find(newer_intrinsics, function.getName(), &NewerIntrinsic::name);
    if (row == newer_intrinsics.end())
      throw CompileError(
          CompileError::Kind::lowering,
          "libdevice.10.bc is too new: it uses " + function.getName().str() +
              "; name an older file in the environment variable PHALANX_LIBDEVICE");
    for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
      auto* call = llvm::cast<llvm::CallInst>(user);
      llvm::IRBuilder<> builder(call);
      const llvm::SmallVector<llvm::Value*, 2> operands(call->args());
      call->replaceAllUsesWith(call_assembler(builder, row->text, operands));
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
    return call_assembler(builder, "tanh.approx.f32 $0, $1;", arguments);
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
  replace_newer_intrinsics(module);
}

}  // namespace phalanx::codegen::nvptx
