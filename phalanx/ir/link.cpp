#include "phalanx/ir/link.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/ir/clone.h"
#include "phalanx/ir/declarations.h"

namespace phalanx::ir {

namespace {

[[noreturn]] void fail(std::string sentence, std::string advice) {
  throw CompileError(
      CompileError::Kind::lowering, {.sentence = std::move(sentence), .advice = std::move(advice)});
}

std::string source_of(const Function& function) {
  return function.source == nullptr ? "Python" : function.source->path;
}

struct Export {
  const Module* module;
  const Function* function;
};

class Linker {
 public:
  Linker(const Module& module, const std::vector<std::shared_ptr<const Module>>& others);

  Module run();

 private:
  void resolve(Function& declared);
  void add(const Module& other);
  void add_function(std::unique_ptr<Function> function);
  void rebase(Function& function) const;
  std::string unique_name(const std::string& name) const;

  Module module_;  // a copy, so that a failure leaves the given one as it is
  std::map<std::string, Export> exports_;
  std::map<const Module*, std::map<std::string, Function*>> added_;  // exported, by name
  std::deque<Function*> declared_;                                   // that are not resolved yet
  // Of further declarations of a name, which have another one here.
  std::map<const Function*, std::string> symbols_;
  std::size_t first_constant_ = 0;
  std::size_t first_global_ = 0;
};

Linker::Linker(const Module& module, const std::vector<std::shared_ptr<const Module>>& others)
    : module_(clone(module)) {
  for (const auto& other : others) {
    for (const auto& function : other->functions) {
      if (function->kind != FunctionKind::exported)
        continue;
      const auto [known, is_new] =
          exports_.try_emplace(function->name, Export{other.get(), function.get()});
      if (is_new)
        continue;
      const Function& first = *known->second.function;
      fail(
          "two functions are called " + function->name + ": " + declaration_of(first, first.name) +
              " of " + source_of(first) + " and " + declaration_of(*function, function->name) +
              " of " + source_of(*function),
          "Rename one of them, or make it static.");
    }
  }
}

Module Linker::run() {
  for (const auto& function : module_.functions) {
    if (function->kind == FunctionKind::external)
      declared_.push_back(function.get());
  }
  while (!declared_.empty()) {  // what is added declares functions too
    Function& next = *declared_.front();
    declared_.pop_front();
    resolve(next);
  }
  for (const auto& function : module_.functions) {
    if (function->kind == FunctionKind::exported)
      function->kind = FunctionKind::device;
  }
  return std::move(module_);
}

void Linker::resolve(Function& declared) {
  const auto again = symbols_.find(&declared);
  const std::string symbol = again == symbols_.end() ? declared.name : again->second;
  const auto found = exports_.find(symbol);
  Function* definition = nullptr;
  if (found != exports_.end()) {
    const Module* const wanted = found->second.module;
    if (!added_.contains(wanted))
      add(*wanted);
    definition = added_.at(wanted).at(symbol);
  } else if (again != symbols_.end()) {
    definition = module_.find(symbol);
  }
  if (definition == nullptr)
    return;
  const std::string as_declared = declaration_of(declared, symbol);
  const std::string problem = define_by(declared, *definition);
  if (!problem.empty())
    fail(
        symbol + "() is declared as " + as_declared + ", and " + source_of(*definition) + " has " +
            declaration_of(*definition, symbol) + ": " + problem,
        "Make the declaration and the function take and give the same types.");
}

void Linker::add(const Module& other) {
  std::vector<const Function*> functions;
  for (const auto& function : other.functions) {
    if (function->kind != FunctionKind::kernel)
      functions.push_back(function.get());
  }
  Module copy = std::move(ModuleCopy(other, functions).module);
  first_constant_ = module_.constants.size();
  first_global_ = module_.globals.size();
  std::ranges::move(copy.constants, std::back_inserter(module_.constants));
  std::ranges::move(copy.sources, std::back_inserter(module_.sources));
  std::ranges::move(copy.warnings, std::back_inserter(module_.warnings));
  for (Global& global : copy.globals) {
    const auto is_taken = [&](const Global& known) { return known.name == global.name; };
    while (std::ranges::any_of(module_.globals, is_taken)) global.name += "_";
    module_.globals.push_back(std::move(global));
  }
  std::map<std::string, Function*>& exported = added_[&other];
  for (auto& function : copy.functions) {
    if (function->kind == FunctionKind::exported)
      exported[function->name] = function.get();
    rebase(*function);
  }
  for (auto& function : copy.functions) add_function(std::move(function));
}

void Linker::rebase(Function& function) const {
  for_each(function.body, [&](Operation& operation) {
    if (operation.op == Op::constant_array)
      operation.index += static_cast<std::int64_t>(first_constant_);
    if (operation.op == Op::global_array)
      operation.index += static_cast<std::int64_t>(first_global_);
  });
}

// Names of external functions are what they are found by; the others give way.
void Linker::add_function(std::unique_ptr<Function> function) {
  Function* const known = module_.find(function->name);
  if (function->kind == FunctionKind::external && known != nullptr) {
    if (known->kind != FunctionKind::external)
      known->name = unique_name(known->name);
    else
      symbols_[function.get()] = std::exchange(function->name, unique_name(function->name));
  } else if (function->kind != FunctionKind::external) {
    function->name = unique_name(function->name);
  }
  if (function->kind == FunctionKind::external)
    declared_.push_back(function.get());
  module_.functions.push_back(std::move(function));
}

std::string Linker::unique_name(const std::string& name) const {
  std::string made = name;
  for (std::size_t i = 1; module_.find(made) != nullptr; ++i) made = name + "." + std::to_string(i);
  return made;
}

}  // namespace

void link(Module& module, const std::vector<std::shared_ptr<const Module>>& others) {
  module = Linker(module, others).run();
}

}  // namespace phalanx::ir
