#include "phalanx/bindings/python_tree.h"

#include <nanobind/stl/complex.h>
#include <nanobind/stl/string.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/constant_folding.h"

namespace nb = nanobind;

namespace phalanx::bindings {
namespace {

namespace tree = frontend::tree;
using tree::ExpressionPtr;
using tree::StatementPtr;

std::string class_name(nb::handle node) {
  return nb::cast<std::string>(nb::getattr(node.type(), "__name__"));
}

template <typename T>
struct Named {
  std::string_view name;
  T value;
};

constexpr std::array binary_operators = {
    Named{"Add", ir::Op::add},
    Named{"Sub", ir::Op::subtract},
    Named{"Mult", ir::Op::multiply},
    Named{"Div", ir::Op::true_divide},
    Named{"FloorDiv", ir::Op::floor_divide},
    Named{"Mod", ir::Op::remainder},
    Named{"Pow", ir::Op::power},
    Named{"LShift", ir::Op::left_shift},
    Named{"RShift", ir::Op::right_shift},
    Named{"BitOr", ir::Op::bitwise_or},
    Named{"BitXor", ir::Op::bitwise_xor},
    Named{"BitAnd", ir::Op::bitwise_and},
};

constexpr std::array unary_operators = {
    Named{"UAdd", tree::UnaryOperator::plus},
    Named{"USub", tree::UnaryOperator::minus},
    Named{"Invert", tree::UnaryOperator::invert},
    Named{"Not", tree::UnaryOperator::logical_not},
};

constexpr std::array comparisons = {
    Named{"Eq", tree::Comparison::equal},
    Named{"NotEq", tree::Comparison::not_equal},
    Named{"Lt", tree::Comparison::less},
    Named{"LtE", tree::Comparison::less_equal},
    Named{"Gt", tree::Comparison::greater},
    Named{"GtE", tree::Comparison::greater_equal},
    Named{"Is", tree::Comparison::is},
    Named{"IsNot", tree::Comparison::is_not},
    Named{"In", tree::Comparison::in},
    Named{"NotIn", tree::Comparison::not_in},
};

// What kernels do not have, by CPython's class, and what to write instead.
struct Foreign {
  std::string_view name;
  std::string_view what;
  std::string_view advice;
};
constexpr std::array foreign_nodes = {
    Foreign{"SetComp", "a set comprehension", "Write a loop that fills an array."},
    Foreign{"DictComp", "a dict comprehension", "Write a loop that fills an array."},
    Foreign{"GeneratorExp", "a generator expression", "Write a loop."},
    Foreign{"Dict", "a dict", "Use a tuple, a named tuple or a record."},
    Foreign{"Set", "a set", "Use a tuple: `x in (1, 2, 3)`."},
    Foreign{"FormattedValue", "an f-string", "Give print the values as arguments."},
    Foreign{"Await", "await", ""},
    Foreign{"Yield", "yield", "Write the results into an array."},
    Foreign{"YieldFrom", "yield", "Write the results into an array."},
    Foreign{"Try", "try", "Test for the error with an if."},
    Foreign{"TryStar", "try", "Test for the error with an if."},
    Foreign{"With", "with", ""},
    Foreign{"AsyncFor", "async for", "Write for."},
    Foreign{"AsyncWith", "async with", ""},
    Foreign{"AsyncFunctionDef", "an async function", "Write def."},
    Foreign{"ClassDef", "a class", "Use named tuples or records, defined outside."},
    Foreign{"Import", "import", "Import outside of the kernel."},
    Foreign{"ImportFrom", "import", "Import outside of the kernel."},
    Foreign{"Global", "global", "Kernels cannot change globals: write into an array."},
    Foreign{"Nonlocal", "nonlocal", "Return the value, or write into an array."},
    Foreign{"Match", "match", "Write if and elif."},
    Foreign{"MatMult", "the operator @", "Write the loops."},
};

template <typename T, std::size_t count>
const T* find(const std::array<Named<T>, count>& table, std::string_view name) {
  for (const Named<T>& row : table) {
    if (row.name == name)
      return &row.value;
  }
  return nullptr;
}

tree::Unsupported unsupported(const std::string& name) {
  for (const Foreign& row : foreign_nodes) {
    if (row.name == name)
      return {.what = std::string(row.what), .advice = std::string(row.advice)};
  }
  return {.what = "the syntax " + name, .advice = {}};
}

// Reads nodes by attribute name: nothing of CPython's compiler is linked.
class Reader {
 public:
  explicit Reader(std::int64_t line_shift) : line_shift_(line_shift) {}

  std::shared_ptr<const tree::Function> function(nb::handle node) const {
    auto made = std::make_shared<tree::Function>();
    made->location = location(node);
    const bool is_lambda = class_name(node) == "Lambda";
    made->name = is_lambda ? "<lambda>" : text(node, "name");
    parameters(node.attr("args"), *made);
    if (is_lambda) {
      ExpressionPtr value = expression(node.attr("body"));
      auto result = std::make_unique<tree::Statement>();
      result->location = value->location;
      result->node = tree::Return{std::move(value)};
      made->body.push_back(std::move(result));
    } else {
      made->body = body(node.attr("body"));
    }
    return made;
  }

 private:
  static std::string text(nb::handle node, const char* name) {
    return nb::cast<std::string>(node.attr(name));
  }

  Location location(nb::handle node) const {
    Location where;
    const auto line = nb::cast<std::int64_t>(node.attr("lineno"));
    const auto end_line = nb::cast<std::int64_t>(node.attr("end_lineno"));
    where.line = static_cast<std::uint32_t>(line + line_shift_);
    where.column = nb::cast<std::uint32_t>(node.attr("col_offset"));
    // 0: to the end of the line.
    where.end_column = line == end_line ? nb::cast<std::uint32_t>(node.attr("end_col_offset")) : 0;
    return where;
  }

  // Positional and keyword parameters in one list; defaults are with the last of them.
  void parameters(nb::handle arguments, tree::Function& function) const {
    const auto add = [&](const char* list, bool is_keyword_only) {
      for (const nb::handle argument : arguments.attr(list))
        function.parameters.push_back(
            {.name = text(argument, "arg"),
             .default_value = nullptr,
             .location = location(argument),
             .is_keyword_only = is_keyword_only});
    };
    add("posonlyargs", false);
    add("args", false);
    const std::size_t positional = function.parameters.size();
    add("kwonlyargs", true);
    const nb::list defaults(arguments.attr("defaults"));
    for (std::size_t i = 0; i < defaults.size(); ++i)
      function.parameters.at(positional - defaults.size() + i).default_value =
          expression(defaults[i]);
    const nb::list keyword_defaults(arguments.attr("kw_defaults"));
    for (std::size_t i = 0; i < keyword_defaults.size(); ++i) {
      if (!keyword_defaults[i].is_none())
        function.parameters.at(positional + i).default_value = expression(keyword_defaults[i]);
    }
    if (const nb::object rest = arguments.attr("vararg"); !rest.is_none())
      function.variadic = text(rest, "arg");
  }

  tree::Body body(nb::handle statements) const {
    tree::Body made;
    for (const nb::handle statement : statements) made.push_back(this->statement(statement));
    return made;
  }

  std::vector<ExpressionPtr> expressions(nb::handle nodes) const {
    std::vector<ExpressionPtr> made;
    for (const nb::handle node : nodes) made.push_back(expression(node));
    return made;
  }

  ExpressionPtr optional_expression(nb::handle node) const {
    return node.is_none() ? nullptr : expression(node);
  }

  template <typename Node, std::size_t count>
  Node read_by_class(
      const std::array<Named<Node (Reader::*)(nb::handle) const>, count>& readers,
      nb::handle node) const {
    const std::string name = class_name(node);
    const auto* const read = find(readers, name);
    return read == nullptr ? Node(unsupported(name)) : (this->**read)(node);
  }

  ExpressionPtr expression(nb::handle node) const {
    auto made = std::make_unique<tree::Expression>();
    made->location = location(node);
    using Read = decltype(made->node) (Reader::*)(nb::handle) const;
    static constexpr std::array readers = {
        Named<Read>{"Name", &Reader::read_name},
        Named<Read>{"Constant", &Reader::read_constant},
        Named<Read>{"BinOp", &Reader::read_binary},
        Named<Read>{"UnaryOp", &Reader::read_unary},
        Named<Read>{"BoolOp", &Reader::read_boolean},
        Named<Read>{"Compare", &Reader::read_compare},
        Named<Read>{"IfExp", &Reader::read_conditional},
        Named<Read>{"Call", &Reader::read_call},
        Named<Read>{"Attribute", &Reader::read_attribute},
        Named<Read>{"Subscript", &Reader::read_subscript},
        Named<Read>{"Slice", &Reader::read_slice},
        Named<Read>{"Tuple", &Reader::read_tuple},
        Named<Read>{"List", &Reader::read_list},
        Named<Read>{"JoinedStr", &Reader::read_formatted_string},
        Named<Read>{"ListComp", &Reader::read_list_comprehension},
        Named<Read>{"Starred", &Reader::read_starred},
        Named<Read>{"NamedExpr", &Reader::read_named},
        Named<Read>{"Lambda", &Reader::read_lambda},
    };
    made->node = read_by_class(readers, node);
    return made;
  }

  using ExpressionNode = decltype(tree::Expression::node);
  using StatementNode = decltype(tree::Statement::node);

  ExpressionNode read_name(nb::handle node) const { return tree::Name{text(node, "id")}; }

  ExpressionNode read_constant(nb::handle node) const { return constant(node.attr("value")); }

  static ExpressionNode constant(const nb::object& value) {
    if (value.is_none())
      return tree::Constant{tree::None{}};
    if (nb::isinstance<nb::bool_>(value))
      return tree::Constant{nb::cast<bool>(value)};
    if (nb::isinstance<nb::float_>(value))
      return tree::Constant{nb::cast<double>(value)};
    if (nb::isinstance<nb::str>(value))
      return tree::Constant{nb::cast<std::string>(value)};
    if (nb::isinstance<nb::bytes>(value)) {
      const auto bytes = nb::cast<nb::bytes>(value);
      return tree::Constant{std::string(bytes.c_str(), bytes.size())};
    }
    if (nb::isinstance<nb::int_>(value))
      return read_integer(value);
    if (value.is(nb::ellipsis()))
      return tree::Constant{tree::Ellipsis{}};
    if (class_name(value) == "complex")
      return tree::Constant{nb::cast<std::complex<double>>(value)};
    return tree::Unsupported{.what = "a " + class_name(value) + " literal", .advice = {}};
  }

  static ExpressionNode read_integer(const nb::object& value) {
    int overflow = 0;
    const std::int64_t integer = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
    if (overflow == 0)
      return tree::Constant{integer};
    const std::uint64_t natural = overflow > 0 ? PyLong_AsUnsignedLongLong(value.ptr()) : 0;
    if (overflow > 0 && PyErr_Occurred() == nullptr)
      return tree::Constant{natural};
    PyErr_Clear();
    return tree::Constant{tree::BigInteger{nb::cast<std::string>(nb::str(value))}};
  }

  ExpressionNode read_binary(nb::handle node) const {
    const std::string name = class_name(node.attr("op"));
    const ir::Op* op = find(binary_operators, name);
    if (name == "MatMult") {
      tree::Call call;
      call.callee = std::make_unique<tree::Expression>(
          tree::Expression{location(node), tree::Name{tree::matrix_product}});
      call.arguments.push_back(expression(node.attr("left")));
      call.arguments.push_back(expression(node.attr("right")));
      return call;
    }
    if (op == nullptr)
      return unsupported(name);
    tree::Binary made = {*op, expression(node.attr("left")), expression(node.attr("right"))};
    if (const Folded folded = fold(made))
      return folded.is_too_wide ? tree::Constant{tree::BigInteger{}} : constant(folded.value);
    return made;
  }

  ExpressionNode read_unary(nb::handle node) const {
    tree::Unary made = {
        *find(unary_operators, class_name(node.attr("op"))), expression(node.attr("operand"))};
    if (const Folded folded = fold(made))
      return constant(folded.value);
    return made;
  }

  ExpressionNode read_boolean(nb::handle node) const {
    return tree::Boolean{class_name(node.attr("op")) == "And", expressions(node.attr("values"))};
  }

  ExpressionNode read_compare(nb::handle node) const {
    tree::Compare made = {expression(node.attr("left")), {}, expressions(node.attr("comparators"))};
    for (const nb::handle op : nb::list(node.attr("ops")))
      made.comparisons.push_back(*find(comparisons, class_name(op)));
    return made;
  }

  ExpressionNode read_conditional(nb::handle node) const {
    return tree::Conditional{
        expression(node.attr("test")),
        expression(node.attr("body")),
        expression(node.attr("orelse"))};
  }

  ExpressionNode read_call(nb::handle node) const {
    tree::Call made = {expression(node.attr("func")), expressions(node.attr("args")), {}};
    for (const nb::handle keyword : nb::list(node.attr("keywords"))) {
      const nb::object name = keyword.attr("arg");  // None: **values
      made.keywords.push_back(
          {name.is_none() ? "" : nb::cast<std::string>(name), expression(keyword.attr("value"))});
    }
    return made;
  }

  ExpressionNode read_attribute(nb::handle node) const {
    return tree::Attribute{expression(node.attr("value")), text(node, "attr")};
  }

  ExpressionNode read_subscript(nb::handle node) const {
    tree::Subscript made = {expression(node.attr("value")), expression(node.attr("slice"))};
    if (const Folded folded = fold(made))
      return constant(folded.value);
    return made;
  }

  ExpressionNode read_slice(nb::handle node) const {
    return tree::Slice{
        optional_expression(node.attr("lower")),
        optional_expression(node.attr("upper")),
        optional_expression(node.attr("step"))};
  }

  ExpressionNode read_tuple(nb::handle node) const {
    return tree::Tuple{expressions(node.attr("elts")), false};
  }
  ExpressionNode read_list(nb::handle node) const {
    return tree::Tuple{expressions(node.attr("elts")), true};
  }
  ExpressionNode read_starred(nb::handle node) const {
    return tree::Starred{expression(node.attr("value"))};
  }
  ExpressionNode read_named(nb::handle node) const {
    return tree::NamedExpression{text(node.attr("target"), "id"), expression(node.attr("value"))};
  }
  ExpressionNode read_lambda(nb::handle node) const { return tree::Lambda{function(node)}; }

  // f"{a} of {b!r:.2f}" is the sum of its parts: format(a) + " of " + format(repr(b), ".2f").
  ExpressionNode read_formatted_string(nb::handle node) const {
    ExpressionPtr sum;
    for (const nb::handle value : nb::list(node.attr("values"))) {
      ExpressionPtr part = formatted_part(node, value);
      if (!sum) {
        sum = std::move(part);
        continue;
      }
      auto both = std::make_unique<tree::Expression>();
      both->location = location(node);
      both->node = tree::Binary{ir::Op::add, std::move(sum), std::move(part)};
      sum = std::move(both);
    }
    return sum ? std::move(sum->node) : ExpressionNode(tree::Constant{std::string()});
  }

  // Parts have locations of their own only from Python 3.12 on.
  ExpressionPtr formatted_part(nb::handle whole, nb::handle node) const {
    auto part = std::make_unique<tree::Expression>();
    part->location = location(whole);
    if (class_name(node) == "Constant") {
      part->node = tree::Constant{text(node, "value")};
      return part;
    }
    const auto called = [&](const std::string& function, ExpressionPtr argument) {
      tree::Call call;
      call.callee = std::make_unique<tree::Expression>(
          tree::Expression{location(whole), tree::Name{function}});
      call.arguments.push_back(std::move(argument));
      return call;
    };
    ExpressionPtr value = expression(nb::object(node.attr("value")));
    if (const auto letter = nb::cast<int>(node.attr("conversion")); letter != -1) {
      auto converted = std::make_unique<tree::Expression>();
      converted->location = location(whole);
      converted->node =
          called(std::string(tree::format_function) + static_cast<char>(letter), std::move(value));
      value = std::move(converted);
    }
    tree::Call call = called(tree::format_function, std::move(value));
    if (ExpressionPtr spec = optional_expression(node.attr("format_spec")))
      call.arguments.push_back(std::move(spec));
    part->node = std::move(call);
    return part;
  }

  // As a function of what its first loop goes over, which is called at once:
  //     def <listcomp>(.iterable):
  //         .list = []
  //         for target in .iterable: ...
  //             .list.append(element)
  //         return .list
  ExpressionNode read_list_comprehension(nb::handle node) const {
    const Location where = location(node);
    const auto make = [&](ExpressionNode made) {
      auto expression = std::make_unique<tree::Expression>();
      expression->location = where;
      expression->node = std::move(made);
      return expression;
    };
    const auto state = [&](StatementNode made) {
      auto statement = std::make_unique<tree::Statement>();
      statement->location = where;
      statement->node = std::move(made);
      return statement;
    };
    const char* const list = ".list";
    const char* const iterable = ".iterable";
    tree::Call append;
    append.callee = make(tree::Attribute{make(tree::Name{list}), "append"});
    append.arguments.push_back(expression(node.attr("elt")));
    StatementPtr inside = state(tree::Evaluate{make(std::move(append))});
    const nb::list loops(node.attr("generators"));
    for (std::size_t i = loops.size(); i-- > 0;)
      inside = state(comprehension_loop(
          loops[i], i == 0 ? make(tree::Name{iterable}) : nullptr, std::move(inside)));
    auto function = std::make_shared<tree::Function>();
    function->name = "<listcomp>";
    function->location = where;
    function->parameters.push_back({.name = iterable, .default_value = nullptr, .location = where});
    tree::Assign begin;
    begin.targets.push_back(make(tree::Name{list}));
    begin.value = make(tree::Tuple{.elements = {}, .is_list = true});
    function->body.push_back(state(std::move(begin)));
    function->body.push_back(std::move(inside));
    function->body.push_back(state(tree::Return{make(tree::Name{list})}));
    tree::Call call;
    call.callee = make(tree::Lambda{std::move(function)});
    call.arguments.push_back(expression(nb::object(loops[0].attr("iter"))));
    return call;
  }

  // One `for target in iterable if condition ...` around a statement.
  tree::For comprehension_loop(nb::handle node, ExpressionPtr iterable, StatementPtr inside) const {
    const nb::list conditions(node.attr("ifs"));
    for (std::size_t i = conditions.size(); i-- > 0;) {
      tree::If branch;
      branch.condition = expression(conditions[i]);
      auto statement = std::make_unique<tree::Statement>();
      statement->location = branch.condition->location;
      branch.then.push_back(std::move(inside));
      statement->node = std::move(branch);
      inside = std::move(statement);
    }
    tree::For loop;
    loop.target = expression(node.attr("target"));
    loop.iterable = iterable ? std::move(iterable) : expression(node.attr("iter"));
    loop.body.push_back(std::move(inside));
    return loop;
  }

  // ---- Statements ----

  StatementPtr statement(nb::handle node) const {
    auto made = std::make_unique<tree::Statement>();
    made->location = location(node);
    using Read = StatementNode (Reader::*)(nb::handle) const;
    static constexpr std::array readers = {
        Named<Read>{"Expr", &Reader::read_evaluate},
        Named<Read>{"Assign", &Reader::read_assign},
        Named<Read>{"AnnAssign", &Reader::read_annotated},
        Named<Read>{"AugAssign", &Reader::read_augmented},
        Named<Read>{"If", &Reader::read_if},
        Named<Read>{"While", &Reader::read_while},
        Named<Read>{"For", &Reader::read_for},
        Named<Read>{"Break", &Reader::read_plain<tree::Break>},
        Named<Read>{"Continue", &Reader::read_plain<tree::Continue>},
        Named<Read>{"Pass", &Reader::read_plain<tree::Pass>},
        Named<Read>{"Return", &Reader::read_return},
        Named<Read>{"Assert", &Reader::read_assert},
        Named<Read>{"Raise", &Reader::read_raise},
        Named<Read>{"Delete", &Reader::read_delete},
        Named<Read>{"FunctionDef", &Reader::read_define},
    };
    made->node = read_by_class(readers, node);
    return made;
  }

  template <typename T>
  StatementNode read_plain(nb::handle /*node*/) const {
    return T{};
  }

  StatementNode read_evaluate(nb::handle node) const {
    return tree::Evaluate{expression(node.attr("value"))};
  }
  StatementNode read_assign(nb::handle node) const {
    return tree::Assign{expressions(node.attr("targets")), expression(node.attr("value"))};
  }
  StatementNode read_annotated(nb::handle node) const {
    if (node.attr("value").is_none())
      return tree::Pass{};
    tree::Assign made;
    made.targets.push_back(expression(node.attr("target")));
    made.value = expression(node.attr("value"));
    return made;
  }
  StatementNode read_augmented(nb::handle node) const {
    const std::string name = class_name(node.attr("op"));
    const ir::Op* op = find(binary_operators, name);
    if (op == nullptr)
      return unsupported(name);
    return tree::AugmentedAssign{
        expression(node.attr("target")), *op, expression(node.attr("value"))};
  }
  StatementNode read_if(nb::handle node) const {
    return tree::If{
        expression(node.attr("test")), body(node.attr("body")), body(node.attr("orelse"))};
  }
  StatementNode read_while(nb::handle node) const {
    return tree::While{
        expression(node.attr("test")), body(node.attr("body")), body(node.attr("orelse"))};
  }
  StatementNode read_for(nb::handle node) const {
    return tree::For{
        expression(node.attr("target")),
        expression(node.attr("iter")),
        body(node.attr("body")),
        body(node.attr("orelse"))};
  }
  StatementNode read_return(nb::handle node) const {
    return tree::Return{optional_expression(node.attr("value"))};
  }
  StatementNode read_assert(nb::handle node) const {
    return tree::Assert{expression(node.attr("test")), optional_expression(node.attr("msg"))};
  }
  StatementNode read_raise(nb::handle node) const {
    if (!node.attr("cause").is_none())
      return tree::Unsupported{.what = "raise ... from", .advice = "Write raise alone."};
    return tree::Raise{optional_expression(node.attr("exc"))};
  }
  StatementNode read_delete(nb::handle node) const {
    tree::Delete made;
    for (const nb::handle target : nb::list(node.attr("targets"))) {
      if (class_name(target) != "Name")
        return tree::Unsupported{.what = "del of an element", .advice = {}};
      made.names.push_back(text(target, "id"));
    }
    return made;
  }
  StatementNode read_define(nb::handle node) const {
    if (nb::list(node.attr("decorator_list")).size() != 0)
      return tree::Unsupported{
          .what = "a decorated function inside a function", .advice = "Define it outside."};
    return tree::Define{function(node)};
  }

  std::int64_t line_shift_;
};

}  // namespace

std::shared_ptr<const tree::Function> function_from_ast(nb::handle node, std::int64_t line_shift) {
  return Reader(line_shift).function(node);
}

}  // namespace phalanx::bindings
