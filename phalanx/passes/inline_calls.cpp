// Inlining (LLVM's Inliner): calls of device functions become their bodies; only recursive ones
// stay calls.
#include <unordered_map>
#include <unordered_set>
#include <utility>

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
      auto copy = std::make_unique<Operation>();
      copy->op = Op::shared_array;
      copy->type = original.type;
      copy->shape = original.shape;
      copy->index = original.index;
      copy->name = original.name;
      copy->location = original.location;
      array = copy.get();
      origins_[array] = origin;
      fresh_.push_back(std::move(copy));
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

// One copy of a callee's body, in a caller.
class BodyCopy {
 public:
  BodyCopy(Function& caller, const Operation& call, SharedArrays& shared)
      : caller_(caller), callee_(*call.callee), shared_(shared) {
    for (std::size_t i = 0; i < callee_.parameters.size(); ++i)
      values_[callee_.parameters[i].get()] = call.operands[i];
    first_variable_ = static_cast<VariableId>(caller_.variables.size());
    caller_.variables.insert(
        caller_.variables.end(), callee_.variables.begin(), callee_.variables.end());
  }

  Operation* value(const Operation* original) const { return values_.at(original); }

  // `levels`: loops and blocks between the callee's body and the region.
  Region region(const Region& original, std::int64_t levels);

  // Returns become `set result, value` and a break out of the block around the body.
  void return_into(VariableId result) { result_ = result; }

 private:
  std::unique_ptr<Operation> operation(const Operation& original, std::int64_t levels);
  // The location in the callee's file, where that is not the caller's.
  Location in_own_file(Location location) const {
    if (location.file == nullptr && callee_.source != caller_.source)
      location.file = callee_.source.get();
    return location;
  }
  void leave(const Operation& original, std::int64_t levels, Region& into) const;

  Function& caller_;
  const Function& callee_;
  SharedArrays& shared_;
  OperationMap values_;
  VariableId first_variable_ = 0;
  VariableId result_ = 0;
};

Region BodyCopy::region(const Region& original, std::int64_t levels) {
  Region copy;
  for (const auto& one : original) {
    if (one->op == Op::return_)
      leave(*one, levels, copy);
    else if (one->op == Op::shared_array)
      values_[one.get()] = shared_.in(caller_, *one);
    else
      copy.push_back(operation(*one, levels));
  }
  return copy;
}

void BodyCopy::leave(const Operation& original, std::int64_t levels, Region& into) const {
  if (!original.operands.empty()) {
    auto set = std::make_unique<Operation>();
    set->op = Op::set;
    set->operands = {value(original.operands[0])};
    set->variable = result_;
    set->location = original.location;
    into.push_back(std::move(set));
  }
  auto leave = std::make_unique<Operation>();
  leave->op = Op::break_;
  leave->index = levels;
  leave->location = original.location;
  into.push_back(std::move(leave));
}

std::unique_ptr<Operation> BodyCopy::operation(const Operation& original, std::int64_t levels) {
  auto copy = std::make_unique<Operation>();
  copy->op = original.op;
  copy->type = original.type;
  for (const Operation* operand : original.operands) copy->operands.push_back(value(operand));
  copy->location = in_own_file(original.location);
  copy->constant = original.constant;
  copy->index = original.index;
  copy->variable = original.variable;
  if (original.op == Op::get || original.op == Op::set)
    copy->variable += first_variable_;
  copy->detail = original.detail;
  copy->text = original.text;
  copy->shape = original.shape;
  copy->callee = original.callee;
  copy->fast_math = original.fast_math;
  copy->name = original.name;
  const std::int64_t inner = levels + (original.op == Op::if_ ? 0 : 1);
  for (const Region& nested : original.regions) copy->regions.push_back(region(nested, inner));
  values_[&original] = copy.get();
  return copy;
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

class Inliner {
 public:
  explicit Inliner(ir::Module& module) : module_(module) {}
  void run();

 private:
  void visit(Function& function);
  void inline_into(Function& caller);
  void inline_region(Function& caller, Region& region);
  Region inlined(Function& caller, const Operation& call, Operation*& result);
  void remove_uncalled();

  ir::Module& module_;
  SharedArrays shared_;
  FunctionSet recursive_;
  FunctionSet done_;
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
    if (operation->op != Op::call || recursive_.contains(operation->callee) ||
        operation->callee->kind == ir::FunctionKind::external) {
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
  BodyCopy copy(caller, call, shared_);
  const std::size_t returns = count_returns(callee);
  const bool is_last = !callee.body.empty() && callee.body.back()->op == Op::return_;
  const bool falls_off = callee.result.is_none() && !ir::ends_flow(callee.body);
  if (returns == (is_last ? 1 : 0) && (is_last || falls_off)) {
    Region body = copy.region(callee.body, 0);
    if (is_last) {
      body.resize(body.size() - (callee.result.is_none() ? 1 : 2));
      if (!callee.result.is_none())
        result = copy.value(callee.body.back()->operands[0]);
    }
    return body;
  }
  const auto variable = static_cast<VariableId>(caller.variables.size());
  if (!callee.result.is_none()) {
    caller.variables.push_back({.name = callee.name, .type = callee.result});
    copy.return_into(variable);
  }
  auto block = std::make_unique<Operation>();
  block->op = Op::block;
  block->location = call.location;
  block->regions.push_back(copy.region(callee.body, 0));
  Region region;
  region.push_back(std::move(block));
  if (!callee.result.is_none()) {
    auto get = std::make_unique<Operation>();
    get->op = Op::get;
    get->type = callee.result;
    get->variable = variable;
    get->location = call.location;
    get->name = call.name;
    result = get.get();
    region.push_back(std::move(get));
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
  }
  for (const auto& function : module_.functions) visit(*function);
  remove_uncalled();
}

}  // namespace

void inline_calls(ir::Module& module) { Inliner(module).run(); }

}  // namespace phalanx::passes
