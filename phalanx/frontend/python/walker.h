// Walks the tree of one function, types it and emits its IR at once.
//
// Names are bound to values, not to storage. At joins of control flow, a name that is still
// needed and differs between the edges becomes an IR variable of the type that holds all of them. A
// loop is emitted again when what its body leaves in a name does not fit the type the name had at
// the loop's head; types only widen, so this comes to an end.
//
// Where what is: functions.cpp runs the walker and ends a function; statements.cpp, assignment.cpp,
// expressions.cpp and short_circuit.cpp follow the tree; joins.cpp merges what paths bind, and
// untaken.cpp types what no path takes; loops.cpp, iteration.cpp and parallel.cpp are loops;
// calls.cpp, overloads.cpp and walker_lists.cpp calls, overloads and lists.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "phalanx/frontend/python/emitter.h"
#include "phalanx/frontend/python/names.h"
#include "phalanx/frontend/python/session.h"
#include "phalanx/frontend/python/value.h"

namespace phalanx::frontend::python {

struct Call;

// Thrown where a type is not known yet, in a loop's first round or before a recursive function has
// returned anything. The statement is left out, and emitted when more is known.
struct Untyped {
  Location where;
  std::string text;
  std::string advice;
  bool is_open_list = false;  // the elements of a list are not known yet
};

struct Binding {
  Value value;
  Location where;
  // The int or bool that the name has on all paths that assign it, where `value` is 0 on the
  // others. In Numba its type is its value, so that it is read on every path.
  Value sole = {};

  const Value& meaning() const { return sole.is<Unbound>() ? value : sole; }
  bool operator==(const Binding& other) const { return is_same(value, other.value); }
};
using Bindings = std::vector<Binding>;  // by NameId

// An edge by which control leaves a region: the names there, and where to add what it carries.
struct Edge {
  Bindings names;
  ir::Region* region;
};

class Walker {
 public:
  Walker(Session& session, const FunctionUnit& unit, Instance& instance);
  Walker(const Walker&) = delete;
  Walker& operator=(const Walker&) = delete;
  ~Walker();

  // Emits the whole function. `arguments` are in the order of the parameters.
  void run(const std::vector<Value>& arguments);

  // The value of all its returns; see Instance.
  const std::optional<Value>& result() const { return result_; }
  // Set where something was left out: the first location.
  const std::optional<Untyped>& untyped() const { return untyped_; }

 private:
  // Parts with a file of their own, which work on the walker's state.
  struct Statements;    // statements.cpp: what each kind of statement does
  struct Unpacking;     // assignment.cpp
  struct Expressions;   // expressions.cpp: what each kind of expression evaluates to
  struct ShortCircuit;  // short_circuit.h: conditions, `and`, `or`, `a if b else c`
  struct Untaken;       // untaken.h: what branches that are never taken mean for types

  struct Carried;
  struct LoopFrame;
  struct Memory;
  struct Checkpoint;

  ir::Builder& builder() { return emitter_.builder(); }
  const Diagnostics& diagnostics() const { return emitter_.diagnostics(); }
  [[noreturn]] void fail(
      Location where, std::string_view text, std::string_view advice = {}) const {
    diagnostics().typing(where, text, advice);
  }

  // ---- statements.cpp, assignment.cpp ----
  void body(const tree::Body& statements);
  void statement(const tree::Statement& statement);
  void assign(const tree::Expression& target, const Value& value);
  void bind(const std::string& name, const Value& value, Location where);
  void raise_when(const Value& condition, Raise raise);
  // The operator; debug builds raise for a division by zero.
  Value operate(ir::Op op, const Value& left, const Value& right);
  void check_tuple_index(const Value& owner, const Value& index);

  // ---- untaken.cpp ----
  // True if a condition known now leaves a branch out of the types too.
  bool prunes(const Value& condition) const;

  // ---- expressions.cpp, short_circuit.cpp ----
  Value evaluate(const tree::Expression& expression);
  Value unevaluated(const tree::Expression& expression);  // may be a LazyArray or an OpenList
  Value evaluated(const Value& value, const tree::Expression& expression);
  // A truth value; `and`, `or` and `not` inside stay short-circuit.
  Value condition(const tree::Expression& expression);
  Value local_function(const std::shared_ptr<const tree::Function>& function);

  // ---- joins.cpp ----
  void at_end_of(ir::Region& region, const std::function<void()>& emit);
  void join(
      const NameSet& assigned,
      const NameSet& live,
      std::vector<Edge> edges,
      const Bindings& before);
  Binding merge(
      const std::string& name,
      const std::vector<Binding>& all_values,
      const std::vector<Edge>& all_edges,
      const Bindings& before);
  Binding merge_tuples(
      const std::string& name,
      const std::vector<Binding>& values,
      const std::vector<Edge>& edges,
      const Bindings& before);
  Value merge_ranges(
      const std::string& name,
      const std::vector<Binding>& values,
      const std::vector<Edge>& edges,
      const Bindings& before);
  Conflict conflict(const std::string& name, const Binding& first, const Binding& second) const;
  Edge edge() { return {names_, &builder().region()}; }

  // ---- loops.cpp, iteration.cpp ----
  struct LoopParts;
  void loop(const tree::Statement& at, const LoopParts& parts);
  bool loop_round(const tree::Statement& at, const LoopParts& parts, LoopFrame& frame);
  Checkpoint checkpoint();
  void roll_back(const Checkpoint& checkpoint);
  void carry_in(const tree::Statement& at, LoopFrame& frame, const Bindings& entry);
  bool carry_back(const tree::Statement& at, LoopFrame& frame, const Bindings& entry);
  bool widen(Memory& memory, NameId name, const Binding& head, const Binding& back);
  void loop_condition(const tree::Statement& at, const LoopParts& parts, LoopFrame& frame);
  void carry_values(LoopFrame& frame);
  void leave_loop(const tree::Statement& at, LoopFrame& frame, const Bindings& entry);
  bool leave_in_place(LoopFrame& frame, NameId name, const Location& where);
  void make_variables(Carried& carried);
  void set_carried(const Carried& carried, const Value& value);
  Value get_carried(const Carried& carried);
  void jump(bool is_break, Location where);
  void while_loop(const tree::Statement& at, const tree::While& node);
  void for_loop(const tree::Statement& at, const tree::For& node);
  void range_loop(const tree::Statement& at, const tree::For& node, const Iterable& range);
  void counted_range(const tree::Statement& at, const tree::For& node, const Iterable& range);
  void chunk_loop(const tree::Statement& at, const tree::For& node, const Iterable& iterations);
  void bind_before_loop(const tree::For& node, DType dtype);
  void counted_iteration(const tree::Statement& at, const tree::For& node, const Value& iterable);
  void unrolled(
      const tree::Statement& at, const tree::For& node, const std::vector<Value>& elements);
  std::optional<std::vector<Value>> static_elements(const Value& iterable);
  Value range_length(const Iterable& range);
  Value iteration_extent(const Value& iterable);

  // ---- parallel.cpp ----
  class ParallelLoop;
  // False where the loop has to run on one core.
  bool parallel_loop(const tree::Statement& at, const tree::For& node, const Iterable& range);

  // ---- calls.cpp, functions.cpp ----
  Call evaluate_call(const tree::Call& node, bool is_lazy = false);
  Value call(const Value& callee, const Call& call);
  Value call_method(const Method& method, const Call& call);
  Value conjugate(const Value& value);
  Value call_local(const LocalFunction& function, const Call& call);

  // ---- overloads.cpp: functions and members that are written in Python ----
  std::optional<OverloadEntity> extension(std::string_view name);
  // `otherwise`: what is called where no overload fits.
  Value call_overloaded(
      const OverloadEntity& function, const Call& call, const Value& otherwise = {});
  struct Chosen;
  std::optional<Chosen> chosen_from(const Value& owner, const Value& index);
  std::optional<Value> elements_at(const Value& owner, const Value& index);
  bool set_elements_at(const Value& owner, const Value& index, const Value& value);
  std::optional<Value> extended_attribute(const Value& owner, const std::string& name);

  // ---- walker_lists.cpp ----
  Value grown(const Value& value);
  std::vector<Value> handed_on(std::vector<Value> arguments, bool is_library);
  std::optional<ir::Type> learnt_element(
      const Location& list, const std::optional<ir::Type>& begin) const;
  Value number_of_open_list(DType dtype);
  Value branch_condition(const tree::Expression& expression);
  void require_known(const Value& value, Location where) const;
  void learn(const Location& list, const ir::Type& element);
  void learn_from(const Value& open, const ir::Type& other);
  std::optional<ir::Type> element_type_of(const Value& iterable);
  void fill_list(const Value& list, const Value& given, bool is_iterable);
  Value list_method(const Value& list, const std::string& name);
  Call list_arguments(const Method& method, Call call);
  Value call_list(std::string_view name, std::vector<Value> arguments);
  std::optional<Value> list_operator(ir::Op op, const Value& left, const Value& right);
  std::optional<Value> list_compare(
      tree::Comparison comparison, const Value& left, const Value& right);
  std::optional<Value> list_slice(const Value& owner, const Value& index);
  bool set_list_slice(const Value& owner, const Value& index, const Value& value);

  const DeclaredSignature& fitting_signature(
      const FunctionEntity& function, const std::vector<Value>& arguments) const;
  Value call_reference(const FunctionEntity& function, const Call& call);
  Value call_external(const FunctionEntity& function, const Call& call);
  Value construct(const ir::Type& type, const Call& call);
  Value construct_vector(const ir::Type& type, const Call& call);
  Value construct(const TupleClassEntity& type, const Call& call);
  Value freeze(const Value& value);
  LocalFunction frozen(const LocalFunction& function);
  Value call_function(FunctionUnit unit, std::vector<Value> arguments);
  void finish_returns();
  bool returns_open_list();
  void return_optional(const Value& value, const ir::Type& type);
  void return_nothing(const ir::Type& type);
  ir::Type unified_result() const;

  Session* session_;
  const FunctionUnit* unit_;
  const Names* known_names_;
  Instance* instance_;
  Emitter emitter_;
  Bindings names_;
  bool is_reachable_ = true;
  int depth_ = 0;  // loops and blocks around
  std::vector<LoopFrame*> loops_;
  std::map<const tree::Statement*, Memory> memory_;  // of loops
  std::vector<std::pair<Edge, Binding>> returns_;
  std::vector<ir::Type> untaken_returns_;  // on paths that are never taken, but typed
  std::optional<Value> result_;
  std::optional<Untyped> untyped_;
  std::vector<std::shared_ptr<const tree::Function>> freezing_;  // local functions being captured
};

}  // namespace phalanx::frontend::python
