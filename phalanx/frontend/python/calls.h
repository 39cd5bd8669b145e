// Calls: what each kind of callee does with its arguments.
#pragma once

#include <vector>

#include "phalanx/frontend/python/call.h"
#include "phalanx/frontend/python/walk.h"

namespace phalanx::frontend::python {

class Closures;
class ListOperations;
class ListTypes;
class Extensions;

class Calls {
 public:
  Calls(
      Walk& walk,
      Closures& closures,
      ListTypes& list_types,
      ListOperations& lists,
      Extensions& extensions)
      : walk_(walk),
        closures_(closures),
        list_types_(list_types),
        lists_(lists),
        extensions_(extensions) {}

  Value call(const Value& callee, const Call& call);

 private:
  Value call_named(const Value& callee, const Call& call);  // an intrinsic
  Value call_method(const Method& method, const Call& call);
  Value call_local(const LocalFunction& function, const Call& call);
  Value call_reference(const FunctionEntity& function, const Call& call);
  Value call_function(FunctionUnit unit, std::vector<Value> arguments);

  Walk& walk_;
  Closures& closures_;
  ListTypes& list_types_;
  ListOperations& lists_;
  Extensions& extensions_;
};

}  // namespace phalanx::frontend::python
