// Where the walk over a function is: what the names mean there, and what it emits into.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "phalanx/frontend/python/emitter.h"
#include "phalanx/frontend/python/names.h"
#include "phalanx/frontend/python/session.h"
#include "phalanx/frontend/python/value.h"

namespace phalanx::frontend::python {

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

Diagnostics diagnostics_of(
    const Session& session, const FunctionUnit& unit, const ir::Function& function);

// The parts of the walker share it. The names begin without values.
struct Walk {
  Walk(Session& its_session, const FunctionUnit& its_unit, Instance& its_instance);
  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;

  ir::Builder& builder() { return emitter.builder(); }
  const Diagnostics& diagnostics() const { return emitter.diagnostics(); }
  const Options& options() const { return session.options(); }
  [[noreturn]] void fail(
      Location where, std::string_view text, std::string_view advice = {}) const {
    diagnostics().typing(where, text, advice);
  }
  Edge edge() { return {names, &builder().region()}; }

  // What is bound to a name of a declared type is converted to it.
  void bind(const std::string& name, const Value& value, Location where);
  void raise_when(const Value& condition, Raise raise);
  // Something is left out of this round; the first reason is the one that is told.
  void postpone(const Untyped& reason) {
    if (!untyped)
      untyped = reason;
  }

  Session& session;
  const FunctionUnit& unit;
  const Names& known_names;
  Instance& instance;
  Emitter emitter;
  Bindings names;
  bool is_reachable = true;
  std::optional<Untyped> untyped;
};

}  // namespace phalanx::frontend::python
