#include "phalanx/ir/parser.h"

#include <charconv>
#include <limits>
#include <unordered_map>
#include <utility>

#include "phalanx/ir/attributes.h"
#include "phalanx/ir/constant_parser.h"
#include "phalanx/ir/token_stream.h"

namespace phalanx::ir {

namespace {

constexpr unsigned deepest_region = 1000;

// `%sum.2` was printed for the hint `sum`; a number means no hint.
std::string hint_of(const std::string& name) {
  if (name.empty() || (name.front() >= '0' && name.front() <= '9'))
    return {};
  return name.substr(0, name.find('.'));
}

struct Call {
  Operation* operation;
  Token callee;
};

class FunctionParser {
 public:
  FunctionParser(TokenStream& tokens, std::vector<Call>& calls) : tokens_(tokens), calls_(calls) {}

  std::unique_ptr<Function> function(FunctionKind kind);

 private:
  void parameters();
  void variables();
  void region(Region& into);
  std::unique_ptr<Operation> operation();
  void attribute(Operation& operation);
  void operands(Operation& operation, const Token& word, bool has_attribute);
  void result_type(Operation& operation, const Token& start);
  void regions(Operation& operation);
  Location location();
  void define(const Token& name, Operation& operation);

  TokenStream& tokens_;
  std::vector<Call>& calls_;
  std::unique_ptr<Function> function_ = std::make_unique<Function>();
  std::unordered_map<std::string, Operation*> values_;
  std::unordered_map<std::string, VariableId> variables_;
  ConstantText constant_;
  unsigned depth_ = 0;
};

void FunctionParser::define(const Token& name, Operation& operation) {
  operation.name = hint_of(name.text);
  if (!values_.emplace(name.text, &operation).second)
    fail_at(name, "the value %" + name.text + " is there already");
}

void FunctionParser::parameters() {
  tokens_.expect("(");
  while (!tokens_.accept(")")) {
    const Token name = tokens_.take(TokenKind::value, "a parameter");
    tokens_.expect(":");
    auto parameter = std::make_unique<Operation>();
    parameter->op = Op::parameter;
    parameter->index = static_cast<std::int64_t>(function_->parameters.size());
    parameter->type = parse_type(tokens_);
    define(name, *parameter);
    function_->parameters.push_back(std::move(parameter));
    if (!tokens_.is(")"))
      tokens_.expect(",");
  }
}

void FunctionParser::variables() {
  while (tokens_.accept("var")) {
    const Token name = tokens_.take(TokenKind::variable, "a variable");
    tokens_.expect(":");
    const auto id = static_cast<VariableId>(function_->variables.size());
    if (!variables_.emplace(name.text, id).second)
      fail_at(name, "the variable $" + name.text + " is there already");
    function_->variables.push_back({.name = hint_of(name.text), .type = parse_type(tokens_)});
  }
}

std::unique_ptr<Function> FunctionParser::function(FunctionKind kind) {
  function_->kind = kind;
  function_->name = tokens_.take(TokenKind::function, "a function's name").text;
  parameters();
  if (tokens_.accept("->"))
    function_->result = parse_type(tokens_);
  function_->returns_status = tokens_.accept("status");
  if (tokens_.accept("source")) {
    SourceFile source;
    source.path = tokens_.take(TokenKind::string, "the source's path").text;
    function_->source = std::make_shared<const SourceFile>(std::move(source));
  }
  tokens_.expect("{");
  variables();
  region(function_->body);
  return std::move(function_);
}

// Up to the closing brace; the opening one was taken.
void FunctionParser::region(Region& into) {
  const Depth depth(depth_, deepest_region, tokens_);
  while (!tokens_.accept("}")) into.push_back(operation());
}

std::unique_ptr<Operation> FunctionParser::operation() {
  auto result = std::make_unique<Operation>();
  const Token start = tokens_.peek();
  if (start.kind == TokenKind::value) {
    tokens_.take();
    tokens_.expect("=");
  }
  const Token word = tokens_.take(TokenKind::word, "an operation");
  const auto op = op_from_name(word.text);
  if (!op || *op == Op::parameter)
    fail_at(word, "unknown operation " + word.text);
  result->op = *op;
  bool has_attribute = attribute_of(*op) != Attribute::none;
  if (has_attribute)
    attribute(*result);
  if (const auto index = optional_index(*op); !index.empty() && tokens_.accept(index)) {
    result->index = tokens_.integer();
    has_attribute = true;
  }
  if (tokens_.accept("fast")) {
    result->fast_math = FastMath(static_cast<std::uint32_t>(tokens_.integer()));
    has_attribute = true;
  }
  if (tokens_.accept("no_wrap")) {
    result->no_wrap = true;
    has_attribute = true;
  }
  operands(*result, word, has_attribute);
  result_type(*result, start);
  if (start.kind == TokenKind::value)
    define(start, *result);
  result->location = location();
  regions(*result);
  return result;
}

void FunctionParser::attribute(Operation& operation) {
  switch (attribute_of(operation.op)) {
    case Attribute::constant:
      constant_ = take_constant(tokens_);
      break;
    case Attribute::index:
      operation.index = tokens_.integer();
      break;
    case Attribute::text:
      operation.text = tokens_.take(TokenKind::string, "a quoted text").text;
      break;
    case Attribute::callee:
      calls_.push_back(
          {.operation = &operation, .callee = tokens_.take(TokenKind::function, "a function")});
      break;
    case Attribute::variable: {
      const Token name = tokens_.take(TokenKind::variable, "a variable");
      const auto found = variables_.find(name.text);
      if (found == variables_.end())
        fail_at(name, "unknown variable $" + name.text);
      operation.variable = found->second;
      break;
    }
    case Attribute::shape:
      tokens_.expect("[");
      while (!tokens_.accept("]")) {
        operation.shape.push_back(tokens_.integer());
        if (!tokens_.is("]"))
          tokens_.expect(",");
      }
      break;
    case Attribute::none:
      break;
    default: {
      const Token token = tokens_.take(TokenKind::string, "a quoted text");
      const auto detail = detail_from_text(operation.op, token.text);
      if (!detail)
        fail_at(token, "no kind of " + std::string(name_of(operation.op)) + ": " + token.text);
      operation.detail = *detail;
      break;
    }
  }
}

// The first operand is on the operation's line: on the next one a value begins an operation.
void FunctionParser::operands(Operation& operation, const Token& word, bool has_attribute) {
  const Token& first = tokens_.peek();
  const bool is_operand = first.kind == TokenKind::value && first.line == word.line;
  bool goes_on = has_attribute ? tokens_.accept(",") : is_operand;
  while (goes_on) {
    const Token name = tokens_.take(TokenKind::value, "a value");
    const auto found = values_.find(name.text);
    if (found == values_.end())
      fail_at(name, "unknown value %" + name.text);
    operation.operands.push_back(found->second);
    goes_on = tokens_.accept(",");
  }
}

void FunctionParser::result_type(Operation& operation, const Token& start) {
  const bool is_named = start.kind == TokenKind::value;
  if (is_named) {
    tokens_.expect(":");
    operation.type = parse_type(tokens_);
    if (operation.type.is_none())
      fail_at(start, "a value is never of type none");
  }
  if (operation.op == Op::constant) {
    if (!is_named || !operation.type.is_scalar())
      fail_at(start, "a constant has a name and a scalar type");
    operation.constant = as_constant(constant_, operation.type.dtype());
  }
}

Location FunctionParser::location() {
  if (tokens_.peek().kind != TokenKind::location)
    return {};
  const Token token = tokens_.take();
  const char* at = token.text.data();
  const char* end = at + token.text.size();
  const auto number = [&](std::uint32_t& into) {
    const auto [stop, error] = std::from_chars(at, end, into);
    if (error != std::errc{})
      fail_at(token, "expected a location @line:column");
    at = stop;
  };
  Location location;
  number(location.line);
  if (at == end || *at != ':')
    fail_at(token, "expected a location @line:column");
  ++at;
  number(location.column);
  if (at != end && *at == '-') {
    ++at;
    number(location.end_column);
  }
  if (at != end)
    fail_at(token, "expected a location @line:column-end");
  return location;
}

void FunctionParser::regions(Operation& operation) {
  const std::size_t count = region_count(operation.op);
  if (count == 0)
    return;
  operation.regions.resize(count);
  tokens_.expect("{");
  region(operation.regions[0]);
  if (count == 2 && tokens_.accept(operation.op == Op::loop ? "step" : "else")) {
    tokens_.expect("{");
    region(operation.regions[1]);
  }
}

class ModuleParser {
 public:
  explicit ModuleParser(std::string_view text) : tokens_(text) {}
  std::unique_ptr<Module> module();

 private:
  std::optional<FunctionKind> function_kind();
  void function(FunctionKind kind);
  std::vector<std::int64_t> shape();
  ConstantArray constant();
  Global global();

  TokenStream tokens_;
  std::vector<Call> calls_;
  std::unique_ptr<Module> module_ = std::make_unique<Module>();
};

std::vector<std::byte> bytes_of(const Token& hex) {
  if (hex.text.size() % 2 != 0)
    fail_at(hex, "two hexadecimal digits a byte are expected");
  std::vector<std::byte> bytes(hex.text.size() / 2);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char* digits = hex.text.data() + 2 * i;
    unsigned char value = 0;
    const auto [stop, error] = std::from_chars(digits, digits + 2, value, 16);
    if (error != std::errc{} || stop != digits + 2)
      fail_at(hex, "two hexadecimal digits a byte are expected");
    bytes[i] = static_cast<std::byte>(value);
  }
  return bytes;
}

// constant 0: f32 [2, 2] "0000803f..."
ConstantArray ModuleParser::constant() {
  ConstantArray array;
  if (tokens_.natural(std::numeric_limits<std::uint32_t>::max()) != module_->constants.size())
    tokens_.fail("constants are numbered from 0, in order");
  tokens_.expect(":");
  array.element = parse_type(tokens_);
  array.shape = shape();
  array.bytes = bytes_of(tokens_.take(TokenKind::string, "the bytes"));
  return array;
}

std::vector<std::int64_t> ModuleParser::shape() {
  std::vector<std::int64_t> extents;
  tokens_.expect("[");
  while (!tokens_.accept("]")) {
    extents.push_back(
        static_cast<std::int64_t>(tokens_.natural(std::numeric_limits<std::int64_t>::max())));
    if (!tokens_.is("]"))
      tokens_.expect(",");
  }
  return extents;
}

// global @filter: f32 [2] constant "0000803f..."; without bytes it is zeros
Global ModuleParser::global() {
  Global made;
  made.name = tokens_.take(TokenKind::function, "a global's name").text;
  tokens_.expect(":");
  made.element = parse_type(tokens_);
  made.shape = shape();
  if (tokens_.accept("constant"))
    made.space = Space::constant;
  if (tokens_.peek().kind == TokenKind::string)
    made.bytes = bytes_of(tokens_.take());
  return made;
}

std::optional<FunctionKind> ModuleParser::function_kind() {
  for (std::size_t i = 0; i < function_kind_names.size(); ++i) {
    if (tokens_.accept(function_kind_names.at(i)))
      return static_cast<FunctionKind>(i);
  }
  return std::nullopt;
}

void ModuleParser::function(FunctionKind kind) {
  const Token name = tokens_.peek();
  auto function = FunctionParser(tokens_, calls_).function(kind);
  if (module_->find(function->name) != nullptr)
    fail_at(name, "the function @" + function->name + " is there already");
  module_->functions.push_back(std::move(function));
}

std::unique_ptr<Module> ModuleParser::module() {
  while (tokens_.peek().kind != TokenKind::end) {
    if (tokens_.accept("constant"))
      module_->constants.push_back(constant());
    else if (tokens_.accept("global"))
      module_->globals.push_back(global());
    else if (const auto kind = function_kind())
      function(*kind);
    else
      tokens_.fail("expected a kernel, a device function, a parallel_body, a constant or a global");
  }
  for (const Call& call : calls_) {
    call.operation->callee = module_->find(call.callee.text);
    if (call.operation->callee == nullptr)
      fail_at(call.callee, "unknown function @" + call.callee.text);
  }
  return std::move(module_);
}

}  // namespace

std::unique_ptr<Module> parse(std::string_view text) { return ModuleParser(text).module(); }

}  // namespace phalanx::ir
