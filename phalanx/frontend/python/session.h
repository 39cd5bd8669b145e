// What the functions of one module share while it is compiled.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "phalanx/frontend/python.h"
#include "phalanx/frontend/python/names.h"
#include "phalanx/frontend/python/value.h"
#include "phalanx/ir/ir.h"

namespace phalanx::frontend::python {

// What a function sees besides its arguments.
struct FunctionUnit {
  std::shared_ptr<const tree::Function> tree;
  std::shared_ptr<const SourceFile> file;
  std::shared_ptr<Environment> environment;
  Captures captured = {};                  // names of the functions around it
  bool is_nested = false;                  // defined in another function
  bool is_parallel_body = false;           // the body of a parallel loop
  bool is_in_parallel_body = false;        // that, or called from it
  bool is_library = false;                 // our own, written in Python
  bool is_entry = false;                   // what the host calls of a CPU function
  std::optional<FastMath> fast_math = {};  // nothing: as its caller
  std::shared_ptr<const LocalTypes> locals = {};
};

// A function compiled for certain arguments. `result` is what a call gives: a Runtime of no
// operation where it is computed, else what is known now; nothing while it is not known.
struct Instance {
  ir::Function* function = nullptr;
  std::optional<Value> result = {};
  bool is_complete = false;
  bool is_recursive = false;
  bool is_emitting = false;
  // It calls a function that is being emitted around it: emitted again in each round of that one.
  bool waits = false;
  int round = 0;  // of the session, when it was emitted last
  // What lists hold, by line and column of their displays; learnt from what is put into them.
  std::map<std::pair<std::uint32_t, std::uint32_t>, ir::Type> list_elements = {};
  bool has_learnt = false;  // in this round: emitted again
};

class Session {
 public:
  explicit Session(const Options& options)
      : options_(options), module_(std::make_unique<ir::Module>()) {}

  const Options& options() const { return options_; }
  ir::Module& module() { return *module_; }
  std::unique_ptr<ir::Module> take() { return std::move(module_); }

  // The instance of that key; a new one where there is none.
  Instance& instance(const std::string& key) { return instances_[key]; }
  const Names& names(const tree::Function& function);
  // As Environment::extension, which is the same everywhere.
  const Entity& extension(Environment& environment, std::string_view name);
  std::size_t constant(const ArrayEntity& array);
  std::string unique_name(const std::string& name);
  // Marks a function as being compiled while it lives.
  class Compiling {
   public:
    Compiling(Session& session, const tree::Function& function) : session_(&session) {
      session.compiling_.push_back(&function);
    }
    Compiling(const Compiling&) = delete;
    Compiling& operator=(const Compiling&) = delete;
    ~Compiling() { session_->compiling_.pop_back(); }

   private:
    Session* session_;
  };
  bool is_compiling(const tree::Function& function) const;
  // One round of emitting an instance while it lives; `is_again` for all but the first.
  class Round {
   public:
    Round(Session& session, Instance& instance, bool is_again);
    Round(const Round&) = delete;
    Round& operator=(const Round&) = delete;
    ~Round();

   private:
    Session* session_;
  };
  // A call of an instance that is being emitted makes it recursive, and the instances between wait
  // for what it returns.
  void call_again(Instance& instance);
  // True if what waits was emitted before the round that it waits for.
  bool is_outdated(const Instance& instance) const {
    return !instance.is_complete && !instance.is_emitting && instance.round != round_;
  }
  std::size_t depth() const { return compiling_.size(); }

  // The body of a parallel loop as a function, made once: null until it is set.
  std::shared_ptr<const tree::Function>& parallel_body_of(const tree::Statement& loop) {
    return parallel_bodies_[&loop];
  }
  // Once for each location.
  void warn(Warning warning) {
    if (std::ranges::find(module_->warnings, warning) == module_->warnings.end())
      module_->warnings.push_back(std::move(warning));
  }

  // Keeps the unit as long as the session.
  const FunctionUnit& keep(FunctionUnit unit);

 private:
  Options options_;
  std::unique_ptr<ir::Module> module_;
  std::map<std::string, Instance> instances_;
  std::unordered_map<const tree::Function*, Names> names_;
  std::unordered_map<std::string, Entity> extensions_;
  std::vector<std::pair<ArrayEntity, std::size_t>> constants_;
  std::set<std::string> used_names_;
  std::deque<FunctionUnit> units_;
  std::vector<const tree::Function*> compiling_;
  std::vector<Instance*> emitting_;  // each is called by the one before
  int round_ = 0;
  std::unordered_map<const tree::Statement*, std::shared_ptr<const tree::Function>>
      parallel_bodies_;
};

}  // namespace phalanx::frontend::python
