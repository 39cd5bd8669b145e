// Addresses as polynomials (LLVM's ScalarEvolution): their terms that differ from thread to thread,
// and those that are uniform.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Value.h>

namespace phalanx::codegen::nvptx {

// Numbers of values of 64 bits, in order; of none: one.
using Product = std::vector<unsigned>;
// Products with their factors, modulo 2^64 as addresses are.
using Sum = std::map<Product, std::uint64_t>;

void add_to(Sum& sum, const Sum& more, std::uint64_t factor = 1);

struct Address {
  llvm::Value* base = nullptr;
  Sum varying;
  Sum uniform;  // of the kernel's parameters and constants
};

// Values get numbers when they are first seen, so that the order of sums is the same in each run.
class Addresses {
 public:
  explicit Addresses(const llvm::DataLayout& layout) : layout_(layout) {}

  // None where an index has fewer than 64 bits.
  std::optional<Address> split(llvm::Value* pointer);

  // The value of a sum without its constant; null if nothing else is in it.
  llvm::Value* make(llvm::IRBuilderBase& builder, const Sum& sum) const;

 private:
  Sum leaf(llvm::Value* value);
  Sum sum_of(llvm::Value* value, unsigned depth = 0);
  bool is_uniform(const Product& product) const;
  bool is_uniform(const Sum& sum) const;

  const llvm::DataLayout& layout_;
  std::vector<llvm::Value*> values_;
  llvm::DenseMap<llvm::Value*, unsigned> numbers_;
};

}  // namespace phalanx::codegen::nvptx
