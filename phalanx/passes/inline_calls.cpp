// Inlining (LLVM's Inliner): calls of device functions become their bodies. Recursive ones stay
// calls, and so do those whose copies would be too many: where each function calls the one before
// twice, twenty of them are a million copies.
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "phalanx/ir/builder.h"
#include "phalanx/ir/warp_operations.h"
#include "phalanx/passes/passes.h"
#include "phalanx/passes/rewrite.h"

namespace phalanx::passes {

using ir::Function;
using ir::Op;
using ir::Operation;
using ir::Region;
using ir::VariableId;

namespace {

using OperationMap = std::unordered_map<const Operation*, Operation*>;

// Across the whole pass: which operation of the source a shared array was copied from. A device
// function has its shared arrays once, however often it is called.
class SharedArrays {
 public:
  // The array in `caller` that replaces `original`, made at the start of the caller.
  Operation* in(Function& caller, const Operation& original) {
    const Operation* origin = origin_of(original);
    Operation*& array = arrays_[{&caller, origin}];
    if (array == nullptr) {
      ir::Builder builder(caller, fresh_);
      array = &ir::append_copy(builder, original, {});
      origins_[array] = origin;
    }
    return array;
  }
  // The arrays made since the last call, for the start of the caller's body.
  Region take_fresh() { return std::exchange(fresh_, {}); }

 private:
  struct Key {
    const Function* caller;
    const Operation* origin;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const {
      return std::hash<const void*>()(key.caller) * 31 + std::hash<const void*>()(key.origin);
    }
  };
  const Operation* origin_of(const Operation& operation) const {
    const auto found = origins_.find(&operation);
    return found == origins_.end() ? &operation : found->second;
  }

  std::unordered_map<Key, Operation*, Hash> arrays_;
  std::unordered_map<const Operation*, const Operation*> origins_;
  Region fresh_;
};

// One copy of a callee's body, which the builder of a caller makes.
class BodyCopy {
 public:
  BodyCopy(ir::Builder& builder, const Operation& call, SharedArrays& shared)
      : builder_(builder),
        caller_(builder.function()),
        callee_(*call.callee),
        call_(call.location),
        shared_(shared) {
    for (std::size_t i = 0; i < callee_.parameters.size(); ++i)
      values_[callee_.parameters[i].get()] = call.operands[i];
    first_variable_ = static_cast<VariableId>(caller_.variables.size());
    caller_.variables.insert(
        caller_.variables.end(), callee_.variables.begin(), callee_.variables.end());
  }

  Operation* value(const Operation* original) const { return values_.at(original); }

  // `levels`: loops and blocks between the callee's body and the region.
  void add(const Region& original, std::int64_t levels);

  // Returns become `set result, value` and a break out of the block around the body.
  void return_into(VariableId result) { result_ = result; }

 private:
  void add(const Operation& original, std::int64_t levels);
  // The location in the callee's file, where that is not the caller's. Code of our own headers has
  // none: to the user it is the call.
  Location in_own_file(Location location) const {
    if (location.line == 0)
      return call_;
    if (location.file == nullptr && callee_.source != caller_.source)
      location.file = callee_.source.get();
    return location;
  }
  void leave(const Operation& original, std::int64_t levels);

  ir::Builder& builder_;
  Function& caller_;
  const Function& callee_;
  Location call_;
  SharedArrays& shared_;
  OperationMap values_;
  VariableId first_variable_ = 0;
  VariableId result_ = 0;
};

void BodyCopy::add(const Region& original, std::int64_t levels) {
  for (const auto& one : original) {
    if (one->op == Op::return_)
      leave(*one, levels);
    else if (one->op == Op::shared_array)
      values_[one.get()] = shared_.in(caller_, *one);
    else
      add(*one, levels);
  }
}

void BodyCopy::leave(const Operation& original, std::int64_t levels) {
  builder_.at(original.location);
  if (!original.operands.empty())
    builder_.set(result_, value(original.operands[0]));
  builder_.break_(levels);
}

void BodyCopy::add(const Operation& original, std::int64_t levels) {
  ir::Builder::Values operands;
  for (const Operation* operand : original.operands) operands.push_back(value(operand));
  Operation& copy = ir::append_copy(builder_, original, std::move(operands));
  copy.location = in_own_file(original.location);
  if (original.op == Op::get || original.op == Op::set)
    copy.variable += first_variable_;
  const std::int64_t inner = levels + (original.op == Op::if_ ? 0 : 1);
  for (std::size_t i = 0; i < original.regions.size(); ++i) {
    const auto scope = builder_.enter(copy.regions[i]);
    add(original.regions[i], inner);
  }
  values_[&original] = &copy;
}

std::size_t count_returns(const Function& function) {
  std::size_t returns = 0;
  ir::for_each(function.body, [&](const Operation& operation) {
    returns += operation.op == Op::return_ ? 1 : 0;
  });
  return returns;
}

using FunctionSet = std::unordered_set<const Function*>;

// Adds what the function calls, by way of others too.
void add_reached(const Function& function, FunctionSet& reached) {
  ir::for_each(function.body, [&](const Operation& operation) {
    if (operation.callee != nullptr && reached.insert(operation.callee).second)
      add_reached(*operation.callee, reached);
  });
}

// What a function that stays a call can do: a thread by itself. Threads that wait for each other,
// and shared memory, are the kernel's.
bool is_for_threads_alone(Op op) {
  return !ir::waits_for_block(op) && !ir::has_mask(op) && op != Op::grid_barrier &&
         op != Op::shared_array;
}

class Inliner {
 public:
  explicit Inliner(ir::Module& module) : module_(module) {}
  void run();

 private:
  void visit(Function& function);
  bool is_too_large(const Function& function) const;
  void inline_into(Function& caller);
  void inline_region(Function& caller, Region& region);
  Region inlined(Function& caller, const Operation& call, Operation*& result);
  void remove_uncalled();

  ir::Module& module_;
  SharedArrays shared_;
  FunctionSet recursive_;
  FunctionSet large_;  // what is called more often than it can be copied
  FunctionSet done_;
  std::unordered_map<const Function*, std::size_t> calls_;  // in the source, of each
  Replacements replacements_;
};

// Callees first, so that what is copied has no calls left.
void Inliner::visit(Function& function) {
  if (!done_.insert(&function).second)
    return;
  ir::for_each(function.body, [&](Operation& operation) {
    if (operation.callee != nullptr)
      visit(*operation.callee);
  });
  inline_into(function);
  if (is_too_large(function))
    large_.insert(&function);
}

// Of a function that has its own callees' bodies already. Kernels of thousands of operations take
// the compilers seconds, and a function that is called once is copied whatever its size.
bool Inliner::is_too_large(const Function& function) const {
  constexpr std::size_t most_copied_operations = 16384;
  const auto calls = calls_.find(&function);
  if (calls == calls_.end() || calls->second < 2 || function.kind != ir::FunctionKind::device)
    return false;
  std::size_t size = 0;
  bool can_stay = true;
  ir::for_each(function.body, [&](const Operation& operation) {
    ++size;
    can_stay = can_stay && is_for_threads_alone(operation.op);
  });
  return can_stay && size * calls->second > most_copied_operations;
}

void Inliner::inline_into(Function& caller) {
  inline_region(caller, caller.body);
  splice(caller.body, 0, shared_.take_fresh());
}

void Inliner::inline_region(Function& caller, Region& region) {
  Region result;
  result.reserve(region.size());
  for (auto& operation : region) {
    replacements_.apply(*operation);
    for (Region& nested : operation->regions) inline_region(caller, nested);
    const Function* callee = operation->callee;
    if (operation->op != Op::call || recursive_.contains(callee) || large_.contains(callee) ||
        callee->kind == ir::FunctionKind::external) {
      result.push_back(std::move(operation));
      continue;
    }
    Operation* value = nullptr;
    splice(result, result.size(), inlined(caller, *operation, value));
    if (value != nullptr)
      replacements_.replace(std::move(operation), value);
  }
  region = std::move(result);
}

// The callee's body; `result` becomes its value, if it has one.
Region Inliner::inlined(Function& caller, const Operation& call, Operation*& result) {
  const Function& callee = *call.callee;
  if (callee.source != nullptr && callee.source != caller.source)
    module_.sources.push_back(callee.source);
  Region region;
  ir::Builder builder(caller, region);
  BodyCopy copy(builder, call, shared_);
  const std::size_t returns = count_returns(callee);
  const bool has_result = !callee.result.is_none();
  const bool is_last = !callee.body.empty() && callee.body.back()->op == Op::return_;
  const bool falls_off = !has_result && !ir::ends_flow(callee.body);
  if (returns == (is_last ? 1 : 0) && (is_last || falls_off)) {
    copy.add(callee.body, 0);
    if (is_last) {
      region.resize(region.size() - (has_result ? 2 : 1));
      if (has_result)
        result = copy.value(callee.body.back()->operands[0]);
    }
    return region;
  }
  const VariableId variable = has_result ? builder.variable(callee.name, callee.result) : 0;
  copy.return_into(variable);
  builder.at(call.location);
  {
    const auto scope = builder.enter(builder.block());
    copy.add(callee.body, 0);
  }
  if (has_result) {
    builder.at(call.location);
    result = builder.get(variable);
    result->name = call.name;
  }
  return region;
}

// What no kernel reaches any more; a module without a kernel keeps all.
void Inliner::remove_uncalled() {
  FunctionSet reached;
  for (const auto& function : module_.functions) {
    if (function->kind == ir::FunctionKind::kernel ||
        function->kind == ir::FunctionKind::exported) {
      reached.insert(function.get());
      add_reached(*function, reached);
    }
  }
  if (!reached.empty())
    std::erase_if(module_.functions, [&](const auto& one) { return !reached.contains(one.get()); });
}

void Inliner::run() {
  for (const auto& function : module_.functions) {
    FunctionSet reached;
    add_reached(*function, reached);
    if (reached.contains(function.get()))
      recursive_.insert(function.get());
    ir::for_each(function->body, [&](const Operation& operation) {
      if (operation.callee != nullptr)
        ++calls_[operation.callee];
    });
  }
  for (const auto& function : module_.functions) visit(*function);
  remove_uncalled();
}

}  // namespace

void inline_calls(ir::Module& module) { Inliner(module).run(); }

}  // namespace phalanx::passes
