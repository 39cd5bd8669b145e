// Walks the tree of one function, types it and emits its IR at once.
//
// Names are bound to values, not to storage. At joins of control flow, a name that is still
// needed and differs between the edges becomes an IR variable of the type that holds all of them. A
// loop is emitted again when what its body leaves in a name does not fit the type the name had at
// the loop's head; types only widen, so this comes to an end.
//
// The state is in Walk. The walker follows the tree: statements.cpp, assignment.cpp,
// expressions.cpp, with ShortCircuit for conditions and Untaken for branches that are never taken,
// and for_loop(). What it finds there is the work of its parts, each with a header of its own:
//   Joins            what names mean where paths meet
//   Loops            rounds of a loop, and the jumps out of it
//   Returns          the returns, and the type of the result
//   Calls            what each kind of callee does with its arguments
//   Closures         local functions with the values that they see
//   Extensions       functions, methods and attributes that are written in Python
//   ListTypes        what lists hold
//   ListOperations   methods and operators of lists
// Parts share Walk and name the other parts that they use; only Loops gets back to the walker.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "phalanx/frontend/python/walk.h"

namespace phalanx::frontend::python {

class Calls;
class Closures;
class Extensions;
class Joins;
class ListOperations;
class ListTypes;
class Loops;
class Returns;

class Walker {
 public:
  Walker(Session& session, const FunctionUnit& unit, Instance& instance);
  Walker(const Walker&) = delete;
  Walker& operator=(const Walker&) = delete;
  ~Walker();

  // Emits the whole function. `arguments` are in the order of the parameters.
  void run(const std::vector<Value>& arguments);

  // The value of all its returns; see Instance.
  const std::optional<Value>& result() const;
  // Set where something was left out: the first location.
  const std::optional<Untyped>& untyped() const { return walk_.untyped; }

  // Statements
  void body(const tree::Body& statements);
  void assign(const tree::Expression& target, const Value& value);

  // Expressions
  Value evaluate(const tree::Expression& expression);
  Value unevaluated(const tree::Expression& expression);  // may be a LazyArray or an OpenList
  Value evaluated(const Value& value, const tree::Expression& expression);
  // A truth value; `and`, `or` and `not` inside stay short-circuit.
  Value condition(const tree::Expression& expression);
  // The condition of a statement, whose branches are emitted even where it depends on a list of
  // which nothing is known yet: they may tell what the list holds.
  Value branch_condition(const tree::Expression& expression);
  Value binary(ir::Op op, const Value& left, const Value& right);
  Value local_function(const std::shared_ptr<const tree::Function>& function);

  Walk& walk() { return walk_; }
  Calls& calls();
  Closures& closures();
  Extensions& extensions();
  Joins& joins();
  ListOperations& lists();
  ListTypes& list_types();
  Loops& loops();
  Returns& returns();

 private:
  struct Parts;

  void statement(const tree::Statement& statement);

  Walk walk_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace phalanx::frontend::python
