#include "phalanx/frontend/item_loops.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "phalanx/frontend/python/chunks.h"
#include "phalanx/frontend/python/declared_calls.h"
#include "phalanx/frontend/python/entry.h"
#include "phalanx/frontend/python/views.h"
#include "phalanx/ir/build_calls.h"
#include "phalanx/ir/build_threads.h"

namespace phalanx::frontend {
namespace python {
namespace {

// Those of a parallel body before the loop's own: the number of items, and how many a chunk has.
constexpr std::size_t chunk_parameters = 2;

// What is called, and for whom.
struct Called {
  const FunctionEntity& function;
  std::shared_ptr<const FunctionSource> source;
  const ItemLoop& loop;
};

// The loop in a function that has its parameters from `first_parameter` on.
class LoopEmitter {
 public:
  LoopEmitter(Emitter& emitter, const Called& called, std::size_t first_parameter)
      : emitter_(emitter),
        builder_(emitter.builder()),
        called_(called),
        loop_(called.loop),
        first_parameter_(first_parameter) {
    for (const LoopOperand& operand : loop_.operands) {
      for (const std::size_t each : operand.core) dimensions_ = std::max(dimensions_, each + 1);
    }
  }

  // Of the items `first`, `first + step`, ... before `last`.
  void emit(const Value& first, const Value& last, const Value& step) {
    for (std::size_t i = 0; i < loop_.operands.size(); ++i) views_.push_back(whole(i));
    const bool is_total = loop_.is_elementwise && loop_.layouts[0] == ItemLayout::total;
    if (is_total) {
      total_ = builder_.variable("total", element(0));
      builder_.set(*total_, builder_.array_load(views_[0], {builder_.integer(0)}));
    }
    ir::Operation* end = emitter_.materialize(last);
    ir::Operation* by = emitter_.materialize(step);
    const ir::CountedLoop counted =
        ir::begin_counted_loop(builder_, "i", emitter_.materialize(first), end);
    {
      const auto inside = builder_.enter(*counted.body);
      call(counted.index);
    }
    ir::step_counted_loop(builder_, counted, by);
    if (!is_total)
      return;
    ir::Operation* total =
        emitter_.convert(builder_.get(*total_), element(loop_.operands.size() - 1));
    builder_.array_store(views_.back(), {builder_.integer(0)}, total);
  }

 private:
  ir::Operation* parameter(std::size_t i) { return builder_.parameter(first_parameter_ + i); }
  ir::Operation* items() { return parameter(0); }
  ir::Operation* dimension(std::size_t i) { return parameter(1 + i); }
  ir::Operation* pointer(std::size_t operand) { return parameter(1 + dimensions_ + operand); }
  const ir::Type& element(std::size_t operand) { return pointer(operand)->type.element(); }
  ir::Operation* stride(std::size_t operand) {
    return parameter(1 + dimensions_ + loop_.operands.size() + operand);
  }
  ir::Builder::Values core_strides(std::size_t operand) {
    std::size_t next = 1 + dimensions_ + 2 * loop_.operands.size();
    for (std::size_t i = 0; i < operand; ++i) next += loop_.operands[i].core.size();
    ir::Builder::Values strides;
    for (std::size_t i = 0; i < loop_.operands[operand].core.size(); ++i)
      strides.push_back(parameter(next + i));
    return strides;
  }

  // The array that many bytes after an operand's pointer; no strides: without gaps.
  ir::Operation* view(
      std::size_t operand,
      ir::Operation* bytes,
      const ir::Builder::Values& shape,
      const ir::Builder::Values& strides = {}) {
    ir::Operation* from = pointer(operand);
    ir::Operation* data = builder_.pointer_offset(from, bytes, from->type);
    data->index = loop_.operands[operand].memory;
    const ir::Layout layout = strides.empty() ? ir::Layout::c : ir::Layout::any;
    return builder_.array_make(
        ir::Type::array(
            element(operand), static_cast<unsigned>(shape.size()), layout, from->type.space()),
        data,
        shape,
        strides);
  }

  // All items as one array; null where each has a view of its own.
  ir::Operation* whole(std::size_t i) {
    const LoopOperand& operand = loop_.operands[i];
    const ItemLayout layout = loop_.layouts[i];
    ir::Operation* start = builder_.integer(0);
    if (!operand.core.empty() || (operand.is_array && layout != ItemLayout::contiguous))
      return nullptr;
    if (layout == ItemLayout::total || layout == ItemLayout::same) {
      ir::Operation* one = view(i, start, {builder_.integer(1)});
      return layout == ItemLayout::total ? one : builder_.array_load(one, {start});
    }
    return layout == ItemLayout::any ? view(i, start, {items()}, {stride(i)})
                                     : view(i, start, {items()});
  }

  // What the function takes for item `index` of an operand.
  ir::Operation* item(std::size_t i, ir::Operation* index) {
    const LoopOperand& operand = loop_.operands[i];
    if (views_[i] == nullptr) {
      ir::Operation* bytes = builder_.elementwise(ir::Op::multiply, {index, stride(i)});
      if (operand.core.empty())
        return view(i, bytes, {builder_.integer(1)});
      ir::Builder::Values shape;
      for (const std::size_t each : operand.core) shape.push_back(dimension(each));
      const bool is_strided = loop_.layouts[i] == ItemLayout::any;
      return view(i, bytes, shape, is_strided ? core_strides(i) : ir::Builder::Values());
    }
    if (!views_[i]->type.is_array())
      return views_[i];  // the same number for all
    if (!operand.is_array)
      return builder_.array_load(views_[i], {index});
    ir::Operation* first = builder_.array_element(views_[i], {index});
    return builder_.array_make(views_[i]->type, first, {builder_.integer(1)});
  }

  void call(ir::Operation* index) {
    const std::size_t count = loop_.operands.size();
    std::vector<Value> arguments;
    if (total_)
      arguments.emplace_back(builder_.get(*total_));
    for (std::size_t i = arguments.size(); i < count - (loop_.is_elementwise ? 1 : 0); ++i)
      arguments.emplace_back(item(i, index));
    const Value result =
        call_declared(emitter_, called_.function, *called_.source, std::move(arguments));
    if (total_)
      builder_.set(*total_, emitter_.convert(result, element(0), "what is returned"));
    else if (loop_.is_elementwise)
      builder_.array_store(
          views_.back(), {index}, emitter_.convert(result, element(count - 1), "what is returned"));
  }

  Emitter& emitter_;
  ir::Builder& builder_;
  const Called& called_;
  const ItemLoop& loop_;
  std::size_t first_parameter_;
  std::size_t dimensions_ = 0;
  std::vector<ir::Operation*> views_;  // of each operand: what `whole` gives
  std::optional<ir::VariableId> total_;
};

// The loop over a chunk of the items, of which the threads take every other one.
ir::Function& parallel_body(
    Session& session, const Called& called, const Diagnostics& diagnostics) {
  std::vector<ir::Type> types(chunk_parameters, DType::int64);
  types.insert(types.end(), called.loop.types.begin(), called.loop.types.end());
  ir::Function& body = ir::add_function(
      session.module(),
      session.unique_name(called.loop.name + ".parallel"),
      ir::FunctionKind::parallel_body,
      numbered_parameters(types),
      {},
      called.source->file);
  Emitter emitter(session, body, diagnostics, true);
  ir::Builder& builder = emitter.builder();
  builder.at(called.source->tree->location);
  const auto i64 = [&](ir::Op op, const Value& a, const Value& b) {
    return emitter.same_type(op, DType::int64, {a, b});
  };
  const LoopPosition position = position_in_loop(emitter);
  const Value count = builder.parameter(0);
  const Value size = builder.parameter(1);
  const Value first = i64(ir::Op::multiply, position.block, size);
  const Value last = i64(ir::Op::minimum, i64(ir::Op::add, first, size), count);
  const Value threads =
      emitter.cast(ir::thread_query(builder, ir::Op::block_extent, 0), DType::int64);
  LoopEmitter(emitter, called, chunk_parameters)
      .emit(i64(ir::Op::add, first, position.lane), last, threads);
  builder.return_();
  return body;
}

void launch_chunks(Emitter& emitter, ir::Function& body, std::size_t parameters) {
  ir::Builder& builder = emitter.builder();
  ir::Operation* count = builder.parameter(0);
  const Partition partition =
      partition_iterations(emitter, body, count, integer_literal(most_chunks));
  ir::Operation* size = emitter.materialize(partition.size);
  ir::Builder::Values arguments = {count, size};
  for (std::size_t i = 0; i < parameters; ++i) arguments.push_back(builder.parameter(i));
  ir::parallel(builder, body, emitter.materialize(partition.chunks), size, arguments);
}

}  // namespace
}  // namespace python

std::optional<ItemLayout> item_layout_named(char letter) {
  switch (letter) {
    case 'c':
      return ItemLayout::contiguous;
    case 's':
      return ItemLayout::same;
    case 'a':
      return ItemLayout::any;
    case 't':
      return ItemLayout::total;
    default:
      return std::nullopt;
  }
}

std::unique_ptr<ir::Module> compile_item_loop(
    const FunctionEntity& function, const ItemLoop& loop) {
  const python::Called called = {
      .function = function, .source = function.function->source(), .loop = loop};
  python::Session session(loop.options);
  std::vector<ir::Parameter> parameters = python::numbered_parameters(loop.types);
  // A CPU function has one more, for what it returns.
  parameters.push_back(
      {.name = "result", .type = ir::Type::pointer(DType::uint8, ir::Space::global)});
  ir::Function& entry = ir::add_function(
      session.module(),
      session.unique_name(loop.name),
      ir::FunctionKind::kernel,
      std::move(parameters),
      {},
      called.source->file);
  const python::Diagnostics diagnostics(called.source->file, loop.name, python::CodeKind::function);
  python::Emitter emitter(session, entry, diagnostics);
  ir::Builder& builder = emitter.builder();
  builder.at(called.source->tree->location);
  if (loop.options.is_parallel) {
    ir::Function& body = python::parallel_body(session, called, diagnostics);
    ir::Region& then = ir::guard(builder, builder.integer(0), builder.parameter(0));
    const auto inside = builder.enter(then);
    python::launch_chunks(emitter, body, loop.types.size());
  } else {
    python::LoopEmitter(emitter, called, 0)
        .emit(python::integer_literal(0), builder.parameter(0), python::integer_literal(1));
  }
  builder.return_();
  python::remove_unused(session.module(), entry);
  return session.take();
}

}  // namespace phalanx::frontend
