// Functions and global variables of a module.
#include <algorithm>
#include <iterator>
#include <utility>

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>

#include "phalanx/base/cpu_kernel.h"
#include "phalanx/base/errors.h"
#include "phalanx/codegen/nvptx/function_emitter.h"
#include "phalanx/codegen/nvptx/module_state.h"
#include "phalanx/ir/abi.h"
#include "phalanx/ir/clone.h"
#include "phalanx/ir/typing.h"

namespace phalanx::codegen::nvptx {
namespace {

constexpr unsigned global_space = 1;
constexpr unsigned shared_space = 3;
constexpr unsigned constant_space = 4;
// PTX gives a module 64 KB of constant memory; more lies in global memory.
constexpr std::size_t most_constant_bytes = 64 * 1024;
// And of shared memory 48 KB: what a block has beyond that is given to dynamic memory only.
constexpr std::size_t most_shared_bytes = 48 * 1024;

llvm::Type* slot_type(llvm::LLVMContext& context, const ir::Type& slot) {
  if (slot.is_scalar())
    return memory_type(context, slot.dtype());
  return component_types(context, slot, AddressSpaces::nvptx).front();
}

llvm::FunctionType* signature_of(llvm::LLVMContext& context, const ir::Function& function) {
  std::vector<llvm::Type*> parameters;
  if (function.returns_status)
    parameters.push_back(llvm::PointerType::get(context, 0));
  for (const auto& parameter : function.parameters) {
    if (function.kind == ir::FunctionKind::kernel) {
      for (const ir::Type& slot : ir::flatten(parameter->type))
        parameters.push_back(slot_type(context, slot));
      continue;
    }
    const auto spaces =
        function.kind == ir::FunctionKind::external ? AddressSpaces::flat : AddressSpaces::nvptx;
    for (llvm::Type* part : component_types(context, parameter->type, spaces))
      parameters.push_back(part);
  }
  const auto results = component_types(context, function.result, AddressSpaces::nvptx);
  llvm::Type* result = llvm::Type::getVoidTy(context);
  if (results.size() == 1)
    result = results.front();
  else if (results.size() > 1)
    result = llvm::StructType::get(context, results);
  if (function.returns_status)
    result = llvm::Type::getInt32Ty(context);
  return llvm::FunctionType::get(result, parameters, false);
}

// Arrays that the kernel may not write through their parameter.
void mark_readonly(llvm::Function& function, const ir::Function& source) {
  unsigned argument = 0;
  for (const auto& parameter : source.parameters) {
    if (parameter->type.is_array() && !parameter->type.is_mutable())
      function.addParamAttr(argument, llvm::Attribute::ReadOnly);
    argument += static_cast<unsigned>(ir::flatten(parameter->type).size());
  }
}

void annotate(llvm::Function& kernel, const char* name, unsigned value) {
  llvm::LLVMContext& context = kernel.getContext();
  llvm::Metadata* row[] = {
      llvm::ValueAsMetadata::get(&kernel),
      llvm::MDString::get(context, name),
      llvm::ConstantAsMetadata::get(
          llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), value))};
  kernel.getParent()
      ->getOrInsertNamedMetadata("nvvm.annotations")
      ->addOperand(llvm::MDNode::get(context, row));
}

void make_kernel(llvm::Function& function, const ir::Function& source, const Options& options) {
  function.setCallingConv(llvm::CallingConv::PTX_Kernel);
  annotate(function, "kernel", 1);
  if (options.max_threads != 0)
    annotate(function, "maxntidx", options.max_threads);
  if (options.min_blocks != 0)
    annotate(function, "minctasm", options.min_blocks);
  if (options.max_registers != 0)
    annotate(function, "maxnreg", options.max_registers);
  mark_readonly(function, source);
}

llvm::Function* declare(ModuleState& state, const ir::Function& source) {
  llvm::LLVMContext& context = state.module.getContext();
  const bool is_kernel = source.kind == ir::FunctionKind::kernel;
  auto* function = llvm::Function::Create(
      signature_of(context, source),
      source.kind == ir::FunctionKind::device ? llvm::Function::InternalLinkage
                                              : llvm::Function::ExternalLinkage,
      ptx_name(source.name),
      state.module);
  function->setDoesNotThrow();
  if (is_kernel)
    make_kernel(*function, source, state.options);
  if (state.lines && source.kind != ir::FunctionKind::external)
    state.lines->describe(*function, source);
  return function;
}

// GCC takes LLVM's own operator delete, for the case that the constructor throws, for a mismatch.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"

struct GlobalMemory {
  std::string name;
  llvm::Type* type;
  unsigned space;
  std::size_t alignment;
  llvm::Constant* content = nullptr;  // null: defined elsewhere
  bool is_constant = false;
  llvm::GlobalValue::LinkageTypes linkage = llvm::GlobalValue::InternalLinkage;
};

llvm::GlobalVariable* add_global(llvm::Module& module, const GlobalMemory& memory) {
  auto* global = new llvm::GlobalVariable(  // the module owns it
      module,
      memory.type,
      memory.is_constant,
      memory.linkage,
      memory.content,
      memory.name,
      nullptr,
      llvm::GlobalValue::NotThreadLocal,
      memory.space);
  global->setAlignment(llvm::Align(memory.alignment));
  return global;
}

#pragma GCC diagnostic pop

std::size_t bytes_of(const ir::Operation& array) {
  std::size_t bytes = ir::element_stride(array.type.element());
  for (const std::int64_t extent : array.shape) bytes *= static_cast<std::size_t>(extent);
  return bytes;
}

std::size_t shared_alignment(const ir::Operation& array) {
  const auto requested = static_cast<std::size_t>(array.index);
  return std::max<std::size_t>({ir::alignment_of(array.type.element()), requested, 16});
}

std::size_t rounded_up(std::size_t bytes, std::size_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

using Functions = std::vector<const ir::Function*>;

// Lays fixed arrays out behind each other.
class FixedArrays {
 public:
  explicit FixedArrays(ModuleState& state) : state_(&state) {}

  // Gives where they end, when they begin there.
  std::size_t place(const Functions& functions, std::size_t begin) {
    for (const ir::Function* function : functions) {
      ir::for_each(function->body, [&](const ir::Operation& operation) {
        if (operation.op == ir::Op::dynamic_shared_array)
          state_->launch_alignment =
              std::max(state_->launch_alignment, shared_alignment(operation));
        if (operation.op != ir::Op::shared_array)
          return;
        alignment = std::max(alignment, shared_alignment(operation));
        begin = rounded_up(begin, shared_alignment(operation));
        state_->moved_shared[&operation] = begin;
        begin += bytes_of(operation);
      });
    }
    return begin;
  }

  std::size_t alignment = 0;  // of all that were placed

 private:
  ModuleState* state_;
};

// Where a kernel's fixed arrays have more than 48 KB together, all of the module's begin the
// dynamic memory: those of functions that several kernels call first, then each kernel's at one
// offset.
void place_fixed_arrays(ModuleState& state) {
  std::map<const ir::Function*, int> callers;
  for (const ir::Function* kernel : state.source.kernels())
    for (const ir::Function* each : ir::reachable_from(state.source, *kernel)) ++callers[each];
  const auto select = [&](const Functions& functions, bool is_common) {
    Functions selected;
    std::ranges::copy_if(functions, std::back_inserter(selected), [&](const ir::Function* each) {
      return (callers[each] != 1) == is_common;
    });
    return selected;
  };
  Functions all;
  for (const auto& function : state.source.functions) all.push_back(function.get());
  FixedArrays arrays(state);
  const std::size_t common = arrays.place(select(all, true), 0);
  std::size_t bytes = common;
  for (const ir::Function* kernel : state.source.kernels()) {
    const Functions own = select(ir::reachable_from(state.source, *kernel), false);
    bytes = std::max(bytes, arrays.place(own, common));
  }
  if (bytes <= most_shared_bytes) {
    state.moved_shared.clear();
    return;
  }
  state.launch_alignment = std::max(state.launch_alignment, arrays.alignment);
  state.moved_shared_bytes = rounded_up(bytes, state.launch_alignment);
}

// What the launch gives beside its parameters: an array of unknown length.
llvm::GlobalVariable* launch_memory_of(ModuleState& state) {
  constexpr const char* name = "phalanx_dynamic_shared";
  if (llvm::GlobalVariable* known = state.module.getGlobalVariable(name))
    return known;
  llvm::Type* byte = llvm::Type::getInt8Ty(state.module.getContext());
  return add_global(
      state.module,
      {.name = name,
       .type = llvm::ArrayType::get(byte, 0),
       .space = shared_space,
       .alignment = state.launch_alignment,
       .linkage = llvm::GlobalValue::ExternalLinkage});
}

llvm::Constant* launch_memory_at(ModuleState& state, std::size_t offset) {
  llvm::GlobalVariable* memory = launch_memory_of(state);
  if (offset == 0)
    return memory;
  llvm::LLVMContext& context = state.module.getContext();
  return llvm::ConstantExpr::getGetElementPtr(
      llvm::Type::getInt8Ty(context),
      memory,
      llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), offset));
}

}  // namespace

std::string ptx_name(std::string_view name) {
  std::string result;
  for (const char c : name) {
    const bool fits = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                      c == '_' || c == '$';
    result += fits ? c : '_';
  }
  const bool starts_badly = result.empty() || (result.front() >= '0' && result.front() <= '9');
  return starts_badly ? "_" + result : result;
}

std::size_t fixed_shared_bytes(const ir::Module& module) {
  std::size_t bytes = 0;
  for (const auto& function : module.functions) {
    ir::for_each(std::as_const(function->body), [&](const ir::Operation& operation) {
      if (operation.op == ir::Op::shared_array)
        bytes = rounded_up(bytes, shared_alignment(operation)) + bytes_of(operation);
    });
  }
  return bytes;
}

void emit_functions(ModuleState& state) {
  place_fixed_arrays(state);
  // All of them: the host may ask for one that no kernel uses.
  for (std::size_t i = 0; i < state.source.globals.size(); ++i)
    global_array_of(state, static_cast<std::int64_t>(i));
  for (const auto& function : state.source.functions)
    state.functions[function.get()] = declare(state, *function);
  for (const auto& function : state.source.functions) {
    if (function->kind == ir::FunctionKind::external)
      continue;
    FunctionEmitter emitter(state, *function, *state.functions.at(function.get()));
    emitter.run();
  }
  if (state.lines)
    state.lines->finish();
}

llvm::Constant* shared_array_of(ModuleState& state, const ir::Operation& array) {
  const ir::Type& element = array.type.element();
  const std::size_t bytes = bytes_of(array);
  const std::size_t alignment = shared_alignment(array);
  if (const auto moved = state.moved_shared.find(&array); moved != state.moved_shared.end())
    return launch_memory_at(state, moved->second);
  llvm::Type* unit = element.is_scalar() ? memory_type(state.module.getContext(), element.dtype())
                                         : llvm::Type::getInt8Ty(state.module.getContext());
  const std::uint64_t unit_bytes = state.module.getDataLayout().getTypeAllocSize(unit);
  llvm::Type* type = llvm::ArrayType::get(unit, bytes / unit_bytes);
  return add_global(
      state.module,
      {.name = array.name.empty() ? "shared" : ptx_name(array.name),
       .type = type,
       .space = shared_space,
       .alignment = alignment,
       .content = llvm::PoisonValue::get(type)});
}

llvm::Constant* dynamic_shared_memory(ModuleState& state) {
  return launch_memory_at(state, state.moved_shared_bytes);
}

llvm::Constant* constant_array_of(ModuleState& state, std::int64_t index) {
  llvm::LLVMContext& context = state.module.getContext();
  llvm::GlobalVariable*& global = state.constants[index];
  if (global == nullptr) {
    std::size_t all_bytes = 0;
    for (const ir::ConstantArray& array : state.source.constants) all_bytes += array.bytes.size();
    const auto& bytes = state.source.constants[static_cast<std::size_t>(index)].bytes;
    llvm::Constant* content = llvm::ConstantDataArray::getRaw(
        llvm::StringRef(reinterpret_cast<const char*>(bytes.data()), bytes.size()),
        bytes.size(),
        llvm::Type::getInt8Ty(context));
    global = add_global(
        state.module,
        {.name = "constant" + std::to_string(index),
         .type = content->getType(),
         .space = all_bytes <= most_constant_bytes ? constant_space : global_space,
         .alignment = 16,
         .content = content,
         .is_constant = true});
  }
  return llvm::ConstantExpr::getAddrSpaceCast(global, llvm::PointerType::get(context, 0));
}

llvm::Constant* global_array_of(ModuleState& state, std::int64_t index) {
  llvm::LLVMContext& context = state.module.getContext();
  const ir::Global& global = state.source.globals.at(static_cast<std::size_t>(index));
  const std::string name = std::string(global_prefix) + global.name;
  llvm::GlobalVariable* memory = state.module.getGlobalVariable(name);
  const bool is_constant = global.space == ir::Space::constant;
  if (memory == nullptr) {
    auto* type = llvm::ArrayType::get(llvm::Type::getInt8Ty(context), ir::size_of(global));
    llvm::Constant* content = llvm::Constant::getNullValue(type);
    if (!global.bytes.empty())
      content = llvm::ConstantDataArray::getRaw(
          llvm::StringRef(reinterpret_cast<const char*>(global.bytes.data()), global.bytes.size()),
          global.bytes.size(),
          llvm::Type::getInt8Ty(context));
    memory = add_global(
        state.module,
        {.name = name,
         .type = type,
         .space = is_constant ? constant_space : global_space,
         .alignment = is_constant ? std::size_t{16} : std::size_t{256},
         .content = content,
         .is_constant = is_constant,
         .linkage = llvm::GlobalValue::ExternalLinkage});
    memory->setExternallyInitialized(true);  // the host writes it, too
  }
  if (!is_constant)
    return memory;
  return llvm::ConstantExpr::getAddrSpaceCast(memory, llvm::PointerType::get(context, 0));
}

llvm::GlobalVariable* error_log(ModuleState& state) {
  constexpr const char* name = "phalanx_error";
  if (llvm::GlobalVariable* known = state.module.getGlobalVariable(name))
    return known;
  static_assert(sizeof(ErrorLog) % sizeof(std::uint64_t) == 0);
  auto* type = llvm::ArrayType::get(
      llvm::Type::getInt64Ty(state.module.getContext()), sizeof(ErrorLog) / sizeof(std::uint64_t));
  llvm::GlobalVariable* global = add_global(
      state.module,
      {.name = name,
       .type = type,
       .space = global_space,
       .alignment = alignof(ErrorLog),
       .content = llvm::Constant::getNullValue(type),
       .linkage = llvm::GlobalValue::ExternalLinkage});
  global->setExternallyInitialized(true);
  return global;
}

llvm::GlobalVariable* lanes_at_end(ModuleState& state) {
  constexpr const char* name = "phalanx_lanes_at_end";
  constexpr std::size_t most_warps = 32;
  if (llvm::GlobalVariable* known = state.module.getGlobalVariable(name, true))
    return known;
  constexpr std::size_t bytes = sizeof(std::uint32_t);
  state.further_shared_bytes = rounded_up(state.further_shared_bytes, bytes) + most_warps * bytes;
  auto* type = llvm::ArrayType::get(llvm::Type::getInt32Ty(state.module.getContext()), most_warps);
  return add_global(
      state.module,
      {.name = name,
       .type = type,
       .space = shared_space,
       .alignment = bytes,
       .content = llvm::PoisonValue::get(type)});
}

llvm::GlobalVariable* sink_global(ModuleState& state, unsigned space, std::size_t bytes) {
  constexpr std::size_t alignment = 16;
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  const std::string name = "phalanx_sink_" + std::to_string(space) + "_" + std::to_string(rounded);
  if (llvm::GlobalVariable* known = state.module.getGlobalVariable(name, true))
    return known;
  if (space == shared_space)
    state.further_shared_bytes = rounded_up(state.further_shared_bytes, alignment) + rounded;
  auto* type = llvm::ArrayType::get(llvm::Type::getInt8Ty(state.module.getContext()), rounded);
  llvm::Constant* content = llvm::Constant::getNullValue(type);
  if (space == shared_space)
    content = llvm::PoisonValue::get(type);
  return add_global(
      state.module,
      {.name = name, .type = type, .space = space, .alignment = alignment, .content = content});
}

}  // namespace phalanx::codegen::nvptx
