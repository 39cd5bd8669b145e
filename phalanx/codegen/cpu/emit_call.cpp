// Calls of device functions that could not be inlined: recursive ones. Such a function takes the
// warp's context, the mask of the lanes that call, how far the stack goes, and every argument as
// vectors.
#include <llvm/IR/Constants.h>

#include "phalanx/base/cpu_kernel.h"
#include "phalanx/base/routines.h"
#include "phalanx/codegen/cpu/device_function.h"
#include "phalanx/codegen/cpu/emitter.h"
#include "phalanx/codegen/cpu/stateless_operations.h"
#include "phalanx/codegen/cpu/warp_code.h"
#include "phalanx/codegen/llvm/lower_types.h"

namespace phalanx::codegen::cpu {

namespace {

Shape shape_in_calls(unsigned lanes) {
  return Shape::of(lanes == 1 ? Uniformity::warp : Uniformity::varying);
}

// The components of a type as device functions take and give them.
llvm::SmallVector<llvm::Type*, 8> passed_types(
    const Compilation& compilation, const ir::Type& type) {
  llvm::SmallVector<llvm::Type*, 8> types;
  const Shape shape = shape_in_calls(compilation.variant.lanes);
  for (unsigned i = 0; i < component_count(type); ++i)
    types.push_back(component_type_of(compilation, type, i, shape));
  return types;
}

}  // namespace

namespace {

// A CPU function is one thread: its functions take the launch itself, and no mask.
bool is_single(const Compilation& compilation) {
  return compilation.variant.shape == BlockShape::single;
}

// What the code of a device function starts from.
void open_function(Compilation& compilation, Emitter& emitter, llvm::IRBuilder<>& builder) {
  llvm::Function& defined = *builder.GetInsertBlock()->getParent();
  if (is_single(compilation)) {
    emitter.launch.launch = defined.getArg(0);
    emitter.launch.block_index.fill(builder.getInt32(0));
    emitter.warp = single_thread(builder, emitter.launch);
    return;
  }
  WarpContext caller(builder, defined.getArg(0));
  emitter.launch = caller.load(compilation.shared_layout(), compilation.kernel);
  emitter.launch.stack_limit = defined.getArg(2);
  emitter.warp = position_of(
      builder, emitter.launch, compilation.variant, caller.load_warp_index(), emitter.launch.warps);
  if (compilation.variant.lanes > 1)
    emitter.set_mask(builder.CreateBitCast(
        defined.getArg(1),
        llvm::FixedVectorType::get(builder.getInt1Ty(), compilation.variant.lanes),
        "mask"));
}

llvm::Function* declare_device_function(Compilation& compilation, const ir::Function& function) {
  llvm::Function*& declared = compilation.device_functions[&function];
  if (declared != nullptr)
    return declared;
  llvm::LLVMContext& context = compilation.module.getContext();
  llvm::SmallVector<llvm::Type*, 16> types = {llvm::PointerType::get(context, 0)};
  if (!is_single(compilation)) {
    types.push_back(llvm::IntegerType::get(context, compilation.variant.lanes));
    types.push_back(llvm::PointerType::get(context, 0));
  }
  for (const auto& parameter : function.parameters)
    types.append(passed_types(compilation, parameter->type));
  llvm::Type* result = llvm::StructType::get(context, passed_types(compilation, function.result));
  declared = llvm::Function::Create(
      llvm::FunctionType::get(result, types, false),
      llvm::GlobalValue::InternalLinkage,
      function.name,
      compilation.module);
  set_attributes(*declared, compilation);
  compilation.undefined_functions.push_back(&function);
  return declared;
}

}  // namespace

void define_device_functions(Compilation& compilation) {
  // Defining one may declare others.
  while (!compilation.undefined_functions.empty()) {
    const ir::Function& function = *compilation.undefined_functions.back();
    compilation.undefined_functions.pop_back();
    const FunctionShapes shapes(function, compilation.variant);
    llvm::Function& defined = *compilation.device_functions.at(&function);
    llvm::LLVMContext& context = defined.getContext();
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "entry", &defined));
    Emitter emitter(compilation, builder, shapes);
    open_function(compilation, emitter, builder);
    unsigned next = is_single(compilation) ? 1 : 3;
    for (const auto& parameter : function.parameters) {
      Value value;
      for (const Shape& shape : shapes.of(*parameter))
        value.push_back({shape, defined.getArg(next++)});
      emitter.define(*parameter, std::move(value));
    }
    for (llvm::Type* type : passed_types(compilation, function.result))
      emitter.result_slots.push_back(emitter.make_slot(type, "result"));
    emitter.function_exit = llvm::BasicBlock::Create(context, "exit", &defined);
    emitter.emit_function(function.body);
    llvm::Value* result = llvm::PoisonValue::get(defined.getReturnType());
    for (unsigned i = 0; i < emitter.result_slots.size(); ++i)
      result = builder.CreateInsertValue(
          result,
          emitter.read(defined.getReturnType()->getStructElementType(i), emitter.result_slots[i]),
          i);
    builder.CreateRet(result);
  }
}

namespace {

bool can_raise(const ir::Module& module) {
  bool found = false;
  for (const auto& function : module.functions)
    ir::for_each(
        function->body, [&](const ir::Operation& one) { found |= one.op == ir::Op::raise; });
  return found;
}

}  // namespace

// What a CPU function called raised ends the caller too.
void leave_if_raised(Emitter& emitter) {
  llvm::IRBuilder<>& builder = emitter.builder();
  llvm::Value* field = builder.CreateConstGEP1_64(
      builder.getInt8Ty(), emitter.launch.launch, offsetof(CpuLaunch, errors));
  llvm::LoadInst* record = builder.CreateLoad(builder.getPtrTy(), field, "error");
  record->setMetadata(
      llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(builder.getContext(), {}));
  llvm::Value* site = builder.CreateLoad(
      builder.getInt32Ty(),
      builder.CreateConstGEP1_64(
          builder.getInt8Ty(), record, offsetof(ErrorLog, records) + offsetof(ErrorRecord, site)));
  llvm::BasicBlock* next = emitter.new_block("not.raised");
  builder.CreateCondBr(builder.CreateIsNull(site), next, emitter.function_exit);
  builder.SetInsertPoint(next);
}

namespace {

llvm::Value* stack_limit(Emitter& emitter) {
  if (emitter.launch.stack_limit != nullptr)
    return emitter.launch.stack_limit;
  llvm::IRBuilder<>& builder = emitter.builder();
  llvm::FunctionCallee routine = emitter.compilation().module.getOrInsertFunction(
      std::string(routine_prefix) + "stack_limit.uint64", builder.getInt64Ty());
  llvm::cast<llvm::Function>(routine.getCallee())->setDoesNotThrow();
  return builder.CreateIntToPtr(builder.CreateCall(routine), builder.getPtrTy());
}

// Zeros instead of a call for which the stack has no room, of which the lanes report.
llvm::Value* call_within_stack(
    Emitter& emitter,
    const ir::Operation& operation,
    llvm::Function& callee,
    llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::IRBuilder<>& builder = emitter.builder();
  llvm::Value* limit = emitter.launch.stack_limit;
  if (limit == nullptr)  // the kernel's own frame is the first
    return builder.CreateCall(&callee, arguments);
  llvm::Value* zeros = llvm::Constant::getNullValue(callee.getReturnType());
  llvm::Value* here = builder.CreatePtrToInt(arguments[0], builder.getInt64Ty());
  llvm::Value* lowest = builder.CreateLoad(builder.getInt64Ty(), limit, "stack.limit");
  llvm::BasicBlock* full = emitter.new_block("stack.full");
  llvm::BasicBlock* room = emitter.new_block("stack.room");
  llvm::BasicBlock* after = emitter.new_block("called");
  emitter.branch_rarely(builder.CreateICmpULT(here, lowest), full, room);
  builder.SetInsertPoint(full);
  builder.CreateStore(builder.getInt64(~std::uint64_t{0}), limit);
  emitter.reporter().report_lanes(operation, builder.getTrue(), {});
  llvm::BasicBlock* reported = builder.GetInsertBlock();
  builder.CreateBr(after);
  builder.SetInsertPoint(room);
  llvm::Value* results = builder.CreateCall(&callee, arguments);
  builder.CreateBr(after);
  builder.SetInsertPoint(after);
  llvm::PHINode* either = builder.CreatePHI(callee.getReturnType(), 2);
  either->addIncoming(zeros, reported);
  either->addIncoming(results, room);
  return either;
}

}  // namespace

Value emit_call(Emitter& emitter, const ir::Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  if (operation.callee->kind == ir::FunctionKind::external)
    return emit_external_call(emitter, operation);
  llvm::Function* callee = declare_device_function(emitter.compilation(), *operation.callee);
  llvm::SmallVector<llvm::Value*, 16> arguments;
  if (is_single(emitter.compilation())) {
    arguments = {emitter.launch.launch};
  } else {
    llvm::AllocaInst* slot = make_context_slot(*builder.GetInsertBlock()->getParent());
    WarpContext(builder, slot).store(emitter.launch, emitter.warp.index);
    arguments = {
        slot,
        emitter.lanes() == 1 ? builder.getTrue() : emitter.mask_bits(emitter.mask_or_all()),
        stack_limit(emitter)};
  }
  for (const ir::Operation* operand : operation.operands) {
    const Value value = emitter.value_of(*operand);
    for (const Component& component : value)
      arguments.push_back(emitter.lanes() == 1 ? component.value : emitter.vector_of(component));
  }
  llvm::Value* results = call_within_stack(emitter, operation, *callee, arguments);
  Value value;
  const Shapes& shapes = emitter.shapes().of(operation);
  for (unsigned i = 0; i < shapes.size(); ++i)
    value.push_back({shapes[i], builder.CreateExtractValue(results, i)});
  if (is_single(emitter.compilation()) && can_raise(emitter.compilation().source))
    leave_if_raised(emitter);
  return value;
}

}  // namespace phalanx::codegen::cpu
