#include "phalanx/codegen/cpu/memory_emitter.h"

#include <algorithm>
#include <numeric>

#include <llvm/IR/Constants.h>

#include "phalanx/codegen/cpu/emitter.h"
#include "phalanx/codegen/llvm/lower_types.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;

namespace {

// One scalar access that a value of some type in memory is made of.
struct Part {
  llvm::Type* type = nullptr;  // in memory
  std::uint64_t offset = 0;
  std::size_t alignment = 1;
};

std::vector<Part> parts_of(llvm::LLVMContext& context, const ir::Type& type) {
  std::vector<Part> parts;
  if (type.is_record()) {
    auto* blob = llvm::cast<llvm::ArrayType>(record_type(context, type));
    const std::uint64_t bytes = blob->getElementType()->getIntegerBitWidth() / 8;
    for (std::uint64_t i = 0; i < blob->getNumElements(); ++i)
      parts.push_back({blob->getElementType(), i * bytes, bytes});
    return parts;
  }
  if (type.is_pointer())
    return {{llvm::PointerType::get(context, 0), 0, 8}};
  const DType real = real_part_of(type.dtype());
  unsigned count = type.is_vector() ? type.lanes() : 1;
  if (is_complex(type.dtype()))
    count *= 2;
  for (unsigned i = 0; i < count; ++i)
    parts.push_back({memory_type(context, real), i * size_of(real), size_of(real)});
  return parts;
}

constexpr std::int64_t most_gaps = 4;  // elements from lane to lane that are not gathered

// Every `step`-th element from `base` on, one a lane.
struct Gapped {
  llvm::Type* type = nullptr;
  llvm::Value* base = nullptr;
  llvm::Align alignment;
  unsigned lanes = 1;
  unsigned step = 1;
};

// Whole vectors, and the lanes picked out of them. Nothing is read after the last lane's element.
// Calls mark(load).
template <typename Mark>
llvm::Value* load_with_gaps(llvm::IRBuilder<>& builder, const Gapped& elements, const Mark& mark) {
  const auto& [type, base, alignment, lanes, step] = elements;
  auto* whole = llvm::FixedVectorType::get(type, lanes);
  llvm::SmallVector<llvm::Constant*, 32> is_read(lanes, builder.getTrue());
  std::fill(is_read.end() - (step - 1), is_read.end(), builder.getFalse());
  llvm::SmallVector<llvm::Value*, 4> parts;
  for (unsigned i = 0; i < step; ++i) {
    llvm::Value* pointer = builder.CreateConstGEP1_64(type, base, std::uint64_t{i} * lanes);
    llvm::Instruction* part = nullptr;
    if (i + 1 < step)
      part = builder.CreateAlignedLoad(whole, pointer, alignment);
    else
      part = builder.CreateMaskedLoad(
          whole,
          pointer,
          alignment,
          llvm::ConstantVector::get(is_read),
          llvm::Constant::getNullValue(whole));
    mark(part);
    parts.push_back(part);
  }
  llvm::Value* result = parts[0];
  for (unsigned i = 0; i < step; ++i) {
    llvm::SmallVector<int, 32> picks;  // of what was found before, then of this part
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const unsigned element = lane * step;
      const unsigned part = element / lanes;
      const unsigned here = lanes + element % lanes;
      picks.push_back(part > i ? llvm::PoisonMaskElem : static_cast<int>(part < i ? lane : here));
    }
    result = builder.CreateShuffleVector(result, parts[i], picks);
  }
  return result;
}

}  // namespace

Value MemoryEmitter::emit_value(const Operation& operation) {
  switch (operation.op) {
    case Op::array_element: {
      const Address address = element_address(operation);
      if (address.speculative)
        define_affine(operation, *address.speculative);
      return {address.pointer};
    }
    case Op::array_load:
      return emit_load(element_address(operation), operation.type);
    case Op::pointer_offset: {
      const Component pointer = emitter_.value_of(*operation.operands[0])[0];
      const Component bytes = emitter_.value_of(*operation.operands[1])[0];
      return {emitter_.add_offset(pointer, bytes, operation.operands[0]->type.space())};
    }
    case Op::pointer_field: {
      const ir::Type& record = operation.operands[0]->type.element();
      const auto index = static_cast<std::size_t>(operation.index);
      const Component pointer = emitter_.value_of(*operation.operands[0])[0];
      llvm::Value* moved = builder_.CreateConstGEP1_64(
          builder_.getInt8Ty(), pointer.value, record.fields().at(index).offset);
      return {{pointer.shape, moved}};
    }
    default:  // load, hinted_load
      return emit_load(address_of(*operation.operands[0]), operation.type);
  }
}

void MemoryEmitter::emit_effect(const Operation& store) {
  if (emitter_.surroundings().is_dropped(store))
    return;
  emitter_.control().note_effect();
  const Value value = emitter_.value_of(*store.operands.back());
  Address address =
      store.op == Op::array_store ? element_address(store) : address_of(*store.operands[0]);
  const auto wanted = emitter_.launch.non_temporal.find(&store);
  if (store.op == Op::store && wanted != emitter_.launch.non_temporal.end())
    address.non_temporal = past_caches(wanted->second, address);
  emit_store(address, store.operands[0]->type.element(), value);
}

// Whole cache lines only. Where the lines of an array begin is asked once a row, a pointer's each
// time: only the kernel knows its rows.
llvm::Value* MemoryEmitter::past_caches(llvm::Value* wanted, const Address& address) {
  constexpr std::uint64_t cache_line = 64;
  if (address.pointer.shape.uniformity != Uniformity::affine)
    return nullptr;
  llvm::Value* number = builder_.CreatePtrToInt(address.pointer.value, builder_.getInt64Ty());
  llvm::Value* in_line = builder_.CreateAnd(number, builder_.getInt64(cache_line - 1), "in.line");
  return builder_.CreateAnd(wanted, builder_.CreateICmpEQ(in_line, builder_.getInt64(0)));
}

void MemoryEmitter::mark(llvm::Instruction* access, ir::Space space, std::int64_t memory) {
  compilation_.alias.mark(*access, space, memory);
}

llvm::Value* MemoryEmitter::pointers_of(const Component& pointer, std::uint64_t offset) {
  llvm::Value* pointers = emitter_.vector_of(pointer);
  if (offset == 0)
    return pointers;
  return builder_.CreateGEP(builder_.getInt8Ty(), pointers, builder_.getInt64(offset));
}

llvm::Value* MemoryEmitter::load_component(
    const Address& address, llvm::Type* type, std::uint64_t offset, std::size_t align) {
  const Component& pointer = address.pointer;
  const llvm::Align alignment(align);
  const auto bytes = static_cast<std::int64_t>(
      compilation_.module.getDataLayout().getTypeStoreSize(type).getFixedValue());
  // In shared memory, SharedWindows finds what neighbours have in common too.
  const bool has_gaps =
      address.space != ir::Space::shared && pointer.shape.uniformity == Uniformity::affine &&
      emitter_.mask() == nullptr && pointer.shape.stride > bytes &&
      pointer.shape.stride % bytes == 0 && pointer.shape.stride / bytes <= most_gaps &&
      pointer.shape.stride / bytes < std::int64_t{emitter_.lanes()} &&
      type->getPrimitiveSizeInBits() >= 32;
  if (has_gaps) {
    llvm::Value* base = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), pointer.value, offset);
    const auto step = static_cast<unsigned>(pointer.shape.stride / bytes);
    const Gapped elements = {type, base, alignment, emitter_.lanes(), step};
    return load_with_gaps(builder_, elements, [&](llvm::Instruction* part) {
      mark(part, address.space, address.memory);
    });
  }
  llvm::Instruction* loaded = nullptr;
  const bool is_contiguous =
      pointer.shape.uniformity == Uniformity::affine && pointer.shape.stride == bytes;
  if (pointer.shape.is_uniform() || is_contiguous) {
    llvm::Value* base = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), pointer.value, offset);
    llvm::Type* whole = is_contiguous ? llvm::FixedVectorType::get(type, emitter_.lanes()) : type;
    loaded =
        is_contiguous && emitter_.mask() != nullptr
            ? static_cast<llvm::Instruction*>(builder_.CreateMaskedLoad(
                  whole, base, alignment, emitter_.mask(), llvm::Constant::getNullValue(whole)))
            : builder_.CreateAlignedLoad(whole, base, alignment);
  } else {
    llvm::Type* whole = llvm::FixedVectorType::get(type, emitter_.lanes());
    llvm::Value* pointers = pointers_of(pointer, offset);
    llvm::CallInst* gather = builder_.CreateMaskedGather(
        whole, pointers, alignment, emitter_.mask_or_all(), llvm::Constant::getNullValue(whole));
    if (address.is_alternative)
      gather->addFnAttr(llvm::Attribute::NoMerge);
    loaded = gather;
  }
  mark(loaded, address.space, address.memory);
  return loaded;
}

Value MemoryEmitter::emit_load(const Address& address, const ir::Type& type) {
  if (address.speculative)
    return emit_speculative_load(address, type);
  const Shape shape = address.pointer.shape.is_uniform()
                          ? Shape::of(address.pointer.shape.uniformity)
                          : Shape::of(Uniformity::varying);
  llvm::SmallVector<llvm::Value*, 4> loaded;
  for (const Part& element_part : parts_of(emitter_.context(), type))
    loaded.push_back(
        load_component(address, element_part.type, element_part.offset, element_part.alignment));
  if (type.is_scalar() && !is_complex(type.dtype()))
    return {{shape, from_memory(builder_, type.dtype(), loaded[0])}};
  if (type.is_pointer())
    return {{shape, loaded[0]}};
  if (type.is_vector()) {
    Value value;
    for (llvm::Value* element : loaded)
      value.push_back({shape, from_memory(builder_, type.dtype(), element)});
    return value;
  }
  llvm::Value* whole = llvm::PoisonValue::get(emitter_.component_type(type, 0, shape));
  for (unsigned i = 0; i < loaded.size(); ++i)
    whole = builder_.CreateInsertValue(whole, loaded[i], i);
  return {{shape, whole}};
}

// A vector of more than a register, part after part: LLVM stores the parts of one instruction in
// any order, often the last first, and what goes through memory backwards took 1.4 times as long
// (bench/results/2026-11-27-cuda-c-cpu.md).
void MemoryEmitter::store_whole(
    llvm::Value* whole, llvm::Value* base, llvm::Align alignment, const Address& address) {
  auto* type = llvm::cast<llvm::FixedVectorType>(whole->getType());
  const llvm::DataLayout& layout = compilation_.module.getDataLayout();
  const unsigned lanes = type->getNumElements();
  const auto bytes = static_cast<unsigned>(layout.getTypeStoreSize(type->getElementType()));
  const unsigned in_register = std::clamp(compilation_.target.vector_bits / 8 / bytes, 1U, lanes);
  for (unsigned first = 0; first < lanes; first += in_register) {
    const unsigned count = std::min(in_register, lanes - first);
    llvm::SmallVector<int, 64> picks(count);
    std::iota(picks.begin(), picks.end(), static_cast<int>(first));
    llvm::Value* part = count == lanes ? whole : builder_.CreateShuffleVector(whole, picks);
    const std::uint64_t offset = std::uint64_t{first} * bytes;
    llvm::Value* to =
        first == 0 ? base : builder_.CreateConstGEP1_64(builder_.getInt8Ty(), base, offset);
    llvm::StoreInst* store =
        builder_.CreateAlignedStore(part, to, llvm::commonAlignment(alignment, offset));
    if (address.non_temporal != nullptr) {
      llvm::Metadata* one = llvm::ConstantAsMetadata::get(builder_.getInt32(1));
      store->setMetadata(
          llvm::LLVMContext::MD_nontemporal, llvm::MDNode::get(emitter_.context(), {one}));
    }
    mark(store, address.space, address.memory);
  }
}

// A whole vector. The two forms of a store that may be non-temporal differ in nothing that is
// computed.
void MemoryEmitter::store_vector(
    llvm::Value* whole, llvm::Value* base, llvm::Align alignment, const Address& address) {
  if (emitter_.mask() != nullptr) {
    llvm::Instruction* store = builder_.CreateMaskedStore(whole, base, alignment, emitter_.mask());
    return mark(store, address.space, address.memory);
  }
  if (address.non_temporal == nullptr)
    return store_whole(whole, base, alignment, address);
  constexpr std::uint64_t cache_line = 64;
  llvm::BasicBlock* past = emitter_.new_block("past.caches");
  llvm::BasicBlock* through = emitter_.new_block("store");
  llvm::BasicBlock* done = emitter_.new_block("stored");
  builder_.CreateCondBr(address.non_temporal, past, through);
  builder_.SetInsertPoint(past);
  store_whole(whole, base, llvm::Align(cache_line), address);
  builder_.CreateBr(done);
  builder_.SetInsertPoint(through);
  Address plain = address;
  plain.non_temporal = nullptr;
  store_whole(whole, base, alignment, plain);
  builder_.CreateBr(done);
  builder_.SetInsertPoint(done);
}

void MemoryEmitter::store_component(
    const Address& address,
    llvm::Value* value,
    bool is_vector,
    std::uint64_t offset,
    std::size_t align) {
  const Component& pointer = address.pointer;
  const llvm::Align alignment(align);
  const auto bytes =
      static_cast<std::int64_t>(compilation_.module.getDataLayout()
                                    .getTypeStoreSize(value->getType()->getScalarType())
                                    .getFixedValue());
  llvm::Value* base = nullptr;
  if (pointer.shape.uniformity != Uniformity::varying)
    base = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), pointer.value, offset);
  if (pointer.shape.is_uniform()) {
    llvm::Value* one = is_vector ? emitter_.lane_of(value, emitter_.last_lane()) : value;
    mark(builder_.CreateAlignedStore(one, base, alignment), address.space, address.memory);
    return;
  }
  llvm::Value* whole = is_vector ? value : builder_.CreateVectorSplat(emitter_.lanes(), value);
  if (pointer.shape.uniformity == Uniformity::affine && pointer.shape.stride == bytes)
    return store_vector(whole, base, alignment, address);
  llvm::CallInst* scatter = builder_.CreateMaskedScatter(
      whole, pointers_of(pointer, offset), alignment, emitter_.mask_or_all());
  if (address.is_alternative)
    scatter->addFnAttr(llvm::Attribute::NoMerge);
  mark(scatter, address.space, address.memory);
}

void MemoryEmitter::emit_store(const Address& address, const ir::Type& type, const Value& value) {
  if (address.speculative)
    return emit_speculative_store(address, type, value);
  unsigned index = 0;
  for (const Part& element_part : parts_of(emitter_.context(), type)) {
    const Component& component = type.is_vector() ? value[index] : value[0];
    // An affine address with an affine value, or several lanes at one: vectors.
    const bool is_vector = !component.shape.is_uniform();
    llvm::Value* part = is_vector ? emitter_.vector_of(component) : component.value;
    const bool is_aggregate = part->getType()->isStructTy() || part->getType()->isArrayTy();
    if (is_aggregate)
      part = builder_.CreateExtractValue(part, index);
    if (type.is_scalar() || type.is_vector())
      part = to_memory(builder_, real_part_of(type.dtype()), part);
    store_component(address, part, is_vector, element_part.offset, element_part.alignment);
    ++index;
  }
}

}  // namespace phalanx::codegen::cpu
