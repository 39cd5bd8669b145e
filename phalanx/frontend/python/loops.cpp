// Loops: names that go from one iteration to the next, and the exit edges.
#include <algorithm>

#include "phalanx/frontend/python/carried.h"
#include "phalanx/frontend/python/lists.h"
#include "phalanx/frontend/python/untaken.h"
#include "phalanx/infer/conversion.h"
#include "phalanx/ir/lists.h"

namespace phalanx::frontend::python {
namespace {

// Types only widen, each at most a few times: more rounds are a bug.
constexpr int most_rounds = 64;

}  // namespace

// ---- Values in variables ----

namespace {

template <typename Leaf>
void for_each_leaf(const ir::Type& type, const Leaf& leaf) {
  if (!type.is_tuple()) {
    leaf(type);
    return;
  }
  for (const ir::Field& field : type.fields()) for_each_leaf(field.type, leaf);
}

}  // namespace

bool has_zero(const ir::Type& type) {
  return type.is_scalar() || ir::is_list(type) ||
         (type.is_array() && type.space() == ir::Space::global);
}

namespace {

// As it was written, or of a global name.
bool is_plain_literal(const Value& value) {
  const auto* literal = value.as<Literal>();
  return literal != nullptr && !is_computed(value) &&
         (literal->dtype == DType::int64 || is_boolean(literal->dtype));
}

}  // namespace

Value sole_of(const std::vector<Binding>& bound) {
  const Value& first = bound.front().meaning();
  const bool agrees = is_plain_literal(first) && std::ranges::all_of(bound, [&](const auto& each) {
                        return is_same(each.meaning(), first);
                      });
  return agrees ? first : Value();
}

namespace {

// What has_zero() says.
ir::Operation* zero(Emitter& emitter, const ir::Type& type) {
  if (type.is_scalar())
    return emitter.convert(boolean_literal(false), type);
  if (ir::is_list(type))
    return new_list(emitter, ir::list_element(type));
  ir::Builder& builder = emitter.builder();
  ir::Operation* none = builder.integer(0);
  const std::size_t numbers = type.layout() == ir::Layout::any ? 2 * type.ndim() : type.ndim();
  std::vector<ir::Operation*> operands(numbers + 1, none);
  operands[0] = builder.bitcast(none, ir::Type::pointer(type.element(), type.space()));
  return &builder.append(ir::Op::array_make, type, std::move(operands));
}

}  // namespace

void Walker::make_variables(Carried& carried) {
  for_each_leaf(carried.type, [&](const ir::Type& type) {
    carried.variables.push_back(builder().variable(carried.name, type));
  });
}

// A name without a value yet is 0, as in Numba.
void Walker::set_carried(const Carried& carried, const Value& value) {
  std::size_t next = 0;
  const std::function<void(const ir::Type&, const Value&)> set = [&](const ir::Type& type,
                                                                     const Value& part) {
    if (!type.is_tuple()) {
      const ir::VariableId variable = carried.variables.at(next++);
      if (!part.is<Unbound>())
        builder().set(variable, emitter_.convert(part, type));
      else if (has_zero(type))
        builder().set(variable, zero(emitter_, type));
      return;
    }
    const auto elements = emitter_.elements_of(part);
    for (std::size_t i = 0; i < type.fields().size(); ++i)
      set(type.fields()[i].type, elements ? (*elements)[i] : Value());
  };
  set(carried.type, value);
}

Value Walker::get_carried(const Carried& carried) {
  std::size_t next = 0;
  const std::function<Value(const ir::Type&)> get = [&](const ir::Type& type) -> Value {
    if (!type.is_tuple()) {
      ir::Operation* value = builder().get(carried.variables.at(next++));
      value->name = carried.name;
      return value;
    }
    std::vector<Value> elements;
    std::vector<std::string> names;
    for (const ir::Field& field : type.fields()) {
      elements.push_back(get(field.type));
      names.push_back(field.name);
    }
    TupleValue tuple = {
        .elements = std::make_shared<const std::vector<Value>>(std::move(elements)),
        .name = type.name()};
    if (!type.name().empty())
      tuple.field_names = std::make_shared<const std::vector<std::string>>(std::move(names));
    return tuple;
  };
  return get(carried.type);
}

// ---- One loop ----

// Sets the variables before the loop. A name without a type yet, or one that means the same thing
// all the time, is not carried.
void Walker::carry_in(const tree::Statement& at, LoopFrame& frame, const Bindings& entry) {
  const JoinNames& joins = known_names_->joins.at(&at);
  Memory& memory = memory_[&at];
  for (const NameId name : joins.assigned.members()) {
    if (!joins.live_head.contains(name))
      continue;
    const Value& value = entry[name].value;
    if (const auto conflict = memory.conflicts.find(name); conflict != memory.conflicts.end()) {
      names_[name] = {conflict->second, entry[name].where};
      continue;
    }
    auto type = type_of(value);
    if (type && type->is_none())
      type.reset();
    if (const auto known = memory.types.find(name); known != memory.types.end()) {
      const auto wide = type ? infer::unify(*type, known->second) : known->second;
      if (!wide) {
        names_[name].value = memory.conflicts[name] = {
            "Cannot unify " + describe(*type) + " and " + describe(known->second) + " for '" +
            known_names_->locals[name] + "'"};
        continue;
      }
      type = wide;
    }
    if (!type || value.is<Conflict>())
      continue;
    Carried carried = {.name = known_names_->locals[name], .id = name, .type = *type};
    make_variables(carried);
    // A name without a value is 0.
    if (!value.is<Pending>() && !value.is<OpenList>())
      set_carried(carried, value);
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
bool Walker::carry_back(const tree::Statement& at, LoopFrame& frame, const Bindings& entry) {
  const JoinNames& joins = known_names_->joins.at(&at);
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

bool Walker::widen(Memory& memory, NameId name, const Binding& head, const Binding& back) {
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
    learn_from(value, *at_head);
  if (value.is_untyped() || is_same(value, head.value))
    return true;
  const auto type = type_of(value);
  if (type)
    learn_from(head.value, *type);
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
        deeper != nullptr ? *deeper : conflict(known_names_->locals[name], head, back);
    return false;
  }
  const auto at_head = type_of(head.value);
  if (at_head && *at_head == *wide)
    return true;
  memory.types[name] = *wide;
  return false;
}

// Emits the loop once. False if it has to be emitted again.
bool Walker::loop_round(const tree::Statement& at, const LoopParts& parts, LoopFrame& frame) {
  const Bindings entry = names_;
  carry_in(at, frame, entry);
  const int depth = depth_;
  frame.break_depth = depth + 1;
  std::optional<ir::Builder::Scope> in_outer;
  if (parts.before_run) {
    in_outer.emplace(builder(), builder().loop().body);
    ++depth_;
    parts.before_run();
  }
  const ir::Builder::Loop loop = builder().loop();
  ++depth_;
  frame.continue_depth = depth_;
  {
    const auto inside = builder().enter(loop.body);
    for (Carried& carried : frame.carried) {
      carried.head = get_carried(carried);
      const auto literal = memory_[&at].literals.find(carried.id);
      const bool has_sole = literal != memory_[&at].literals.end();
      names_[carried.id] = {carried.head, at.location, has_sole ? literal->second : Value()};
    }
    loop_condition(at, parts, frame);
    if (is_reachable_) {
      loops_.push_back(&frame);
      if (parts.begin)
        parts.begin();
      body(parts.body);
      loops_.pop_back();
      if (is_reachable_)
        frame.continues.push_back(edge());
    }
  }
  const bool fits = carry_back(at, frame, entry);
  if (fits) {
    carry_values(frame);
    if (parts.step) {
      const auto inside = builder().enter(loop.step);
      parts.step();
    }
    if (parts.after_run)
      parts.after_run();
  }
  in_outer.reset();
  depth_ = depth;
  if (fits)
    leave_loop(at, frame, entry);
  return fits;
}

// The exit edge at the head: the else clause is there.
void Walker::loop_condition(const tree::Statement& at, const LoopParts& parts, LoopFrame& frame) {
  const Value condition = parts.condition();
  const auto known = known_truth(condition);
  if (known && *known)
    return;
  const auto leave = [&] {
    body(parts.otherwise);
    if (is_reachable_) {
      frame.breaks.push_back(edge());
      builder().break_(depth_ - frame.break_depth);
    }
  };
  if (known) {
    if (!prunes(condition)) {
      loops_.push_back(&frame);
      const Untaken::Types others =
          Untaken{*this}.types_after(parts.body, known_names_->joins.at(&at).live_after);
      loops_.pop_back();
      Untaken{*this}.widen(others);
    }
    leave();
    is_reachable_ = false;
    return;
  }
  const Bindings before = names_;
  const ir::Builder::Branches branches = builder().if_(emitter_.materialize(condition));
  {
    const auto inside = builder().enter(branches.otherwise);
    leave();
  }
  names_ = before;
  is_reachable_ = true;
}

void Walker::carry_values(LoopFrame& frame) {
  for (const Edge& edge : frame.continues) {
    at_end_of(*edge.region, [&] {
      for (const Carried& carried : frame.carried) {
        const Value& value = edge.names[carried.id].value;
        const bool has_value = !value.is_untyped();
        if (has_value && !is_same(value, carried.head))
          set_carried(carried, value);
      }
    });
  }
}

// A name that has the loop's type on all exit edges leaves in the loop's own variable.
bool Walker::leave_in_place(LoopFrame& frame, NameId name, const Location& where) {
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
      at_end_of(*edge.region, [&] { set_carried(*carried, edge.names[name].value); });
  }
  std::vector<Binding> left;
  for (const Edge& edge : frame.breaks) left.push_back(edge.names[name]);
  names_[name] = {get_carried(*carried), where, sole_of(left)};
  return true;
}

void Walker::leave_loop(const tree::Statement& at, LoopFrame& frame, const Bindings& entry) {
  const JoinNames& joins = known_names_->joins.at(&at);
  is_reachable_ = !frame.breaks.empty();
  names_ = entry;
  if (!is_reachable_)
    return;
  NameSet others;
  std::vector<NameId> in_place;
  for (const NameId name : joins.assigned.members()) {
    if (joins.live_after.contains(name) && leave_in_place(frame, name, at.location))
      in_place.push_back(name);
    else
      others.add(name);
  }
  const Bindings left = names_;
  join(others, joins.live_after, std::move(frame.breaks), entry);
  for (const NameId name : in_place) names_[name] = left[name];
}

Walker::Checkpoint Walker::checkpoint() {
  Checkpoint checkpoint = {
      .region = &builder().region(),
      .operations = builder().region().size(),
      .variables = builder().function().variables.size(),
      .returns = returns_.size(),
      .edges = {},
      .untyped = untyped_,
      .names = names_};
  for (const LoopFrame* frame : loops_)
    checkpoint.edges.emplace_back(frame->breaks.size(), frame->continues.size());
  return checkpoint;
}

void Walker::roll_back(const Checkpoint& checkpoint) {
  checkpoint.region->resize(checkpoint.operations);
  builder().function().variables.resize(checkpoint.variables);
  returns_.resize(checkpoint.returns);
  for (std::size_t i = 0; i < loops_.size(); ++i) {
    loops_[i]->breaks.resize(checkpoint.edges[i].first);
    loops_[i]->continues.resize(checkpoint.edges[i].second);
  }
  untyped_ = checkpoint.untyped;
  names_ = checkpoint.names;
  is_reachable_ = true;
}

void Walker::loop(const tree::Statement& at, const LoopParts& parts) {
  const Checkpoint before = checkpoint();
  for (int round = 0; round < most_rounds; ++round) {
    LoopFrame frame;
    if (loop_round(at, parts, frame))
      return;
    roll_back(before);
  }
  fail(at.location, "the types in this loop do not stand still");
}

void Walker::jump(bool is_break, Location where) {
  if (loops_.empty())
    fail(where, "this stands outside of a loop");
  LoopFrame& frame = *loops_.back();
  (is_break ? frame.breaks : frame.continues).push_back(edge());
  if (is_break)
    builder().break_(depth_ - frame.break_depth);
  else if (frame.continue_breaks)
    builder().break_(depth_ - frame.continue_depth);
  else
    builder().continue_(depth_ - frame.continue_depth);
  is_reachable_ = false;
}

void Walker::while_loop(const tree::Statement& at, const tree::While& node) {
  loop(at, {.body = node.body, .otherwise = node.otherwise, .condition = [&] {
              return branch_condition(*node.condition);
            }});
}

}  // namespace phalanx::frontend::python
