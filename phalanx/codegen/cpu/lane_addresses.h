// Splitting of addresses (LLVM's SeparateConstOffsetFromGEP): those of a vector's lanes as one
// scalar and a constant for each lane.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>

namespace phalanx::codegen::cpu {

struct LaneAddresses {
  llvm::Value* base = nullptr;                                          // a scalar pointer
  llvm::SmallVector<std::pair<llvm::Value*, std::int64_t>, 4> factors;  // of 64 bits, to be added
  llvm::SmallVector<std::int64_t, 32> bytes;                            // of each lane, after these

  // The scalar: base + the sum of the factors.
  llvm::Value* pointer(llvm::IRBuilderBase& builder) const;
};

// Nothing where some lanes' distance is not known.
std::optional<LaneAddresses> lane_addresses(llvm::Value& pointers, const llvm::DataLayout& layout);

}  // namespace phalanx::codegen::cpu
