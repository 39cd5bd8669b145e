#include "phalanx/frontend/python/parallel_names.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "phalanx/frontend/python/tree_copy.h"
#include "phalanx/frontend/python/visit_tree.h"

namespace phalanx::frontend::python {

namespace {

std::size_t occurrences(const tree::Expression& expression, const std::string& name) {
  const auto* own = std::get_if<tree::Name>(&expression.node);
  std::size_t count = own != nullptr && own->text == name ? 1 : 0;
  if (const auto* named = std::get_if<tree::NamedExpression>(&expression.node))
    count += named->name == name ? 1 : 0;
  if (const auto* lambda = std::get_if<tree::Lambda>(&expression.node)) {
    const auto free = free_names(*lambda->function);
    count += static_cast<std::size_t>(std::ranges::count(free, name));
  }
  tree::for_each_child(
      expression, [&](const tree::Expression& child) { count += occurrences(child, name); });
  return count;
}

template <typename Visitor>
void for_each_statement(const tree::Body& body, const Visitor& visit) {
  for (const auto& statement : body) {
    visit(*statement);
    tree::for_each_body(
        *statement, [&](const tree::Body& nested) { for_each_statement(nested, visit); });
  }
}

std::size_t occurrences(const tree::Body& body, const std::string& name) {
  std::size_t count = 0;
  for_each_statement(body, [&](const tree::Statement& statement) {
    tree::for_each_expression(
        statement, [&](const tree::Expression& one) { count += occurrences(one, name); });
    if (const auto* define = std::get_if<tree::Define>(&statement.node)) {
      const auto free = free_names(*define->function);
      count += static_cast<std::size_t>(std::ranges::count(free, name));
    }
  });
  return count;
}

bool is_name(const tree::Expression& expression, const std::string& name) {
  const auto* own = std::get_if<tree::Name>(&expression.node);
  return own != nullptr && own->text == name;
}

// The operation that combines what two chunks of the loop made with `op`.
std::optional<ir::Op> combining(ir::Op op) {
  switch (op) {
    case ir::Op::add:
    case ir::Op::subtract:
      return ir::Op::add;
    case ir::Op::multiply:
    case ir::Op::true_divide:
      return ir::Op::multiply;
    case ir::Op::bitwise_and:
    case ir::Op::bitwise_or:
    case ir::Op::bitwise_xor:
      return op;
    default:
      return std::nullopt;
  }
}

bool is_commutative(ir::Op op) { return op != ir::Op::subtract && op != ir::Op::true_divide; }

// min(name, value) and its kin, as a reduction.
std::optional<Reduction> of_call(const tree::Call& call, const std::string& name) {
  struct Row {
    std::string_view function;
    ir::Op op;
    bool propagates_nan;
  };
  constexpr Row rows[] = {
      {"min", ir::Op::minimum, false},
      {"max", ir::Op::maximum, false},
      {"minimum", ir::Op::minimum, true},
      {"maximum", ir::Op::maximum, true},
      {"fmin", ir::Op::minimum, false},
      {"fmax", ir::Op::maximum, false},
  };
  const auto* plain = std::get_if<tree::Name>(&call.callee->node);
  const auto* attribute = std::get_if<tree::Attribute>(&call.callee->node);
  const std::string function = plain != nullptr       ? plain->text
                               : attribute != nullptr ? attribute->name
                                                      : std::string();
  const auto row = std::ranges::find(rows, function, &Row::function);
  const bool fits = row != std::end(rows) && call.arguments.size() == 2 && call.keywords.empty() &&
                    (is_name(*call.arguments[0], name) || is_name(*call.arguments[1], name));
  if (!fits)
    return std::nullopt;
  return Reduction{.name = name, .op = row->op, .propagates_nan = row->propagates_nan};
}

// `name = name op value` and the like; the name is in it twice.
std::optional<Reduction> of_assignment(const tree::Assign& assign, const std::string& name) {
  if (assign.targets.size() != 1 || !is_name(*assign.targets[0], name))
    return std::nullopt;
  if (const auto* call = std::get_if<tree::Call>(&assign.value->node))
    return of_call(*call, name);
  const auto* binary = std::get_if<tree::Binary>(&assign.value->node);
  if (binary == nullptr)
    return std::nullopt;
  const auto op = combining(binary->op);
  const bool is_left = is_name(*binary->left, name);
  const bool is_right = is_name(*binary->right, name) && is_commutative(binary->op);
  if (!op || (!is_left && !is_right))
    return std::nullopt;
  return Reduction{.name = name, .op = *op};
}

// How the loop reduces into the name; nothing where it does something else with it, too.
std::optional<Reduction> reduction_of(const tree::Body& body, const std::string& name) {
  std::optional<Reduction> found;
  bool is_one = true;
  std::size_t explained = 0;
  for_each_statement(body, [&](const tree::Statement& statement) {
    std::optional<Reduction> here;
    if (const auto* augmented = std::get_if<tree::AugmentedAssign>(&statement.node)) {
      const auto op = is_name(*augmented->target, name) ? combining(augmented->op) : std::nullopt;
      if (op) {
        here = Reduction{.name = name, .op = *op, .is_in_place = true};
        explained += 1;
      }
    } else if (const auto* assign = std::get_if<tree::Assign>(&statement.node)) {
      here = of_assignment(*assign, name);
      explained += here ? 2 : 0;
    }
    if (!here)
      return;
    is_one = is_one && (!found || found->op == here->op);
    if (found)
      here->is_in_place = here->is_in_place && found->is_in_place;
    found = here;
  });
  if (!is_one || !found || explained != occurrences(body, name))
    return std::nullopt;
  return found;
}

// True if control leaves the loop, or its iteration, before the end.
struct Jumps {
  bool leaves = false;
  bool continues = false;
};

void add_jumps(const tree::Body& body, bool is_nested_loop, Jumps& jumps) {
  for (const auto& statement : body) {
    jumps.leaves |= std::holds_alternative<tree::Return>(statement->node);
    if (!is_nested_loop) {
      jumps.leaves |= std::holds_alternative<tree::Break>(statement->node);
      jumps.continues |= std::holds_alternative<tree::Continue>(statement->node);
    }
    const bool is_loop = std::holds_alternative<tree::For>(statement->node) ||
                         std::holds_alternative<tree::While>(statement->node);
    tree::for_each_body(*statement, [&](const tree::Body& nested) {
      add_jumps(nested, is_nested_loop || is_loop, jumps);
    });
  }
}

// True if each iteration gives the name a value: a statement of the body itself does.
bool is_always_assigned(const tree::For& loop, const std::string& name) {
  if (is_name(*loop.target, name))
    return true;
  return std::ranges::any_of(loop.body, [&](const auto& statement) {
    const auto* assign = std::get_if<tree::Assign>(&statement->node);
    return assign != nullptr && std::ranges::any_of(assign->targets, [&](const auto& target) {
             return is_name(*target, name);
           });
  });
}

// The names that an iteration may read as an earlier one left them.
std::vector<std::string> carried_names(const tree::For& loop) {
  tree::Function probe;
  auto statement = std::make_unique<tree::Statement>();
  statement->node = tree::For{
      tree::copy(loop.target), tree::copy(loop.iterable), tree::copy(loop.body), tree::Body()};
  const tree::Statement* key = statement.get();
  probe.body.push_back(std::move(statement));
  const Names names = analyze_names(probe);
  const JoinNames& joins = names.joins.at(key);
  std::vector<std::string> carried;
  for (const NameId name : joins.assigned.members()) {
    if (joins.live_head.contains(name))
      carried.push_back(names.locals[name]);
  }
  return carried;
}

}  // namespace

ParallelNames parallel_names(const tree::For& loop, const Names& names, const JoinNames& joins) {
  ParallelNames result;
  Jumps jumps;
  add_jumps(loop.body, false, jumps);
  if (jumps.leaves || !loop.otherwise.empty())
    result.obstacle = "a break, a return or an else ends it";
  const std::vector<std::string> carried = carried_names(loop);
  for (const std::string& name : carried) {
    if (auto reduction = reduction_of(loop.body, name))
      result.reductions.push_back(std::move(*reduction));
    else
      result.obstacle = "'" + name + "' goes from one iteration to the next";
  }
  for (const NameId id : joins.assigned.members()) {
    const std::string& name = names.locals[id];
    if (!joins.live_after.contains(id) || std::ranges::find(carried, name) != carried.end())
      continue;
    if (jumps.continues || !is_always_assigned(loop, name))
      result.obstacle = "'" + name + "', which is read after it, is not set in each iteration";
    result.last.push_back(name);
  }
  return result;
}

}  // namespace phalanx::frontend::python
