#include "phalanx/codegen/cpu/launch_state.h"

#include <cstddef>

#include "phalanx/base/cpu_kernel.h"
#include "phalanx/codegen/llvm/emit_op.h"
#include "phalanx/codegen/llvm/lower_types.h"

namespace phalanx::codegen::cpu {

namespace {

class Loader {
 public:
  Loader(llvm::IRBuilderBase& builder, llvm::Value* launch) : builder_(builder), launch_(launch) {}

  llvm::Value* field(std::size_t offset, llvm::Type* type, const char* name) {
    llvm::LoadInst* load = builder_.CreateLoad(type, at(launch_, offset), name);
    // The launch and its parameters do not change while the kernel runs.
    load->setMetadata(
        llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(builder_.getContext(), {}));
    return load;
  }

  std::array<llvm::Value*, 3> triple(std::size_t offset, const char* name) {
    std::array<llvm::Value*, 3> values = {};
    for (std::size_t i = 0; i < 3; ++i)
      values[i] = field(offset + 4 * i, builder_.getInt32Ty(), name);
    return values;
  }

  llvm::Value* at(llvm::Value* base, std::size_t offset) {
    return builder_.CreateConstGEP1_64(builder_.getInt8Ty(), base, offset);
  }

 private:
  llvm::IRBuilderBase& builder_;
  llvm::Value* launch_;
};

llvm::Value* load_slot(llvm::IRBuilderBase& builder, llvm::Value* pointer, const ir::Type& type) {
  llvm::LLVMContext& context = builder.getContext();
  llvm::Type* memory = type.is_scalar()   ? memory_type(context, type.dtype())
                       : type.is_record() ? record_type(context, type)
                                          : llvm::PointerType::get(context, 0);
  const llvm::Align alignment(ir::alignment_of(type));
  llvm::LoadInst* load = builder.CreateAlignedLoad(memory, pointer, alignment);
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context, {}));
  return type.is_scalar() ? from_memory(builder, type.dtype(), load) : load;
}

// The slots of a parameter are its components, but for complex numbers: two slots in one.
void collect(
    llvm::IRBuilderBase& builder,
    const ir::Type& type,
    const std::vector<llvm::Value*>& slots,
    std::size_t& next,
    std::vector<llvm::Value*>& components) {
  const bool is_complex_type = (type.is_scalar() || type.is_vector()) && is_complex(type.dtype());
  if (type.is_tuple()) {
    for (const ir::Field& field : type.fields())
      collect(builder, field.type, slots, next, components);
    return;
  }
  const unsigned count = component_count(type);
  for (unsigned i = 0; i < count; ++i) {
    if (!is_complex_type) {
      components.push_back(slots.at(next++));
      continue;
    }
    llvm::Type* whole = register_type(builder.getContext(), type.dtype());
    llvm::Value* number = llvm::PoisonValue::get(whole);
    number = builder.CreateInsertValue(number, slots.at(next++), 0);
    components.push_back(builder.CreateInsertValue(number, slots.at(next++), 1));
  }
}

std::vector<std::vector<llvm::Value*>> load_parameters(
    llvm::IRBuilderBase& builder, llvm::Value* block, const ir::Function& kernel) {
  std::vector<ir::Type> types;
  for (const auto& parameter : kernel.parameters) types.push_back(parameter->type);
  const ir::ParameterLayout layout = ir::layout_parameters(types);
  std::vector<llvm::Value*> slots;
  for (const ir::Slot& slot : layout.slots) {
    llvm::Value* pointer = builder.CreateConstGEP1_64(builder.getInt8Ty(), block, slot.offset);
    slots.push_back(load_slot(builder, pointer, slot.type));
  }
  std::vector<std::vector<llvm::Value*>> parameters(types.size());
  for (std::size_t i = 0; i < types.size(); ++i) {
    std::size_t next = layout.first_slot[i];
    collect(builder, types[i], slots, next, parameters[i]);
  }
  return parameters;
}

// As phalanx::shadow_memory_bytes counts them.
void load_shadow(llvm::IRBuilderBase& builder, LaunchState& state, unsigned granule) {
  constexpr std::uint64_t header = shadow::header_bytes;
  constexpr std::uint64_t word = sizeof(std::uint32_t);
  const auto after = [&](llvm::Value* pointer, llvm::Value* bytes) {
    return builder.CreateGEP(builder.getInt8Ty(), pointer, bytes);
  };
  state.shadow = state.warps;
  llvm::Value* words = builder.CreateAdd(
      builder.CreateLShr(state.shared_bytes, granule), builder.getInt64(shadow::margin_words));
  llvm::Value* bytes = builder.CreateMul(words, builder.getInt64(word));
  state.shared_writes = after(state.shadow, builder.getInt64(header));
  state.shared_reads = after(state.shared_writes, bytes);
  llvm::Value* end = builder.CreateAdd(
      builder.getInt64(header + scratch_alignment - 1),
      builder.CreateMul(bytes, builder.getInt64(2)));
  state.warps = after(state.shadow, builder.CreateAnd(end, builder.getInt64(scratch_mask)));
}

}  // namespace

LaunchState load_launch(
    llvm::IRBuilderBase& builder,
    llvm::Value* launch,
    llvm::Value* scratch,
    const SharedLayout& layout,
    const ir::Function& kernel) {
  Loader loader(builder, launch);
  LaunchState state;
  state.launch = launch;
  state.scratch = scratch;
  state.grid = loader.triple(offsetof(CpuLaunch, grid), "grid");
  state.block = loader.triple(offsetof(CpuLaunch, block), "block");
  state.dynamic_bytes = loader.field(
      offsetof(CpuLaunch, dynamic_shared_bytes), builder.getInt32Ty(), "dynamic.bytes");
  const std::uint64_t static_bytes = rounded_in_scratch(layout.static_bytes);
  state.dynamic_shared = loader.at(scratch, static_bytes);
  llvm::Value* rounded = builder.getInt64(0);
  if (layout.has_dynamic) {
    llvm::Value* dynamic = builder.CreateZExt(state.dynamic_bytes, builder.getInt64Ty());
    rounded = builder.CreateAnd(
        builder.CreateAdd(dynamic, builder.getInt64(scratch_alignment - 1)),
        builder.getInt64(scratch_mask));
  }
  state.warps = builder.CreateGEP(builder.getInt8Ty(), state.dynamic_shared, rounded);
  state.shared_bytes = builder.CreateAdd(builder.getInt64(static_bytes), rounded);
  if (layout.granule)
    load_shadow(builder, state, *layout.granule);
  llvm::Value* parameters = loader.field(
      offsetof(CpuLaunch, parameters), llvm::PointerType::get(builder.getContext(), 0), "args");
  state.parameters = load_parameters(builder, parameters, kernel);
  return state;
}

}  // namespace phalanx::codegen::cpu
