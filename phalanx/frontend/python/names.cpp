#include "phalanx/frontend/python/names.h"

#include <algorithm>
#include <set>

#include "phalanx/frontend/python/flags.h"
#include "phalanx/frontend/python/visit_tree.h"

namespace phalanx::frontend::python {

void NameSet::add(NameId name) {
  if (name >= bits_.size())
    bits_.resize(name + 1);
  bits_[name] = true;
}
void NameSet::add(const NameSet& others) {
  for (const NameId name : others.members()) add(name);
}
void NameSet::remove(NameId name) {
  if (name < bits_.size())
    bits_[name] = false;
}
bool NameSet::contains(NameId name) const { return name < bits_.size() && bits_[name]; }

std::vector<NameId> NameSet::members() const {
  std::vector<NameId> members;
  for (NameId name = 0; name < bits_.size(); ++name) {
    if (bits_[name])
      members.push_back(name);
  }
  return members;
}
bool NameSet::operator==(const NameSet& other) const { return members() == other.members(); }

const NameId* Names::find(std::string_view name) const {
  const auto found = ids.find(std::string(name));
  return found == ids.end() ? nullptr : &found->second;
}

namespace {

using StringSet = std::set<std::string>;

// The names that assigning to the expression binds.
void add_targets(const tree::Expression& target, StringSet& names) {
  if (const auto* name = std::get_if<tree::Name>(&target.node))
    names.insert(name->text);
  else if (const auto* tuple = std::get_if<tree::Tuple>(&target.node))
    for (const auto& element : tuple->elements) add_targets(*element, names);
  else if (const auto* starred = std::get_if<tree::Starred>(&target.node))
    add_targets(*starred->value, names);
}

void add_walrus(const tree::Expression& expression, StringSet& names) {
  if (const auto* named = std::get_if<tree::NamedExpression>(&expression.node))
    names.insert(named->name);
  tree::for_each_child(expression, [&](const auto& child) { add_walrus(child, names); });
}

// What the statement itself binds, without the statements in it.
void add_bound(const tree::Statement& statement, StringSet& names) {
  if (const auto* assign = std::get_if<tree::Assign>(&statement.node))
    for (const auto& target : assign->targets) add_targets(*target, names);
  else if (const auto* augmented = std::get_if<tree::AugmentedAssign>(&statement.node))
    add_targets(*augmented->target, names);
  else if (const auto* loop = std::get_if<tree::For>(&statement.node))
    add_targets(*loop->target, names);
  else if (const auto* define = std::get_if<tree::Define>(&statement.node))
    names.insert(define->function->name);
  else if (const auto* deleted = std::get_if<tree::Delete>(&statement.node))
    names.insert(deleted->names.begin(), deleted->names.end());
  tree::for_each_expression(statement, [&](const auto& child) { add_walrus(child, names); });
}

void add_all_bound(const tree::Body& body, StringSet& names) {
  for (const auto& statement : body) {
    add_bound(*statement, names);
    tree::for_each_body(
        *statement, [&](const tree::Body& nested) { add_all_bound(nested, names); });
  }
}

StringSet bound_names(const tree::Function& function) {
  StringSet names;
  for (const tree::Parameter& parameter : function.parameters) names.insert(parameter.name);
  if (!function.variadic.empty())
    names.insert(function.variadic);
  add_all_bound(function.body, names);
  return names;
}

void add_read(const tree::Expression& expression, StringSet& names) {
  if (const auto* name = std::get_if<tree::Name>(&expression.node))
    names.insert(name->text);
  else if (const auto* lambda = std::get_if<tree::Lambda>(&expression.node))
    for (std::string& free : free_names(*lambda->function)) names.insert(std::move(free));
  tree::for_each_child(expression, [&](const auto& child) { add_read(child, names); });
}

void add_all_read(const tree::Body& body, StringSet& names) {
  for (const auto& statement : body) {
    tree::for_each_expression(*statement, [&](const auto& child) { add_read(child, names); });
    if (const auto* define = std::get_if<tree::Define>(&statement->node))
      for (std::string& free : free_names(*define->function)) names.insert(std::move(free));
    tree::for_each_body(*statement, [&](const tree::Body& nested) { add_all_read(nested, names); });
  }
}

// Backward over the tree: which names may still be read.
class Liveness {
 public:
  explicit Liveness(Names& names) : names_(&names) {}

  // `captured` names may be read by a nested function at any time.
  void run(const tree::Function& function) {
    add_captured(function.body);
    body(function.body, captured_);
  }

 private:
  struct Loop {
    NameSet after;
    NameSet head;
  };

  NameSet ids_of(const StringSet& strings) const {
    NameSet set;
    for (const std::string& text : strings) {
      if (const NameId* id = names_->find(text))
        set.add(*id);
    }
    return set;
  }

  void add_captured(const tree::Expression& expression) {
    if (std::holds_alternative<tree::Lambda>(expression.node))
      captured_.add(reads(expression));
    tree::for_each_child(expression, [&](const auto& child) { add_captured(child); });
  }
  void add_captured(const tree::Body& statements) {
    for (const auto& statement : statements) {
      if (const auto* define = std::get_if<tree::Define>(&statement->node)) {
        const auto free = free_names(*define->function);
        captured_.add(ids_of(StringSet(free.begin(), free.end())));
      }
      tree::for_each_expression(*statement, [&](const auto& child) { add_captured(child); });
      tree::for_each_body(*statement, [&](const tree::Body& nested) { add_captured(nested); });
    }
  }

  NameSet reads(const tree::Expression& expression) const {
    StringSet strings;
    add_read(expression, strings);
    return ids_of(strings);
  }

  NameSet body(const tree::Body& statements, NameSet live) {
    for (auto statement = statements.rbegin(); statement != statements.rend(); ++statement)
      live = this->statement(**statement, std::move(live));
    return live;
  }

  NameSet statement(const tree::Statement& statement, NameSet live) {
    if (const auto* branch = std::get_if<tree::If>(&statement.node))
      return if_(statement, *branch, live);
    if (const auto* loop = std::get_if<tree::While>(&statement.node))
      return while_(statement, *loop, live);
    if (const auto* loop = std::get_if<tree::For>(&statement.node))
      return for_(statement, *loop, live);
    if (std::holds_alternative<tree::Break>(statement.node))
      return loops_.empty() ? live : loops_.back().after;
    if (std::holds_alternative<tree::Continue>(statement.node))
      return loops_.empty() ? live : loops_.back().head;
    if (std::holds_alternative<tree::Return>(statement.node) ||
        std::holds_alternative<tree::Raise>(statement.node))
      live = captured_;
    return simple(statement, std::move(live));
  }

  // Assigned names die above the statement, read names live; a walrus may not run, so kills
  // nothing.
  NameSet simple(const tree::Statement& statement, NameSet live) const {
    if (const auto* assign = std::get_if<tree::Assign>(&statement.node)) {
      StringSet targets;
      for (const auto& target : assign->targets) add_targets(*target, targets);
      kill(targets, live);
      for (const auto& target : assign->targets) {
        // a[i] = x reads a and i; names as targets are read nowhere
        if (!std::holds_alternative<tree::Name>(target->node))
          live.add(target_reads(*target));
      }
      live.add(reads(*assign->value));
      return live;
    }
    if (const auto* define = std::get_if<tree::Define>(&statement.node))
      kill({define->function->name}, live);
    tree::for_each_expression(statement, [&](const auto& child) { live.add(reads(child)); });
    return live;
  }

  NameSet target_reads(const tree::Expression& target) const {
    if (const auto* tuple = std::get_if<tree::Tuple>(&target.node)) {
      NameSet set;
      for (const auto& element : tuple->elements) set.add(target_reads(*element));
      return set;
    }
    return std::holds_alternative<tree::Name>(target.node) ? NameSet() : reads(target);
  }

  void kill(const StringSet& strings, NameSet& live) const {
    for (const NameId name : ids_of(strings).members()) {
      if (!captured_.contains(name))
        live.remove(name);
    }
  }

  JoinNames& join(const tree::Statement& statement, const NameSet& live_after) {
    JoinNames& names = names_->joins[&statement];
    names.live_after = live_after;
    StringSet bound;
    add_bound(statement, bound);
    tree::for_each_body(statement, [&](const tree::Body& nested) { add_all_bound(nested, bound); });
    names.assigned = ids_of(bound);
    return names;
  }

  NameSet if_(const tree::Statement& statement, const tree::If& branch, const NameSet& after) {
    join(statement, after);
    NameSet live = body(branch.then, after);
    live.add(body(branch.otherwise, after));
    live.add(reads(*branch.condition));
    return live;
  }

  // Repeats until the names live at the loop's head no longer change.
  template <typename Iteration>
  NameSet loop(const tree::Statement& statement, const NameSet& after, const Iteration& iteration) {
    join(statement, after);
    NameSet head = after;
    while (true) {
      loops_.push_back({after, head});
      NameSet next = iteration(head);
      loops_.pop_back();
      next.add(head);
      if (next == head)
        break;
      head = std::move(next);
    }
    names_->joins[&statement].live_head = head;
    return head;
  }

  NameSet while_(const tree::Statement& statement, const tree::While& node, const NameSet& after) {
    const NameSet otherwise = body(node.otherwise, after);
    return loop(statement, after, [&](const NameSet& head) {
      NameSet live = body(node.body, head);
      live.add(otherwise);
      live.add(reads(*node.condition));
      return live;
    });
  }

  NameSet for_(const tree::Statement& statement, const tree::For& node, const NameSet& after) {
    const NameSet otherwise = body(node.otherwise, after);
    NameSet live = loop(statement, after, [&](const NameSet& head) {
      NameSet inside = body(node.body, head);
      StringSet targets;
      add_targets(*node.target, targets);
      kill(targets, inside);
      inside.add(target_reads(*node.target));
      inside.add(otherwise);
      return inside;
    });
    live.add(reads(*node.iterable));
    return live;
  }

  Names* names_;
  NameSet captured_;
  std::vector<Loop> loops_;
};

}  // namespace

Names analyze_names(const tree::Function& function) {
  Names names;
  for (const std::string& name : bound_names(function)) {
    names.ids.emplace(name, static_cast<NameId>(names.locals.size()));
    names.locals.push_back(name);
  }
  Liveness(names).run(function);
  return names;
}

void add_flags(Names& names) {
  names.flags = static_cast<NameId>(names.locals.size());
  for (NameId name = 0; name < names.flags; ++name)
    names.locals.push_back(flag_of(names.locals[name]));
  for (auto& [statement, joins] : names.joins) {
    for (NameSet* set : {&joins.live_after, &joins.live_head, &joins.assigned}) {
      for (const NameId name : set->members()) set->add(name + names.flags);
    }
  }
}

std::vector<std::string> free_names(const tree::Function& function) {
  StringSet read;
  add_all_read(function.body, read);
  for (const std::string& bound : bound_names(function)) read.erase(bound);
  return {read.begin(), read.end()};
}

}  // namespace phalanx::frontend::python
