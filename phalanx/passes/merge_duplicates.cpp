// Common subexpression elimination by a scoped hash table (LLVM's EarlyCSE): of pure operations
// that compute the same, the first stays.
#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "phalanx/ir/attributes.h"
#include "phalanx/ir/constants.h"
#include "phalanx/passes/effects.h"
#include "phalanx/passes/passes.h"
#include "phalanx/passes/rewrite.h"

namespace phalanx::passes {

using ir::Op;
using ir::Operation;
using ir::Region;

namespace {

bool is_commutative(Op op) {
  switch (op) {
    case Op::add:
    case Op::multiply:
    case Op::bitwise_and:
    case Op::bitwise_or:
    case Op::bitwise_xor:
    case Op::equal:
    case Op::not_equal:
      return true;
    default:
      return false;
  }
}

std::size_t mixed(std::size_t hash, std::size_t more) {
  return hash ^ (more + 0x9e3779b97f4a7c15U + (hash << 6U) + (hash >> 2U));
}

struct Hash {
  std::size_t operator()(const Operation* operation) const {
    const auto& operands = operation->operands;
    auto hash = static_cast<std::size_t>(operation->op);
    hash = mixed(hash, static_cast<std::size_t>(operation->index));
    if (operation->type.is_scalar())
      hash = mixed(hash, static_cast<std::size_t>(operation->type.dtype()));
    if (const auto* integer = std::get_if<std::int64_t>(&operation->constant))
      hash = mixed(hash, static_cast<std::size_t>(*integer));
    std::size_t sum = 0;  // of all operands: their order must not matter
    for (const Operation* operand : operands) sum += std::hash<const void*>()(operand);
    return mixed(hash, sum);
  }
};

// Pure operations that compute the same value.
struct Same {
  bool operator()(const Operation* a, const Operation* b) const {
    if (a->op != b->op || a->index != b->index || a->type != b->type || a->detail != b->detail ||
        a->text != b->text || a->fast_math != b->fast_math || a->no_wrap != b->no_wrap)
      return false;
    if (a->op == Op::constant && !ir::is_identical(a->constant, b->constant))
      return false;
    if (a->operands == b->operands)
      return true;
    return is_commutative(a->op) && a->operands[0] == b->operands[1] &&
           a->operands[1] == b->operands[0];
  }
};

class Merger {
 public:
  void run(Region& region);

 private:
  std::unordered_map<const Operation*, Operation*, Hash, Same> visible_;
  Replacements replacements_;
};

void Merger::run(Region& region) {
  std::vector<const Operation*> added;
  Region kept;
  kept.reserve(region.size());
  for (auto& operation : region) {
    replacements_.apply(*operation);
    for (Region& nested : operation->regions) run(nested);
    if (ir::is_pure(operation->op)) {
      const auto [found, is_new] = visible_.emplace(operation.get(), operation.get());
      if (!is_new) {
        if (found->second->name.empty())
          found->second->name = operation->name;
        replacements_.replace(std::move(operation), found->second);
        continue;
      }
      added.push_back(operation.get());
    }
    kept.push_back(std::move(operation));
  }
  region = std::move(kept);
  for (const Operation* operation : added) visible_.erase(operation);
}

}  // namespace

void merge_duplicates(ir::Module& module) {
  for_each_function(module, [](ir::Function& function) { Merger().run(function.body); });
}

}  // namespace phalanx::passes
