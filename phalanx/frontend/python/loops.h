// Loops: names that go from one iteration to the next, and the edges that leave a loop.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "phalanx/frontend/python/walk.h"

namespace phalanx::frontend::python {

class Joins;
class ListTypes;
class Returns;
class Walker;

// How a loop goes on: these are called where the loop's operations belong.
struct LoopParts {
  const tree::Body& body;
  const tree::Body& otherwise;
  std::function<Value()> condition;       // at the start of each iteration
  std::function<void()> begin = nullptr;  // binds the loop's names
  std::function<void()> step = nullptr;   // after the body, also after continue
  // Where the loop is the inner one of two, which `begin` may leave with break_(): what the outer
  // one does around it.
  std::function<void()> before_run = nullptr;
  std::function<void()> after_run = nullptr;
};

// Owns the loops around a statement, and what earlier rounds of each loop have learned. The walker
// emits the bodies; the returns are taken back with the rest of a round.
class Loops {
 public:
  Loops(Walker& walker, Walk& walk, Joins& joins, ListTypes& list_types, Returns& returns);

  // Emits the loop in rounds, until the types at its head hold what comes back to it.
  void emit(const tree::Statement& at, const LoopParts& parts);
  // A copy of the body for each element, so that each may have its own type.
  void unroll(const tree::Statement& at, const tree::For& node, const std::vector<Value>& elements);
  void jump(bool is_break, Location where);

  bool is_inside() const { return !frames_.empty(); }
  // The loops and blocks around, to leave those that an error has left open.
  struct Nesting {
    int depth;
    std::size_t loops;
  };
  Nesting nesting() const { return {depth_, frames_.size()}; }
  void leave_to(const Nesting& nesting);

  // What an emission adds, so that it can be taken back.
  struct Checkpoint {
    ir::Region* region;
    std::size_t operations;
    std::size_t variables;
    std::size_t returns;
    Nesting nesting;
    std::vector<std::pair<std::size_t, std::size_t>> edges;  // of the loops around
    std::optional<Untyped> untyped;
    Bindings names;
  };
  Checkpoint checkpoint();
  void roll_back(const Checkpoint& checkpoint);

 private:
  struct Frame;

  // Names at the head of a loop, remembered from one round to the next.
  struct Memory {
    std::map<NameId, ir::Type> types;
    std::map<NameId, Conflict> conflicts;
    std::map<NameId, Value> literals;  // see Binding::sole
  };

  bool emit_round(const tree::Statement& at, const LoopParts& parts, Frame& frame);
  void carry_in(const tree::Statement& at, Frame& frame, const Bindings& entry);
  bool carry_back(const tree::Statement& at, Frame& frame, const Bindings& entry);
  bool widen(Memory& memory, NameId name, const Binding& head, const Binding& back);
  void emit_condition(const tree::Statement& at, const LoopParts& parts, Frame& frame);
  void carry_values(Frame& frame);
  void leave(const tree::Statement& at, Frame& frame, const Bindings& entry);
  bool leave_in_place(Frame& frame, NameId name, const Location& where);

  Walker& walker_;
  Walk& walk_;
  Joins& joins_;
  ListTypes& list_types_;
  Returns& returns_;
  int depth_ = 0;  // loops and blocks around
  std::vector<Frame*> frames_;
  std::map<const tree::Statement*, Memory> memory_;
};

}  // namespace phalanx::frontend::python
