// Memory: where an operation's lanes read and write, and the loads and stores that its address
// allows: scalar, vector, gather or scatter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "phalanx/codegen/cpu/address.h"
#include "phalanx/codegen/cpu/emitter_part.h"

namespace phalanx::codegen::cpu {

class MemoryEmitter : EmitterPart {
 public:
  using EmitterPart::EmitterPart;

  Value emit_value(const ir::Operation& operation);  // loads and moved pointers
  void emit_effect(const ir::Operation& store);

  // Addresses: memory_address.cpp
  Address element_address(const ir::Operation& operation);
  Address address_of(const ir::Operation& pointer);
  // Says what a pointer that is varying to the analysis is where a test at run time holds.
  void define_affine(const ir::Operation& pointer, const SpeculativelyAffine& form) {
    affine_elements_[&pointer] = form;
  }

  Value emit_load(const Address& address, const ir::Type& type);
  void emit_store(const Address& address, const ir::Type& type, const Value& value);
  void mark(llvm::Instruction* access, ir::Space space, std::int64_t memory = 0);

 private:
  llvm::Value* past_caches(llvm::Value* wanted, const Address& address);
  llvm::Value* load_component(
      const Address& address, llvm::Type* memory_scalar, std::uint64_t offset, std::size_t align);
  void store_component(
      const Address& address,
      llvm::Value* value,
      bool is_vector,
      std::uint64_t offset,
      std::size_t align);
  void store_vector(
      llvm::Value* whole, llvm::Value* base, llvm::Align alignment, const Address& address);
  void store_whole(
      llvm::Value* whole, llvm::Value* base, llvm::Align alignment, const Address& address);
  llvm::Value* pointers_of(const Component& pointer, std::uint64_t offset);
  // Both forms of an access, and the branch: memory_speculative.cpp
  Value emit_speculative_load(const Address& address, const ir::Type& type);
  void emit_speculative_store(const Address& address, const ir::Type& type, const Value& value);

  std::unordered_map<const ir::Operation*, SpeculativelyAffine> affine_elements_;
};

}  // namespace phalanx::codegen::cpu
