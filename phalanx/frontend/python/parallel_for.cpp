#include "phalanx/frontend/python/parallel_for.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "phalanx/frontend/python/arrays.h"
#include "phalanx/frontend/python/chunks.h"
#include "phalanx/frontend/python/views.h"
#include "phalanx/ir/build_calls.h"

namespace phalanx::frontend::python {

namespace {

// Elements of a chunk: some hundred nanoseconds, more than it takes to hand one out.
constexpr std::int64_t least_work = 1024;

// The product of at least one extent.
Value product(Emitter& emitter, const std::vector<Value>& extents) {
  Value product = extents[0];
  for (std::size_t i = 1; i < extents.size(); ++i)
    product = emitter.same_type(ir::Op::multiply, DType::int64, {product, extents[i]});
  return product;
}

bool is_known_as_short(const std::vector<Value>& extents) {
  std::int64_t elements = 1;
  for (const Value& extent : extents) {
    const auto known = known_integer(extent);
    if (!known || *known > least_work)
      return false;
    elements *= *known;
    if (elements > least_work)
      return false;
  }
  return true;
}

// Cheaper to compute again than to pass.
bool is_copied(const ir::Operation& operation) {
  return operation.op == ir::Op::constant || operation.op == ir::Op::constant_array ||
         operation.op == ir::Op::undefined;
}

// One loop on its way into a parallel body.
class Outline {
 public:
  Outline(Emitter& emitter, const SpanBody& body)
      : emitter_(emitter),
        builder_(emitter.builder()),
        first_variable_(builder_.function().variables.size()),
        first_(builder_.undefined(DType::int64)),
        last_(builder_.undefined(DType::int64)) {
    const auto inside = builder_.enter(region_);
    for (const Value& number : body({first_, last_}))
      results_.push_back(emitter_.materialize(number));
  }

  // Variables of the function around it are not a chunk's to read.
  bool is_closed() const {
    bool is_closed = !ir::ends_flow(region_);
    ir::for_each(region_, [&](const ir::Operation& operation) {
      if (operation.op == ir::Op::get || operation.op == ir::Op::set)
        is_closed = is_closed && operation.variable >= first_variable_;
    });
    return is_closed;
  }

  Numbers launch(const Value& count, const Value& work, const Numbers& start, const Join& join) {
    for (const ir::Operation* result : results_) types_.push_back(result->type);
    find_captures();
    ir::Function& body = make_body_kernel();
    const Value enough =
        emitter_.same_type(ir::Op::floor_divide, DType::int64, {work, integer_literal(least_work)});
    const Value most = emitter_.same_type(
        ir::Op::minimum,
        DType::int64,
        {emitter_.same_type(ir::Op::add, DType::int64, {enough, integer_literal(1)}),
         integer_literal(most_chunks)});
    const Partition partition = partition_iterations(emitter_, body, count, most);
    ir::Builder::Values arguments = {
        emitter_.materialize(count), emitter_.materialize(partition.each)};
    for (const ir::Type& type : types_) {
      partials_.push_back(new_array(emitter_, type, {partition.slots}, false));
      arguments.push_back(partials_.back());
    }
    arguments.insert(arguments.end(), captured_.begin(), captured_.end());
    ir::parallel(
        builder_,
        body,
        emitter_.materialize(partition.chunks),
        emitter_.materialize(partition.size),
        arguments);
    return joined(partition.slots, start, join);
  }

 private:
  void find_captures() {
    std::set<const ir::Operation*> known = {first_, last_};
    ir::for_each(region_, [&](ir::Operation& operation) { known.insert(&operation); });
    ir::for_each(region_, [&](ir::Operation& operation) {
      for (ir::Operation* operand : operation.operands) note(operand, known);
    });
    for (ir::Operation* result : results_) note(result, known);
  }

  void note(ir::Operation* value, std::set<const ir::Operation*>& known) {
    if (known.insert(value).second)
      (is_copied(*value) ? copied_ : captured_).push_back(value);
  }

  ir::Function& make_body_kernel() {
    Session& session = emitter_.session();
    const ir::Function& around = builder_.function();
    std::vector<ir::Parameter> parameters = {
        {.name = "count", .type = DType::int64}, {.name = "each", .type = DType::int64}};
    for (const ir::Type& type : types_)
      parameters.push_back(
          {.name = "partials", .type = ir::Type::array(type, 1, ir::Layout::c, ir::Space::global)});
    for (const ir::Operation* value : captured_)
      parameters.push_back({.name = value->name, .type = value->type});
    ir::Function& body = ir::add_function(
        session.module(),
        session.unique_name(around.name + ".parallel"),
        ir::FunctionKind::parallel_body,
        std::move(parameters),
        {},
        around.source);
    Emitter emitter(session, body, emitter_.diagnostics(), true);
    emitter.builder().at(builder_.location());
    emit_body_kernel(emitter);
    return body;
  }

  void emit_body_kernel(Emitter& emitter) {
    ir::Builder& builder = emitter.builder();
    const auto i64 = [&](ir::Op op, const Value& a, const Value& b) {
      return emitter.same_type(op, DType::int64, {a, b});
    };
    const Value each = builder.parameter(1);
    ir::Operation* slot = emitter.materialize(position_in_loop(emitter).slot);
    const Value first = i64(ir::Op::multiply, slot, each);
    const Value last =
        i64(ir::Op::minimum, i64(ir::Op::add, first, each), Value(builder.parameter(0)));
    std::map<const ir::Operation*, ir::Operation*> inside;
    inside[first_] = emitter.materialize(first);
    inside[last_] = emitter.materialize(last);
    for (std::size_t i = 0; i < captured_.size(); ++i)
      inside[captured_[i]] = builder.parameter(2 + types_.size() + i);
    for (const ir::Operation* value : copied_) inside[value] = &copy_of(builder, *value);
    move_into(builder.function(), inside);
    for (std::size_t i = 0; i < results_.size(); ++i)
      builder.array_store(builder.parameter(2 + i), {slot}, moved(results_[i], inside));
    builder.return_();
  }

  static ir::Operation& copy_of(ir::Builder& builder, const ir::Operation& operation) {
    ir::Operation& copy = builder.append(operation.op, operation.type);
    copy.constant = operation.constant;
    copy.index = operation.index;
    return copy;
  }

  static ir::Operation* moved(
      ir::Operation* value, const std::map<const ir::Operation*, ir::Operation*>& inside) {
    const auto found = inside.find(value);
    return found == inside.end() ? value : found->second;
  }

  void move_into(ir::Function& body, const std::map<const ir::Operation*, ir::Operation*>& inside) {
    auto& variables = builder_.function().variables;
    const auto own = variables.begin() + static_cast<std::ptrdiff_t>(first_variable_);
    const std::size_t before = body.variables.size();
    body.variables.insert(
        body.variables.end(),
        std::make_move_iterator(own),
        std::make_move_iterator(variables.end()));
    variables.erase(own, variables.end());
    ir::for_each(region_, [&](ir::Operation& operation) {
      for (ir::Operation*& operand : operation.operands) operand = moved(operand, inside);
      if (operation.op == ir::Op::get || operation.op == ir::Op::set)
        operation.variable =
            static_cast<ir::VariableId>(operation.variable - first_variable_ + before);
    });
    std::ranges::move(region_, std::back_inserter(body.body));
    region_.clear();
  }

  Numbers joined(const Value& slots, const Numbers& start, const Join& join) {
    std::vector<ir::VariableId> variables;
    for (std::size_t i = 0; i < types_.size(); ++i) {
      variables.push_back(builder_.variable("joined", types_[i]));
      builder_.set(variables[i], emitter_.convert(start[i], types_[i]));
    }
    const auto current = [&] {
      Numbers numbers;
      for (const ir::VariableId variable : variables) numbers.emplace_back(builder_.get(variable));
      return numbers;
    };
    if (variables.empty())
      return {};
    counted_loop(emitter_, slots, [&](ir::Operation* slot) {
      Numbers more;
      for (ir::Operation* partials : partials_)
        more.emplace_back(builder_.array_load(partials, {slot}));
      const Numbers both = join(current(), more);
      for (std::size_t i = 0; i < variables.size(); ++i)
        builder_.set(variables[i], emitter_.convert(both[i], types_[i]));
    });
    return current();
  }

  Emitter& emitter_;
  ir::Builder& builder_;
  std::size_t first_variable_;  // the variables from here on are the loop's own
  ir::Operation* first_;        // operands for what only a chunk knows
  ir::Operation* last_;
  ir::Region region_;
  std::vector<ir::Operation*> results_;
  std::vector<ir::Type> types_;  // of the results
  std::vector<ir::Operation*> captured_;
  std::vector<ir::Operation*> copied_;
  std::vector<ir::Operation*> partials_;  // arrays of the results, by slot
};

}  // namespace

Numbers parallel_for(
    Emitter& emitter,
    const Value& count,
    const std::vector<Value>& extents,
    const Numbers& start,
    const SpanBody& body,
    const Join& join) {
  const auto all_at_once = [&] { return body({integer_literal(0), count}); };
  if (!emitter.parallelizes() || is_known_as_short(extents))
    return all_at_once();
  Outline outline(emitter, body);
  if (!outline.is_closed())
    return all_at_once();
  return outline.launch(count, product(emitter, extents), start, join);
}

void parallel_for(
    Emitter& emitter,
    const Value& count,
    const std::vector<Value>& extents,
    const std::function<void(const Span&)>& body) {
  parallel_for(
      emitter,
      count,
      extents,
      {},
      [&](const Span& span) {
        body(span);
        return Numbers();
      },
      nullptr);
}

}  // namespace phalanx::frontend::python
