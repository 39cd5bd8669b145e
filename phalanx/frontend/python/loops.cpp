#include "phalanx/frontend/python/loops.h"

#include <algorithm>

#include "phalanx/frontend/python/carried.h"
#include "phalanx/frontend/python/joins.h"
#include "phalanx/frontend/python/list_types.h"
#include "phalanx/frontend/python/returns.h"
#include "phalanx/frontend/python/untaken.h"
#include "phalanx/frontend/python/walker.h"
#include "phalanx/infer/conversion.h"

namespace phalanx::frontend::python {
namespace {

// Types only widen, each at most a few times: more rounds are a bug.
constexpr int most_rounds = 64;

}  // namespace

struct Loops::Frame {
  int break_depth = 0;     // depth of the operation that a break leaves
  int continue_depth = 0;  // depth of the loop that continues, or of the block that is left
  bool continue_breaks = false;
  std::vector<Edge> breaks = {};
  std::vector<Edge> continues = {};
  std::vector<Carried> carried = {};
};

Loops::Loops(Walker& walker, Walk& walk, Joins& joins, ListTypes& list_types, Returns& returns)
    : walker_(walker), walk_(walk), joins_(joins), list_types_(list_types), returns_(returns) {}

// Sets the variables before the loop. A name without a type yet, or one that means the same thing
// all the time, is not carried.
void Loops::carry_in(const tree::Statement& at, Frame& frame, const Bindings& entry) {
  const JoinNames& joins = walk_.known_names.joins.at(&at);
  Memory& memory = memory_[&at];
  for (const NameId name : joins.assigned.members()) {
    if (!joins.live_head.contains(name))
      continue;
    const Value& value = entry[name].value;
    if (const auto conflict = memory.conflicts.find(name); conflict != memory.conflicts.end()) {
      walk_.names[name] = {conflict->second, entry[name].where};
      continue;
    }
    auto type = type_of(value);
    if (type && type->is_none())
      type.reset();
    if (const auto known = memory.types.find(name); known != memory.types.end()) {
      const auto wide = type ? infer::unify(*type, known->second) : known->second;
      if (!wide) {
        walk_.names[name].value = memory.conflicts[name] = {
            "Cannot unify " + describe(*type) + " and " + describe(known->second) + " for '" +
            walk_.known_names.locals[name] + "'"};
        continue;
      }
      type = wide;
    }
    if (!type || value.is<Conflict>())
      continue;
    Carried carried = {.name = walk_.known_names.locals[name], .id = name, .type = *type};
    carried.make_variables(walk_.builder());
    // A name without a value is 0.
    if (!value.is<Pending>() && !value.is<OpenList>())
      carried.set(walk_.emitter, value);
    frame.carried.push_back(std::move(carried));
  }
}

namespace {

using Types = std::map<NameId, ir::Type>;

bool is_integer_type(const ir::Type& type) { return type.is_scalar() && is_integer(type.dtype()); }

bool is_inexact_type(const ir::Type& type) { return type.is_scalar() && !is_integer(type.dtype()); }

// Integers that grow do so before integers become floats: a uint8 that turns out to be an int64 is
// no unsigned number, which beside a signed one would be a float.
void grow_integers_first(Types& types, const Types& before, const Types& head) {
  const auto is_changed = [&](const auto& each, const auto& becomes) {
    const auto old = head.find(each.first);
    return old != head.end() && old->second != each.second && is_integer_type(old->second) &&
           becomes(each.second);
  };
  if (std::ranges::none_of(
          types, [&](const auto& each) { return is_changed(each, is_integer_type); }))
    return;
  std::erase_if(types, [&](const auto& each) {
    return !before.contains(each.first) && is_changed(each, is_inexact_type);
  });
}

}  // namespace

// True if what comes back to the head fits the types there; if not, memory is widened.
bool Loops::carry_back(const tree::Statement& at, Frame& frame, const Bindings& entry) {
  const JoinNames& joins = walk_.known_names.joins.at(&at);
  Memory& memory = memory_[&at];
  const Types before = memory.types;
  Types at_head;
  for (const Carried& carried : frame.carried) at_head.emplace(carried.id, carried.type);
  bool fits = true;
  for (const NameId name : joins.assigned.members()) {
    if (!joins.live_head.contains(name) || memory.conflicts.contains(name))
      continue;
    const auto carried = std::ranges::find(frame.carried, name, &Carried::id);
    const Binding head =
        carried == frame.carried.end() ? entry[name] : Binding{carried->head, entry[name].where};
    for (const Edge& edge : frame.continues) {
      if (!widen(memory, name, head, edge.names[name]))
        fits = false;
    }
  }
  grow_integers_first(memory.types, before, at_head);
  return fits;
}

bool Loops::widen(Memory& memory, NameId name, const Binding& head, const Binding& back) {
  const Value& value = back.value;
  if (const auto literal = memory.literals.find(name); literal != memory.literals.end()) {
    if (value.is_untyped() || is_same(back.meaning(), literal->second))
      return true;
    memory.literals.erase(literal);
    return false;
  }
  if (head.value.is<Unbound>() && !memory.types.contains(name)) {
    if (const Value sole = sole_of({back}); !sole.is<Unbound>()) {
      memory.types[name] = *type_of(sole);
      memory.literals[name] = sole;
      return false;
    }
  }
  if (const auto at_head = type_of(head.value))
    list_types_.learn_from(value, *at_head);
  if (value.is_untyped() || is_same(value, head.value))
    return true;
  const auto type = type_of(value);
  if (type)
    list_types_.learn_from(head.value, *type);
  const bool has_type = type && !type->is_none();
  const auto known = memory.types.find(name);
  auto before = known != memory.types.end() ? std::optional(known->second) : type_of(head.value);
  if (before && before->is_none())
    before.reset();
  if (head.value.is_untyped()) {
    if (!has_type)
      return true;  // stays without a value at the head
    before = before ? before : type;
  }
  const auto wide = has_type && before ? infer::unify(*before, *type) : std::nullopt;
  if (!wide) {
    if (head.value.is<Conflict>())
      return true;
    const auto* deeper = value.as<Conflict>();
    memory.conflicts[name] =
        deeper != nullptr
            ? *deeper
            : conflict_of(walk_.diagnostics(), walk_.known_names.locals[name], head, back);
    return false;
  }
  const auto at_head = type_of(head.value);
  if (at_head && *at_head == *wide)
    return true;
  memory.types[name] = *wide;
  return false;
}

// Emits the loop once. False if it has to be emitted again.
bool Loops::emit_round(const tree::Statement& at, const LoopParts& parts, Frame& frame) {
  const Bindings entry = walk_.names;
  carry_in(at, frame, entry);
  const int depth = depth_;
  frame.break_depth = depth + 1;
  std::optional<ir::Builder::Scope> in_outer;
  if (parts.before_run) {
    in_outer.emplace(walk_.builder(), walk_.builder().loop().body);
    ++depth_;
    parts.before_run();
  }
  const ir::Builder::Loop loop = walk_.builder().loop();
  ++depth_;
  frame.continue_depth = depth_;
  {
    const auto inside = walk_.builder().enter(loop.body);
    for (Carried& carried : frame.carried) {
      carried.head = carried.get(walk_.emitter);
      const auto literal = memory_[&at].literals.find(carried.id);
      const bool has_sole = literal != memory_[&at].literals.end();
      walk_.names[carried.id] = {carried.head, at.location, has_sole ? literal->second : Value()};
    }
    emit_condition(at, parts, frame);
    if (walk_.is_reachable) {
      frames_.push_back(&frame);
      if (parts.begin)
        parts.begin();
      walker_.body(parts.body);
      frames_.pop_back();
      if (walk_.is_reachable)
        frame.continues.push_back(walk_.edge());
    }
  }
  const bool fits = carry_back(at, frame, entry);
  if (fits) {
    carry_values(frame);
    if (parts.step) {
      const auto inside = walk_.builder().enter(loop.step);
      parts.step();
    }
    if (parts.after_run)
      parts.after_run();
  }
  in_outer.reset();
  depth_ = depth;
  if (fits)
    leave(at, frame, entry);
  return fits;
}

// The exit edge at the head: the else clause is there.
void Loops::emit_condition(const tree::Statement& at, const LoopParts& parts, Frame& frame) {
  const Value condition = parts.condition();
  const auto known = known_truth(condition);
  if (known && *known)
    return;
  const auto leave_at_head = [&] {
    walker_.body(parts.otherwise);
    if (walk_.is_reachable) {
      frame.breaks.push_back(walk_.edge());
      walk_.builder().break_(depth_ - frame.break_depth);
    }
  };
  if (known) {
    if (!Untaken{walker_}.prunes(condition)) {
      frames_.push_back(&frame);
      const Untaken::Types others =
          Untaken{walker_}.types_after(parts.body, walk_.known_names.joins.at(&at).live_after);
      frames_.pop_back();
      Untaken{walker_}.widen(others);
    }
    leave_at_head();
    walk_.is_reachable = false;
    return;
  }
  const Bindings before = walk_.names;
  const ir::Builder::Branches branches = walk_.builder().if_(walk_.emitter.materialize(condition));
  {
    const auto inside = walk_.builder().enter(branches.otherwise);
    leave_at_head();
  }
  walk_.names = before;
  walk_.is_reachable = true;
}

void Loops::carry_values(Frame& frame) {
  for (const Edge& edge : frame.continues) {
    at_end_of(walk_.builder(), *edge.region, [&] {
      for (const Carried& carried : frame.carried) {
        const Value& value = edge.names[carried.id].value;
        const bool has_value = !value.is_untyped();
        if (has_value && !is_same(value, carried.head))
          carried.set(walk_.emitter, value);
      }
    });
  }
}

// A name that has the loop's type on all exit edges leaves in the loop's own variable.
bool Loops::leave_in_place(Frame& frame, NameId name, const Location& where) {
  const auto carried = std::ranges::find(frame.carried, name, &Carried::id);
  if (carried == frame.carried.end())
    return false;
  for (const Edge& edge : frame.breaks) {
    const Value& value = edge.names[name].value;
    if (!is_same(value, carried->head) && type_of(value) != carried->type)
      return false;
  }
  for (const Edge& edge : frame.breaks) {
    if (!is_same(edge.names[name].value, carried->head))
      at_end_of(walk_.builder(), *edge.region, [&] {
        carried->set(walk_.emitter, edge.names[name].value);
      });
  }
  std::vector<Binding> left;
  for (const Edge& edge : frame.breaks) left.push_back(edge.names[name]);
  walk_.names[name] = {carried->get(walk_.emitter), where, sole_of(left)};
  return true;
}

void Loops::leave(const tree::Statement& at, Frame& frame, const Bindings& entry) {
  const JoinNames& joins = walk_.known_names.joins.at(&at);
  walk_.is_reachable = !frame.breaks.empty();
  walk_.names = entry;
  if (!walk_.is_reachable)
    return;
  NameSet others;
  std::vector<NameId> in_place;
  for (const NameId name : joins.assigned.members()) {
    if (joins.live_after.contains(name) && leave_in_place(frame, name, at.location))
      in_place.push_back(name);
    else
      others.add(name);
  }
  const Bindings left = walk_.names;
  joins_.join(others, joins.live_after, frame.breaks, entry);
  for (const NameId name : in_place) walk_.names[name] = left[name];
}

void Loops::leave_to(const Nesting& nesting) {
  depth_ = nesting.depth;
  frames_.resize(nesting.loops);
}

Loops::Checkpoint Loops::checkpoint() {
  Checkpoint checkpoint = {
      .region = &walk_.builder().region(),
      .operations = walk_.builder().region().size(),
      .variables = walk_.builder().function().variables.size(),
      .returns = returns_.count(),
      .nesting = nesting(),
      .edges = {},
      .untyped = walk_.untyped,
      .names = walk_.names};
  for (const Frame* frame : frames_)
    checkpoint.edges.emplace_back(frame->breaks.size(), frame->continues.size());
  return checkpoint;
}

void Loops::roll_back(const Checkpoint& checkpoint) {
  leave_to(checkpoint.nesting);
  checkpoint.region->resize(checkpoint.operations);
  walk_.builder().function().variables.resize(checkpoint.variables);
  returns_.keep(checkpoint.returns);
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    frames_[i]->breaks.resize(checkpoint.edges[i].first);
    frames_[i]->continues.resize(checkpoint.edges[i].second);
  }
  walk_.untyped = checkpoint.untyped;
  walk_.names = checkpoint.names;
  walk_.is_reachable = true;
}

void Loops::emit(const tree::Statement& at, const LoopParts& parts) {
  const Checkpoint before = checkpoint();
  for (int round = 0; round < most_rounds; ++round) {
    Frame frame;
    if (emit_round(at, parts, frame))
      return;
    roll_back(before);
  }
  walk_.fail(at.location, "the types in this loop do not stand still");
}

void Loops::jump(bool is_break, Location where) {
  if (frames_.empty())
    walk_.fail(where, "this stands outside of a loop");
  Frame& frame = *frames_.back();
  (is_break ? frame.breaks : frame.continues).push_back(walk_.edge());
  if (is_break)
    walk_.builder().break_(depth_ - frame.break_depth);
  else if (frame.continue_breaks)
    walk_.builder().break_(depth_ - frame.continue_depth);
  else
    walk_.builder().continue_(depth_ - frame.continue_depth);
  walk_.is_reachable = false;
}

void Loops::unroll(
    const tree::Statement& at, const tree::For& node, const std::vector<Value>& elements) {
  const JoinNames& joins = walk_.known_names.joins.at(&at);
  const Bindings entry = walk_.names;
  Frame frame = {.continue_breaks = true};
  {
    const auto outer = walk_.builder().enter(walk_.builder().block());
    frame.break_depth = ++depth_;
    for (const Value& element : elements) {
      if (!walk_.is_reachable)
        break;
      const Bindings before = walk_.names;
      frame.continues.clear();
      {
        const auto inner = walk_.builder().enter(walk_.builder().block());
        frame.continue_depth = ++depth_;
        frames_.push_back(&frame);
        memory_.clear();  // the loops inside start afresh: types may differ
        walker_.assign(*node.target, element);
        walker_.body(node.body);
        frames_.pop_back();
        --depth_;
        if (walk_.is_reachable)
          frame.continues.push_back(walk_.edge());
      }
      joins_.join(joins.assigned, joins.live_head, frame.continues, before);
    }
    if (walk_.is_reachable)
      walker_.body(node.otherwise);
    if (walk_.is_reachable)
      frame.breaks.push_back(walk_.edge());
    --depth_;
  }
  joins_.join(joins.assigned, joins.live_after, frame.breaks, entry);
}

}  // namespace phalanx::frontend::python
