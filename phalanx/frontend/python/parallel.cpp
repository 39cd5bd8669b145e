#include "phalanx/frontend/python/parallel.h"

#include <algorithm>

#include "phalanx/frontend/python/arrays.h"
#include "phalanx/frontend/python/chunks.h"
#include "phalanx/frontend/python/closures.h"
#include "phalanx/frontend/python/elements.h"
#include "phalanx/frontend/python/entry.h"
#include "phalanx/frontend/python/iterables.h"
#include "phalanx/frontend/python/lists.h"
#include "phalanx/frontend/python/parallel_names.h"
#include "phalanx/frontend/python/tree_copy.h"
#include "phalanx/frontend/python/views.h"
#include "phalanx/infer/conversion.h"
#include "phalanx/ir/build_calls.h"
#include "phalanx/ir/lists.h"

// A chunk covers a run of iterations and leaves one value of each name that outlives the loop;
// those of reductions are combined in the order of the chunks. How many chunks there are follows
// from the number of iterations alone, so that the result does not depend on the cores.
namespace phalanx::frontend::python {

namespace {

// Each chunk has a copy of the arrays that are reduced.
constexpr std::int64_t most_chunks_with_arrays = 16;

// Names that Python code cannot have.
constexpr const char* iterations_name = ".iterations";
constexpr const char* own_parameters[] = {".first", ".last", ".start", ".step"};

tree::ExpressionPtr name_of(const std::string& text, Location where) {
  return std::make_unique<tree::Expression>(tree::Expression{where, tree::Name{text}});
}

// def body(.first, .last, .start, .step, names...):
//     for target in .iterations(.first, .last, .start, .step): ...
//     return results
std::shared_ptr<const tree::Function> body_function(
    const std::string& name,
    const tree::Statement& at,
    const tree::For& loop,
    const std::vector<std::string>& parameters,
    const std::vector<std::string>& results) {
  auto function = std::make_shared<tree::Function>();
  function->name = name;
  function->location = at.location;
  tree::Call iterations = {.callee = name_of(iterations_name, loop.iterable->location)};
  for (const char* own : own_parameters) {
    function->parameters.push_back({.name = own, .default_value = {}, .location = at.location});
    iterations.arguments.push_back(name_of(own, loop.iterable->location));
  }
  for (const std::string& parameter : parameters)
    function->parameters.push_back(
        {.name = parameter, .default_value = {}, .location = at.location});
  auto iterable = std::make_unique<tree::Expression>(
      tree::Expression{loop.iterable->location, std::move(iterations)});
  function->body.push_back(std::make_unique<tree::Statement>(tree::Statement{
      at.location,
      tree::For{
          tree::copy(loop.target), std::move(iterable), tree::copy(loop.body), tree::Body()}}));
  tree::Tuple values;
  for (const std::string& result : results) values.elements.push_back(name_of(result, at.location));
  auto value = std::make_unique<tree::Expression>(tree::Expression{at.location, std::move(values)});
  function->body.push_back(std::make_unique<tree::Statement>(
      tree::Statement{at.location, tree::Return{results.empty() ? nullptr : std::move(value)}}));
  return function;
}

Value neutral_element(Emitter& emitter, ir::Op op, DType dtype) {
  const std::int64_t number = op == ir::Op::multiply ? 1 : op == ir::Op::bitwise_and ? -1 : 0;
  return emitter.cast(integer_literal(number), dtype);
}

class ParallelLoop {
 public:
  ParallelLoop(
      Walk& walk,
      Closures& closures,
      const tree::Statement& at,
      const tree::For& node,
      const Iterable& range)
      : walk_(walk),
        closures_(closures),
        emitter_(walk.emitter),
        builder_(walk.builder()),
        at_(at),
        node_(node),
        range_(range),
        names_(parallel_names(node, walk.known_names, walk.known_names.joins.at(&at))) {}

  // Nothing is emitted for good before the obstacles are known.
  std::string obstacle() {
    if (!names_.obstacle.empty())
      return names_.obstacle;
    for (const Reduction& reduction : names_.reductions) {
      const Value& before = bound(reduction.name).value;
      const auto type = type_of(before);
      const bool is_array = type && type->is_array();
      if (!type || (!type->is_scalar() && !is_array))
        return "'" + reduction.name + "' has no number before it";
      const bool is_sum = reduction.op == ir::Op::add || reduction.op == ir::Op::multiply;
      if (is_array && (!reduction.is_in_place || !is_sum || !type->element().is_scalar()))
        return "the array '" + reduction.name + "' can be reduced by += and *= only";
    }
    return {};
  }

  // Empty, or why the loop must run on one core after all.
  std::string run() {
    collect_names();
    const Compiled body = compile_body();
    const std::string unfit = read_results(body);
    if (!unfit.empty())
      return unfit;
    const bool has_list = std::ranges::any_of(
        body.leaves, [](const ir::Operation* leaf) { return ir::is_list(leaf->type); });
    if (has_list && may_grow_lists(*body.instance.function))
      return "lists grow in it, and it reads one from before it";
    make_body_kernel(body);
    launch();
    return {};
  }

 private:
  // A value that a chunk returns, and the 1-d array that holds one a thread.
  struct Result {
    std::string name;
    ir::Type type = {};
    const Reduction* reduction = nullptr;  // null: the last iteration's value
    ir::Operation* partials = nullptr;
    ir::VariableId variable = 0;
  };

  // An array that each chunk reduces into a copy of its own.
  struct ArrayResult {
    std::string name;
    const Reduction* reduction;
    ir::Operation* whole;        // as before the loop
    ir::Operation* placeholder;  // an operand for the copy, while the body is compiled
    ir::Operation* partials = nullptr;
  };

  const Binding& bound(const std::string& name) const {
    return walk_.names.at(*walk_.known_names.find(name));
  }

  void collect_names() {
    for (const Reduction& reduction : names_.reductions) {
      const Value& before = bound(reduction.name).value;
      if (!type_of(before)->is_array()) {
        results_.push_back({.name = reduction.name, .reduction = &reduction});
        continue;
      }
      ir::Operation* whole = emitter_.materialize(before);
      const ir::Type copy = ir::Type::array(
          whole->type.element(), whole->type.ndim(), ir::Layout::c, ir::Space::global);
      array_results_.push_back(
          {.name = reduction.name,
           .reduction = &reduction,
           .whole = whole,
           .placeholder = builder_.undefined(copy)});
    }
    for (const std::string& name : names_.last) results_.push_back({.name = name});
  }

  Value initial(const Result& result) {
    const Value& before = bound(result.name).value;
    if (result.reduction == nullptr || result.reduction->op == ir::Op::minimum ||
        result.reduction->op == ir::Op::maximum)
      return before;
    return neutral_element(emitter_, result.reduction->op, type_of(before)->dtype());
  }

  std::shared_ptr<const tree::Function> tree() {
    auto& body = walk_.session.parallel_body_of(at_);
    if (body == nullptr) {
      std::vector<std::string> parameters;
      std::vector<std::string> results;
      for (const Result& result : results_) {
        results.push_back(result.name);
        if (result.reduction != nullptr)
          parameters.push_back(result.name);
      }
      for (const ArrayResult& result : array_results_) parameters.push_back(result.name);
      body = body_function(walk_.unit.tree->name, at_, node_, parameters, results);
    }
    return body;
  }

  Compiled compile_body() {
    first_ = builder_.undefined(DType::int64);
    last_ = builder_.undefined(DType::int64);
    const DType dtype = range_.type.dtype();
    std::vector<Value> arguments = {
        first_,
        last_,
        emitter_.cast((*range_.parts)[0], dtype),
        emitter_.cast((*range_.parts)[2], dtype)};
    for (const Result& result : results_) {
      if (result.reduction != nullptr)
        arguments.push_back(initial(result));
    }
    for (const ArrayResult& result : array_results_) arguments.emplace_back(result.placeholder);
    const LocalFunction function = {
        .tree = tree(),
        .defaults = std::make_shared<const std::vector<Value>>(),
        .home = &walk_.unit};
    Captures captured = *closures_.frozen(function).captured;
    captured[iterations_name] = IntrinsicEntity{"phalanx.iterations"};
    return compile_instance(
        walk_.session,
        emitter_,
        {.tree = function.tree,
         .file = walk_.unit.file,
         .environment = walk_.unit.environment,
         .captured = std::move(captured),
         .is_nested = true,
         .is_parallel_body = true},
        std::move(arguments));
  }

  // The types of what the body returns.
  std::string read_results(const Compiled& body) {
    if (results_.empty())
      return {};
    const auto* known = body.instance.result->as<TupleValue>();
    for (std::size_t i = 0; i < results_.size(); ++i) {
      const auto type = known != nullptr ? type_of((*known->elements)[i])
                                         : body.instance.function->result.fields().at(i).type;
      if (!type || !type->is_scalar())
        return "'" + results_[i].name + "' is no number, and is read after it";
      results_[i].type = *type;
      const Value& before = bound(results_[i].name).value;
      if (results_[i].reduction == nullptr)
        continue;
      const auto wide = infer::unify(*type, *type_of(before));
      if (!wide)
        return "'" + results_[i].name + "' changes its type in it";
      results_[i].type = *wide;
    }
    return {};
  }

  // ---- The kernel of the body ----

  void make_body_kernel(const Compiled& body) {
    Session& session = walk_.session;
    std::vector<ir::Parameter> parameters = {
        {.name = "count", .type = DType::int64}, {.name = "size", .type = DType::int64}};
    const auto partials_of = [](const ir::Type& element, unsigned ndim) {
      return ir::Type::array(element, ndim, ir::Layout::c, ir::Space::global);
    };
    for (const Result& result : results_)
      parameters.push_back({.name = result.name, .type = partials_of(result.type, 1)});
    for (const ArrayResult& result : array_results_)
      parameters.push_back(
          {.name = result.name,
           .type = partials_of(result.whole->type.element(), result.whole->type.ndim() + 1)});
    for (ir::Operation* leaf : body.leaves) {
      if (is_placeholder(leaf))
        continue;
      parameters.push_back({.name = leaf->name, .type = leaf->type});
      passed_.push_back(leaf);
    }
    body_ = &ir::add_function(
        session.module(),
        session.unique_name(walk_.unit.tree->name + ".parallel"),
        ir::FunctionKind::parallel_body,
        std::move(parameters),
        {},
        walk_.unit.file);
    Emitter emitter(session, *body_, walk_.diagnostics(), true);
    emitter.builder().at(at_.location);
    emit_body_kernel(emitter, body);
  }

  bool is_placeholder(const ir::Operation* leaf) const {
    return leaf == first_ || leaf == last_ ||
           std::ranges::find(array_results_, leaf, &ArrayResult::placeholder) !=
               array_results_.end();
  }

  void emit_body_kernel(Emitter& emitter, const Compiled& body) {
    ir::Builder& builder = emitter.builder();
    const auto parameter = [&](std::size_t i) { return body_->parameters.at(i).get(); };
    const LoopPosition position = position_in_loop(emitter);
    const Value size = parameter(1);
    const Value start = emitter.binary(ir::Op::multiply, position.block, size);
    const Value last = emitter.same_type(
        ir::Op::minimum,
        DType::int64,
        {emitter.binary(ir::Op::add, start, size), Value(parameter(0))});
    std::size_t next = 2 + results_.size();
    std::map<const ir::Operation*, ir::Operation*> inside;
    inside[first_] = emitter.materialize(emitter.binary(ir::Op::add, start, position.lane));
    inside[last_] = emitter.materialize(last);
    for (const ArrayResult& result : array_results_)
      inside[result.placeholder] =
          emitter.materialize(emitter.row(parameter(next++), emitter.materialize(position.block)));
    for (const ir::Operation* leaf : passed_) inside[leaf] = parameter(next++);
    std::vector<ir::Operation*> arguments;
    for (const ir::Operation* leaf : body.leaves) arguments.push_back(inside.at(leaf));
    ir::Operation* called = builder.call(*body.instance.function, std::move(arguments));
    if (!results_.empty()) {
      const Value value =
          body.instance.result->is<Runtime>() ? Value(called) : *body.instance.result;
      const auto elements = *emitter.elements_of(value);
      ir::Operation* slot = emitter.materialize(position.slot);
      for (std::size_t i = 0; i < results_.size(); ++i)
        builder.array_store(
            parameter(2 + i), {slot}, emitter.convert(elements[i], results_[i].type));
    }
    builder.return_();
  }

  // ---- The caller's side ----

  void launch() {
    for (Result& result : results_) {
      result.variable = builder_.variable(result.name, result.type);
      const Value& before = bound(result.name).value;
      const auto type = type_of(before);
      const bool has_value = type && infer::unify(*type, result.type) == result.type;
      if (has_value)
        builder_.set(result.variable, emitter_.convert(before, result.type));
    }
    const Value count = emitter_.cast(range_length(emitter_, range_), DType::int64);
    const Value has_some = emitter_.compare(tree::Comparison::greater, count, integer_literal(0));
    const auto branches = builder_.if_(emitter_.materialize(has_some));
    {
      const auto inside = builder_.enter(branches.then);
      launch_chunks(count);
    }
    for (const Result& result : results_)
      walk_.bind(result.name, builder_.get(result.variable), at_.location);
  }

  void launch_chunks(const Value& count) {
    const std::int64_t most = array_results_.empty() ? most_chunks : most_chunks_with_arrays;
    const Partition partition =
        partition_iterations(emitter_, *body_, count, integer_literal(most));
    ir::Builder::Values arguments = {
        emitter_.materialize(count), emitter_.materialize(partition.size)};
    for (Result& result : results_) {
      result.partials = new_array(emitter_, result.type, {partition.slots}, false);
      arguments.push_back(result.partials);
    }
    for (ArrayResult& result : array_results_) {
      result.partials = neutral_arrays(result, partition.chunks);
      arguments.push_back(result.partials);
    }
    arguments.insert(arguments.end(), passed_.begin(), passed_.end());
    ir::parallel(
        builder_,
        *body_,
        emitter_.materialize(partition.chunks),
        emitter_.materialize(partition.size),
        arguments);
    for (const Result& result : results_) {
      if (result.reduction != nullptr)
        combine(result, partition.slots);
      else
        take_last(result, count, partition);
    }
    for (const ArrayResult& result : array_results_) combine(result, partition.chunks);
  }

  ir::Operation* neutral_arrays(const ArrayResult& result, const Value& chunks) {
    std::vector<Value> shape = {chunks};
    for (unsigned i = 0; i < result.whole->type.ndim(); ++i)
      shape.push_back(emitter_.extent(result.whole, i));
    const ir::Type& element = result.whole->type.element();
    const bool is_product = result.reduction->op == ir::Op::multiply;
    ir::Operation* arrays = new_array(emitter_, element, shape, !is_product);
    if (is_product)
      fill_view(emitter_, arrays, integer_literal(1));
    return arrays;
  }

  void combine(const Result& result, const Value& slots) {
    counted_loop(emitter_, slots, [&](ir::Operation* slot) {
      const Value so_far = builder_.get(result.variable);
      const Value more = builder_.array_load(result.partials, {slot});
      builder_.set(
          result.variable,
          emitter_.convert(combined(*result.reduction, so_far, more), result.type));
    });
  }

  Value combined(const Reduction& reduction, const Value& a, const Value& b) {
    const bool is_extreme = reduction.op == ir::Op::minimum || reduction.op == ir::Op::maximum;
    if (!is_extreme)
      return emitter_.binary(reduction.op, a, b);
    if (reduction.propagates_nan)
      return emitter_.same_type(reduction.op, type_of(a)->dtype(), {a, b});
    const auto is_better =
        reduction.op == ir::Op::minimum ? tree::Comparison::less : tree::Comparison::greater;
    return emitter_.select(emitter_.compare(is_better, b, a), b, a);
  }

  void combine(const ArrayResult& result, const Value& chunks) {
    counted_loop(emitter_, chunks, [&](ir::Operation* chunk) {
      augment_view(
          emitter_, result.reduction->op, result.whole, emitter_.row(result.partials, chunk));
    });
  }

  // Takes the value of the thread that ran the last iteration.
  void take_last(const Result& result, const Value& count, const Partition& partition) {
    const auto i64 = [&](ir::Op op, const Value& a, const Value& b) {
      return emitter_.same_type(op, DType::int64, {a, b});
    };
    const Value last = i64(ir::Op::subtract, count, integer_literal(1));
    const Value chunk = i64(ir::Op::floor_divide, last, partition.size);
    const Value lane = i64(ir::Op::remainder, last, partition.lanes);
    ir::Operation* slot =
        emitter_.materialize(i64(ir::Op::add, i64(ir::Op::multiply, chunk, partition.lanes), lane));
    builder_.set(result.variable, builder_.array_load(result.partials, {slot}));
  }

  Walk& walk_;
  Closures& closures_;
  Emitter& emitter_;
  ir::Builder& builder_;
  const tree::Statement& at_;
  const tree::For& node_;
  const Iterable& range_;
  ParallelNames names_;
  std::vector<Result> results_;
  std::vector<ArrayResult> array_results_;
  ir::Operation* first_ = nullptr;  // operands for what only a chunk knows
  ir::Operation* last_ = nullptr;
  std::vector<ir::Operation*> passed_;
  ir::Function* body_ = nullptr;
};

}  // namespace

bool parallel_loop(
    Walk& walk,
    Closures& closures,
    const tree::Statement& at,
    const tree::For& node,
    const Iterable& range) {
  // The cores are taken by the loop around.
  if (walk.unit.is_in_parallel_body)
    return false;
  ParallelLoop parallel(walk, closures, at, node, range);
  std::string obstacle = parallel.obstacle();
  if (obstacle.empty())
    obstacle = parallel.run();
  if (obstacle.empty())
    return true;
  walk.session.warn(walk.diagnostics().warning(
      Warning::Kind::parallel,
      at.location,
      "the prange loop runs on one core, because " + obstacle));
  return false;
}

}  // namespace phalanx::frontend::python
