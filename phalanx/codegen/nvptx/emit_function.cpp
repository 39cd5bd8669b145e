// The frame of a function, its control flow and its plain values.
#include <algorithm>

#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/nvptx/emit_parts.h"
#include "phalanx/codegen/nvptx/function_emitter.h"

namespace phalanx::codegen::nvptx {

using ir::Op;
using ir::Operation;

FunctionEmitter::FunctionEmitter(
    ModuleState& state, const ir::Function& source, llvm::Function& function)
    : state_(state),
      source_(source),
      function_(function),
      builder_(llvm::BasicBlock::Create(function.getContext(), "entry", &function)),
      ops_{
          .builder = builder_,
          .math = state.math,
          .contracts = state.options.contracts(),
          .fastmath = state.options.fastmath,
          // sm_75 has no bfloat16, and flushing denormals makes LLVM 19 write instructions on it
          // that do not exist.
          .converts_small_floats =
              state.target.compute_capability >= 80 && !state.options.fastmath.is_all(),
          .fuses_small_floats =
              state.target.compute_capability >= 80 && !state.options.fastmath.is_all()} {}

void FunctionEmitter::run() {
  bind_parameters();
  make_variables();
  if (source_.kind == ir::FunctionKind::kernel)
    clear_lanes_at_end(*this);
  if (!emit_region(source_.body))
    return;
  // A function that does nothing has its own line.
  if (llvm::DISubprogram* subprogram = function_.getSubprogram();
      subprogram != nullptr && !builder_.getCurrentDebugLocation())
    builder_.SetCurrentDebugLocation(
        llvm::DILocation::get(function_.getContext(), subprogram->getLine(), 0, subprogram));
  if (source_.result.is_none())
    end_function();
  else
    builder_.CreateUnreachable();
}

// Where control comes to the end of the body.
void FunctionEmitter::end_function() {
  if (source_.kind == ir::FunctionKind::kernel)
    note_lane_at_end(*this);
  return_nothing();
}

// An argument of the LLVM function for each slot of a kernel, for each component of a device
// function's parameter.
void FunctionEmitter::bind_parameters() {
  unsigned argument = source_.returns_status ? 1 : 0;
  for (const auto& parameter : source_.parameters) {
    Components value;
    if (source_.kind == ir::FunctionKind::kernel) {
      value = slots_to_components(parameter->type, argument);
    } else {
      for (unsigned i = component_count(parameter->type); i > 0; --i)
        value.push_back(function_.getArg(argument++));
    }
    define(*parameter, std::move(value));
  }
}

Components FunctionEmitter::slots_to_components(const ir::Type& type, unsigned& argument) {
  Components result;
  if (type.is_tuple()) {
    for (const ir::Field& field : type.fields())
      result.append(slots_to_components(field.type, argument));
    return result;
  }
  if (type.is_scalar() && is_complex(type.dtype())) {
    llvm::Value* real = function_.getArg(argument++);
    llvm::Value* imaginary = function_.getArg(argument++);
    return {make_complex(ops_, real, imaginary)};
  }
  const bool is_number = type.is_scalar() || type.is_vector();
  for (unsigned i = component_count(type); i > 0; --i) {
    llvm::Value* slot = function_.getArg(argument++);
    result.push_back(is_number ? from_memory(builder_, type.dtype(), slot) : slot);
  }
  return result;
}

void FunctionEmitter::make_variables() {
  const llvm::DataLayout& layout = state_.module.getDataLayout();
  for (const ir::Variable& variable : source_.variables) {
    auto& parts = variables_.emplace_back();
    for (llvm::Type* type :
         component_types(builder_.getContext(), variable.type, AddressSpaces::nvptx))
      parts.push_back(entry_alloca(type, layout.getPrefTypeAlign(type), variable.name));
  }
}

llvm::AllocaInst* FunctionEmitter::entry_alloca(
    llvm::Type* type, llvm::Align alignment, const llvm::Twine& name) {
  llvm::BasicBlock& entry = function_.getEntryBlock();
  llvm::IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
  llvm::AllocaInst* memory = builder.CreateAlloca(type, nullptr, name);
  memory->setAlignment(alignment);
  return memory;
}

llvm::BasicBlock* FunctionEmitter::new_block(const char* name) {
  return llvm::BasicBlock::Create(builder_.getContext(), name, &function_);
}

bool FunctionEmitter::emit_region(const ir::Region& region) {
  for (const auto& operation : region) {
    locate(*operation);
    emit(*operation);
    if (ir::ends_flow(*operation))
      return false;
  }
  return true;
}

void FunctionEmitter::emit(const Operation& operation) {
  if (emit_control(operation) || emit_memory(*this, operation) || emit_thread(*this, operation) ||
      emit_atomic(*this, operation) || emit_warp(*this, operation) ||
      emit_texture(*this, operation) || emit_check(*this, operation))
    return;
  define(operation, emit_value(operation));
}

bool FunctionEmitter::emit_control(const Operation& operation) {
  switch (operation.op) {
    case Op::if_:
      emit_if(operation);
      return true;
    case Op::loop:
      emit_loop(operation);
      return true;
    case Op::block:
      emit_block(operation);
      return true;
    case Op::break_:
      builder_.CreateBr(levels_.at(levels_.size() - 1 - operation.index).exit);
      return true;
    case Op::continue_:
      builder_.CreateBr(levels_.at(levels_.size() - 1 - operation.index).step);
      return true;
    case Op::return_:
      emit_return(operation);
      return true;
    case Op::call:
      emit_call(operation);
      return true;
    case Op::set: {
      const Components& value = components(operation.operands[0]);
      for (std::size_t i = 0; i < value.size(); ++i)
        builder_.CreateStore(value[i], variables_.at(operation.variable)[i]);
      return true;
    }
    default:
      return false;
  }
}

void FunctionEmitter::emit_if(const Operation& operation) {
  llvm::BasicBlock* then = new_block("then");
  llvm::BasicBlock* after = ir::ends_flow(operation) ? nullptr : new_block("after");
  const bool has_otherwise = !operation.regions[1].empty();
  llvm::BasicBlock* otherwise = has_otherwise ? new_block("else") : after;
  builder_.CreateCondBr(single(operation.operands[0]), then, otherwise);
  builder_.SetInsertPoint(then);
  if (emit_region(operation.regions[0]))
    builder_.CreateBr(after);
  if (has_otherwise) {
    builder_.SetInsertPoint(otherwise);
    if (emit_region(operation.regions[1]))
      builder_.CreateBr(after);
  }
  if (after != nullptr)
    builder_.SetInsertPoint(after);
}

void FunctionEmitter::emit_loop(const Operation& operation) {
  llvm::BasicBlock* body = new_block("body");
  llvm::BasicBlock* step = new_block("step");
  llvm::BasicBlock* exit = new_block("exit");
  levels_.push_back({.exit = exit, .step = step});
  builder_.CreateBr(body);
  builder_.SetInsertPoint(body);
  if (emit_region(operation.regions[0]))
    builder_.CreateBr(step);
  builder_.SetInsertPoint(step);
  if (emit_region(operation.regions[1]))
    builder_.CreateBr(body);
  levels_.pop_back();
  builder_.SetInsertPoint(exit);
}

void FunctionEmitter::emit_block(const Operation& operation) {
  llvm::BasicBlock* exit = new_block("exit");
  levels_.push_back({.exit = exit, .step = nullptr});
  if (emit_region(operation.regions[0]))
    builder_.CreateBr(exit);
  levels_.pop_back();
  builder_.SetInsertPoint(exit);
}

void FunctionEmitter::return_nothing() {
  if (source_.returns_status)
    builder_.CreateRet(builder_.getInt32(0));
  else
    builder_.CreateRetVoid();
}

void FunctionEmitter::emit_return(const Operation& operation) {
  if (operation.operands.empty()) {
    if (&operation == source_.body.back().get())
      end_function();
    else
      return_nothing();
    return;
  }
  const Components& value = components(operation.operands[0]);
  if (source_.returns_status) {
    store(*this, function_.getArg(0), source_.result, value);
    return_nothing();
    return;
  }
  if (value.size() == 1)
    builder_.CreateRet(value[0]);
  else
    builder_.CreateAggregateRet(value.data(), static_cast<unsigned>(value.size()));
}

// Linked code knows pointers without a memory space only.
void FunctionEmitter::add_arguments(
    const Operation& call, llvm::SmallVectorImpl<llvm::Value*>& arguments) {
  llvm::Type* generic = builder_.getPtrTy();
  for (const Operation* argument : call.operands) {
    for (llvm::Value* part : components(argument)) {
      const bool is_cast =
          call.callee->kind == ir::FunctionKind::external && part->getType()->isPointerTy();
      arguments.push_back(is_cast ? builder_.CreateAddrSpaceCast(part, generic) : part);
    }
  }
}

// The callee writes its result where the first argument points. What it raises is not seen.
void FunctionEmitter::emit_call_with_status(const Operation& operation) {
  llvm::SmallVector<llvm::Value*, 8> arguments;
  const bool has_result = !operation.type.is_none();
  const std::size_t bytes = has_result ? ir::size_of(operation.type) : 8;
  llvm::Type* type = llvm::ArrayType::get(builder_.getInt8Ty(), bytes);
  llvm::AllocaInst* slot = entry_alloca(type, llvm::Align(16), "result");
  arguments.push_back(slot);
  add_arguments(operation, arguments);
  builder_.CreateCall(state_.functions.at(operation.callee), arguments);
  define(operation, has_result ? load(*this, slot, operation.type) : Components{});
}

void FunctionEmitter::emit_call(const Operation& operation) {
  if (operation.callee->returns_status) {
    emit_call_with_status(operation);
    return;
  }
  llvm::Function* callee = state_.functions.at(operation.callee);
  llvm::SmallVector<llvm::Value*, 8> arguments;
  add_arguments(operation, arguments);
  llvm::Value* result = builder_.CreateCall(callee, arguments);
  const unsigned count = component_count(operation.type);
  Components value;
  if (count == 1)
    value.push_back(result);
  for (unsigned i = 0; count > 1 && i < count; ++i)
    value.push_back(builder_.CreateExtractValue(result, i));
  define(operation, std::move(value));
}

Components FunctionEmitter::emit_value(const Operation& operation) {
  if (ir::is_elementwise(operation.op))
    return emit_elementwise_operation(operation);
  llvm::LLVMContext& context = builder_.getContext();
  switch (operation.op) {
    case Op::constant:
      return {emit_constant(context, operation.type.dtype(), operation.constant)};
    case Op::undefined: {
      Components value;
      for (llvm::Type* type : component_types(context, operation.type, AddressSpaces::nvptx))
        value.push_back(llvm::UndefValue::get(type));
      return value;
    }
    case Op::cast:
      return {emit_cast(
          ops_,
          operation.operands[0]->type.dtype(),
          operation.type.dtype(),
          operand(operation, 0))};
    case Op::bitcast:
      return emit_bitcast_operation(operation);
    case Op::complex_make:
      return {make_complex(ops_, operand(operation, 0), operand(operation, 1))};
    case Op::complex_real:
      return {real_of(ops_, operand(operation, 0))};
    case Op::complex_imag:
      return {imaginary_of(ops_, operand(operation, 0))};
    case Op::get: {
      Components value;
      for (llvm::AllocaInst* part : variables_.at(operation.variable))
        value.push_back(builder_.CreateLoad(part->getAllocatedType(), part));
      return value;
    }
    case Op::tuple_make:
    case Op::vector_make: {
      Components value;
      for (const Operation* element : operation.operands) value.append(components(element));
      return value;
    }
    case Op::tuple_get: {
      const Components& tuple = components(operation.operands[0]);
      const auto index = static_cast<unsigned>(operation.index);
      const auto* first = tuple.begin() + first_component(operation.operands[0]->type, index);
      return {first, first + component_count(operation.type)};
    }
    case Op::vector_get:
      return {components(operation.operands[0])[static_cast<std::size_t>(operation.index)]};
    default:
      fail(operation, "the GPU back end has no form for it");
  }
}

Components FunctionEmitter::emit_elementwise_operation(const Operation& operation) {
  llvm::SmallVector<llvm::Value*, 3> operands;
  for (const Operation* value : operation.operands) operands.push_back(single(value));
  // LLVM takes the exact square root for cheap here, whatever the flags say.
  const FastMath& fastmath = state_.options.fastmath;
  if (operation.op == Op::sqrt && fastmath.has(FastFlag::afn) && operation.type == DType::float32)
    return {builder_.CreateIntrinsic(
        fastmath.is_all() ? llvm::Intrinsic::nvvm_sqrt_approx_ftz_f
                          : llvm::Intrinsic::nvvm_sqrt_approx_f,
        {},
        operands)};
  const std::size_t typed = operation.op == Op::select ? 1 : 0;
  return {codegen::emit_elementwise(ops_, operation.op, operation.operands[typed]->type, operands)};
}

Components FunctionEmitter::emit_bitcast_operation(const Operation& operation) {
  const ir::Type& from = operation.operands[0]->type;
  const ir::Type& to = operation.type;
  llvm::Value* value = operand(operation, 0);
  const auto is_plain = [](const ir::Type& type) {
    return type.is_scalar() && !is_complex(type.dtype());
  };
  if (is_plain(from) && is_plain(to))
    return {emit_bitcast(ops_, from.dtype(), to.dtype(), value)};
  if (from.is_pointer() && to.is_pointer())
    return {as_pointer(builder_, value, to)};
  // Through memory, which the optimiser removes.
  llvm::Type* bytes = llvm::ArrayType::get(builder_.getInt8Ty(), ir::size_of(to));
  llvm::Value* memory = entry_alloca(bytes, llvm::Align(16), "bits");
  store(*this, memory, from, components(operation.operands[0]));
  return load(*this, memory, to);
}

Components& FunctionEmitter::components(const Operation* operation) {
  const auto found = values_.find(operation);
  PHX_ASSERT(found != values_.end());
  return found->second;
}

llvm::Value* FunctionEmitter::single(const Operation* operation) {
  const Components& value = components(operation);
  PHX_ASSERT(value.size() == 1);
  return value[0];
}

llvm::Value* FunctionEmitter::operand(const Operation& operation, std::size_t index) {
  return components(operation.operands[index])[0];
}

void FunctionEmitter::define(const Operation& operation, Components value) {
  values_[&operation] = std::move(value);
}

void FunctionEmitter::locate(const Operation& operation) {
  llvm::DISubprogram* scope = function_.getSubprogram();
  if (scope == nullptr)
    return;
  const Location& location = operation.location;
  builder_.SetCurrentDebugLocation(llvm::DILocation::get(
      builder_.getContext(),
      location.line == 0 ? scope->getLine() : location.line,
      location.line == 0 ? 0 : location.column + 1,
      scope));
}

void FunctionEmitter::fail(const Operation& operation, const std::string& message) {
  throw CompileError(
      CompileError::Kind::lowering,
      "the operation " + std::string(ir::name_of(operation.op)) + ": " + message);
}

}  // namespace phalanx::codegen::nvptx
