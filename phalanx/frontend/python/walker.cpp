#include "phalanx/frontend/python/walker.h"

#include "phalanx/frontend/python/calls.h"
#include "phalanx/frontend/python/closures.h"
#include "phalanx/frontend/python/extensions.h"
#include "phalanx/frontend/python/joins.h"
#include "phalanx/frontend/python/list_operations.h"
#include "phalanx/frontend/python/list_types.h"
#include "phalanx/frontend/python/loops.h"
#include "phalanx/frontend/python/returns.h"

namespace phalanx::frontend::python {

struct Walker::Parts {
  Parts(Walker& walker, Walk& walk)
      : list_types(walk),
        closures(walk),
        calls(walk, closures, list_types, lists, extensions),
        extensions(walk, calls),
        lists(walk, list_types, extensions),
        joins(walk, list_types),
        returns(walk, list_types),
        loops(walker, walk, joins, list_types, returns) {}

  ListTypes list_types;
  Closures closures;
  Calls calls;
  Extensions extensions;
  ListOperations lists;
  Joins joins;
  Returns returns;
  Loops loops;
};

Walker::Walker(Session& session, const FunctionUnit& unit, Instance& instance)
    : walk_(session, unit, instance), parts_(std::make_unique<Parts>(*this, walk_)) {}

Walker::~Walker() = default;

Calls& Walker::calls() { return parts_->calls; }
Closures& Walker::closures() { return parts_->closures; }
Extensions& Walker::extensions() { return parts_->extensions; }
Joins& Walker::joins() { return parts_->joins; }
ListOperations& Walker::lists() { return parts_->lists; }
ListTypes& Walker::list_types() { return parts_->list_types; }
Loops& Walker::loops() { return parts_->loops; }
Returns& Walker::returns() { return parts_->returns; }

const std::optional<Value>& Walker::result() const { return parts_->returns.result(); }

void Walker::run(const std::vector<Value>& arguments) {
  const auto& parameters = walk_.unit.tree->parameters;
  walk_.builder().at(walk_.unit.tree->location);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool is_rest = i == parameters.size();
    const std::string& name = is_rest ? walk_.unit.tree->variadic : parameters[i].name;
    walk_.bind(name, arguments[i], is_rest ? walk_.unit.tree->location : parameters[i].location);
  }
  body(walk_.unit.tree->body);
  if (walk_.is_reachable)
    returns().add(none_value(), walk_.unit.tree->location);
  returns().finish();
}

}  // namespace phalanx::frontend::python
