#include "phalanx/codegen/cpu/stride_versions.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "phalanx/ir/clone.h"
#include "phalanx/ir/idioms.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;
using ir::Region;

namespace {

constexpr std::size_t most_operations = 64;  // of what is copied for each stride

using Set = std::unordered_set<const Operation*>;

bool is_access(Op op) { return op == Op::array_load || op == Op::array_store; }

// What differs between threads, to a fixpoint over variables. A variable that threads set to the
// same values on different paths counts as the block's: `can_be_copied` refuses to set such ones.
class OfThreads {
 public:
  explicit OfThreads(const ir::Function& kernel) {
    bool has_grown = true;
    while (has_grown) {
      has_grown = false;
      ir::for_each(kernel.body, [&](const Operation& operation) {
        if (values_.contains(&operation) || !differs(operation))
          return;
        has_grown = true;
        values_.insert(&operation);
        if (operation.op == Op::set)
          variables_.insert(operation.variable);
      });
    }
  }

  bool contains(const Operation& operation) const { return values_.contains(&operation); }

 private:
  bool differs(const Operation& operation) const {
    if (operation.op == Op::get)
      return variables_.contains(operation.variable);
    if (operation.op == Op::thread_index || operation.op == Op::lane_index)
      return true;
    const bool is_plain = ir::is_pure(operation.op) || operation.op == Op::set;
    return !is_plain || std::ranges::any_of(operation.operands, [&](const Operation* operand) {
      return values_.contains(operand);
    });
  }

  Set values_;
  std::unordered_set<ir::VariableId> variables_;
};

bool ends_run(const Operation& operation) {
  switch (operation.op) {
    case Op::barrier:
    case Op::break_:
    case Op::continue_:
    case Op::return_:
    case Op::loop:
    case Op::block:
      return true;
    default:
      return std::ranges::any_of(operation.regions, [](const Region& nested) {
        return std::ranges::any_of(nested, [](const auto& inner) { return ends_run(*inner); });
      });
  }
}

bool uses(const Operation& operation, const Set& values) {
  return std::ranges::any_of(
      operation.operands, [&](const Operation* operand) { return values.contains(operand); });
}

// The operations [first, last) of a region, between two barriers, of which the first and the last
// are threads'.
class LoopRange {
 public:
  LoopRange(
      const ir::Function& kernel,
      Region& region,
      std::size_t first,
      std::size_t last,
      const OfThreads& of_threads)
      : kernel_(kernel), region_(region), of_threads_(of_threads), first_(first), last_(last) {
    while (first_ < last_ && !of_threads_.contains(*region_[first_])) ++first_;
    while (first_ < last_ && !of_threads_.contains(*region_[last_ - 1])) --last_;
  }

  void make_versions(unsigned lanes) {
    if (!can_be_copied())
      return;
    for (std::size_t i = 0; i < last_; ++i) {
      const Operation& stride = *region_[i];
      if (stride.op == Op::get && ir::is_index(stride) && !of_threads_.contains(stride) &&
          leads_to_shared(stride))
        return replace_by_versions(stride, lanes);
    }
  }

  bool has_versions() const { return has_versions_; }

 private:
  // Few operations, which set no variable of the block's and whose values no other operation uses.
  bool can_be_copied() const {
    Set own;
    bool holds = true;
    for (std::size_t i = first_; i < last_; ++i) {
      const auto note = [&](const Operation& operation) {
        own.insert(&operation);
        holds = holds && (ir::is_pure(operation.op) || is_access(operation.op) ||
                          operation.op == Op::get || operation.op == Op::if_ ||
                          (operation.op == Op::set && of_threads_.contains(operation)));
      };
      note(*region_[i]);
      for (const Region& nested : region_[i]->regions) ir::for_each(nested, note);
    }
    if (!holds || own.empty() || own.size() > most_operations)
      return false;
    std::erase_if(own, [&](const Operation* each) { return !of_threads_.contains(*each); });
    ir::for_each(kernel_.body, [&](const Operation& operation) {
      holds = holds && (own.contains(&operation) || !of_threads_.contains(operation) ||
                        !uses(operation, own));
    });
    return holds;
  }

  // True if an index of shared memory is made of it and of a thread's value, as butterflies do.
  bool leads_to_shared(const Operation& stride) const {
    Set of_block = {&stride};
    Set of_thread;
    bool is_found = false;
    const auto follow = [&](const Operation& operation) {
      const bool is_thread = of_threads_.contains(operation);
      if (!is_thread && uses(operation, of_block))
        of_block.insert(&operation);
      if (is_access(operation.op)) {
        is_found |=
            operation.operands[0]->type.space() == ir::Space::shared && uses(operation, of_thread);
        return;
      }
      if (is_thread && (uses(operation, of_thread) ||
                        (ir::makes_partner(operation.op) && uses(operation, of_block))))
        of_thread.insert(&operation);
    };
    for (std::size_t i = 0; i < last_; ++i) {
      follow(*region_[i]);
      for (const Region& nested : region_[i]->regions) ir::for_each(nested, follow);
    }
    return is_found;
  }

  // if stride == 1 { ... } else { if stride == 2 { ... } else { ... what was there } }
  void replace_by_versions(const Operation& stride, unsigned lanes) {
    Region result(
        std::make_move_iterator(region_.begin()),
        std::make_move_iterator(region_.begin() + static_cast<std::ptrdiff_t>(first_)));
    Region rest;
    for (std::size_t i = first_; i < last_; ++i)
      (of_threads_.contains(*region_[i]) ? rest : result).push_back(std::move(region_[i]));
    const std::size_t of_block = result.size();
    std::vector<std::unique_ptr<Operation>> branches;
    for (unsigned number = 1; number < lanes; number *= 2) {
      auto constant = ir::make_operation(Op::constant, stride.type, {});
      constant->constant = std::int64_t{number};
      auto test = ir::make_operation(
          Op::equal, ir::Type(DType::boolean), {const_cast<Operation*>(&stride), constant.get()});
      auto branch = ir::make_operation(Op::if_, {}, {test.get()});
      branch->regions.push_back(version(stride, *constant, {result.data(), of_block}, rest));
      branches.push_back(std::move(branch));
      result.push_back(std::move(constant));
      result.push_back(std::move(test));
    }
    for (auto branch = branches.rbegin(); branch != branches.rend(); ++branch) {
      (*branch)->regions.push_back(std::move(rest));
      rest.clear();
      rest.push_back(std::move(*branch));
    }
    result.push_back(std::move(rest[0]));
    result.insert(
        result.end(),
        std::make_move_iterator(region_.begin() + static_cast<std::ptrdiff_t>(last_)),
        std::make_move_iterator(region_.end()));
    region_ = std::move(result);
    has_versions_ = true;
  }

  // The threads' operations, and what the block makes of the stride, with a number in its place.
  static Region version(
      const Operation& stride,
      Operation& number,
      std::span<const std::unique_ptr<Operation>> of_block,
      const Region& of_threads) {
    ir::OperationCopies copies;
    copies.replace(stride, number);
    Set made = {&stride};
    Region result;
    for (const auto& operation : of_block) {
      if (!ir::is_pure(operation->op) || !uses(*operation, made))
        continue;
      made.insert(operation.get());
      result.push_back(copies.copy(*operation));
    }
    Region threads = copies.copy(of_threads);
    result.insert(
        result.end(),
        std::make_move_iterator(threads.begin()),
        std::make_move_iterator(threads.end()));
    return result;
  }

  const ir::Function& kernel_;
  Region& region_;
  const OfThreads& of_threads_;
  std::size_t first_;
  std::size_t last_;
  bool has_versions_ = false;
};

// The ranges of loops with a barrier, the last first: those before keep their positions.
bool visit(
    const ir::Function& kernel,
    Region& region,
    bool is_in_loop,
    const OfThreads& of_threads,
    unsigned lanes) {
  bool has_versions = false;
  for (const auto& operation : region) {
    for (Region& nested : operation->regions)
      has_versions |=
          visit(kernel, nested, is_in_loop || operation->op == Op::loop, of_threads, lanes);
  }
  const auto is_barrier = [](const auto& operation) { return operation->op == Op::barrier; };
  if (!is_in_loop || std::ranges::none_of(region, is_barrier))
    return has_versions;
  std::size_t last = region.size();
  for (std::size_t i = region.size(); i-- > 0;) {
    if (!ends_run(*region[i]) && i != 0)
      continue;
    LoopRange run(kernel, region, ends_run(*region[i]) ? i + 1 : i, last, of_threads);
    run.make_versions(lanes);
    has_versions |= run.has_versions();
    last = i;
  }
  return has_versions;
}

}  // namespace

std::optional<ir::Module> make_stride_versions(const ir::Module& source, unsigned lanes) {
  const bool is_kernel =
      source.functions.size() == 1 && source.kernel().kind == ir::FunctionKind::kernel;
  if (!is_kernel || lanes == 1)  // where lanes have no distances
    return std::nullopt;
  bool has_barrier = false;
  ir::for_each(source.kernel().body, [&](const Operation& operation) {
    has_barrier |= operation.op == Op::barrier;
  });
  if (!has_barrier)
    return std::nullopt;
  ir::ModuleCopy copy(source);
  ir::Function& kernel = *copy.module.functions[0];
  if (!visit(kernel, kernel.body, false, OfThreads(kernel), lanes))
    return std::nullopt;
  return std::move(copy.module);
}

}  // namespace phalanx::codegen::cpu
