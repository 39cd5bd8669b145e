#include "phalanx/arrays/scatter_code.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

#include "phalanx/base/errors.h"
#include "phalanx/ir/build_threads.h"
#include "phalanx/ir/idioms.h"
#include "phalanx/numpy/elementwise_kernel.h"

namespace phalanx::arrays {
namespace {

using ir::Op;

struct AtomicRow {
  std::string_view function;
  ir::Atomic atomic;
  bool has_floats;  // and complex numbers, whose parts are updated one after the other
};

// Maxima and minima of floats are none: those of NumPy give NaN where one of both is.
constexpr auto atomics = std::to_array<AtomicRow>({
    {"add", ir::Atomic::add, true},
    {"subtract", ir::Atomic::sub, true},
    {"maximum", ir::Atomic::max, false},
    {"minimum", ir::Atomic::min, false},
    {"fmax", ir::Atomic::max, false},
    {"fmin", ir::Atomic::min, false},
    {"bitwise_and", ir::Atomic::bitwise_and, false},
    {"bitwise_or", ir::Atomic::bitwise_or, false},
    {"bitwise_xor", ir::Atomic::bitwise_xor, false},
});

DType word_of(DType element) {
  switch (size_of(element)) {
    case 1:
      return DType::uint8;
    case 2:
      return DType::uint16;
    case 4:
      return DType::uint32;
    default:
      return DType::uint64;
  }
}

// An element as the word of its bits, and the other way.
Value to_word(ir::Builder& builder, Value value) {
  const DType dtype = value->type.dtype();
  const DType word = word_of(dtype);
  if (is_boolean(dtype))
    return builder.cast(value, word);
  if (!is_complex(dtype))
    return builder.bitcast(value, word);
  const auto half = [&](Value part) {
    return builder.cast(builder.bitcast(part, DType::uint32), word);
  };
  const Value high = builder.elementwise(
      Op::left_shift, {half(builder.complex_imag(value)), builder.integer(32, word)});
  return builder.elementwise(Op::bitwise_or, {half(builder.complex_real(value)), high});
}

Value from_word(ir::Builder& builder, Value word, DType dtype) {
  if (is_boolean(dtype))
    return builder.cast(word, dtype);
  if (!is_complex(dtype))
    return builder.bitcast(word, dtype);
  const auto part = [&](Value half) {
    return builder.bitcast(builder.cast(half, DType::uint32), DType::float32);
  };
  const Value high =
      builder.elementwise(Op::right_shift, {word, builder.integer(32, DType::uint64)});
  return builder.complex_make(part(word), part(high));
}

Value at_pointer(ir::Builder& builder, Value pointer, std::int64_t bytes, DType dtype) {
  return builder.pointer_offset(
      pointer, builder.integer(bytes), ir::Type::pointer(dtype, ir::Space::global));
}

class CodeMaker {
 public:
  explicit CodeMaker(const ScatterForm& form) : form_(form) {}

  std::shared_ptr<ir::Module> make() {
    auto module = std::make_shared<ir::Module>();
    ParameterList list;
    chunks_ = form_.is_sequential ? list.add_integers(2) : 0;
    const std::size_t extents = list.add_integers(form_.loops);
    target_ = add_operand(list, form_.target, form_.loops);
    program_ = add_program(list, form_.program, form_.loops);
    const std::string name =
        form_.function != nullptr ? "px_" + form_.function->name + "_at" : "px_scatter";
    ir::Builder builder(ir::add_function(*module, name, ir::FunctionKind::kernel, list.take()));
    for (std::size_t loop = 0; loop < form_.loops; ++loop)
      shape_.push_back(builder.parameter(extents + loop));
    if (form_.is_sequential)
      emit_chunk(builder);
    else
      numpy::for_each_item(
          builder,
          numpy::Traversal::items,
          shape_,
          [&](const Values& indices) { emit_item(builder, indices); },
          form_.is_narrow);
    builder.return_();
    return module;
  }

 private:
  // The rows of the innermost loop, or of one loop the elements, that are the block's.
  void emit_chunk(ir::Builder& builder) const {
    const Value block = builder.cast(ir::thread_query(builder, Op::block_index, 0), DType::int64);
    const Value chunk = builder.parameter(chunks_ + 1);
    const Value first = builder.elementwise(Op::multiply, {block, chunk});
    const Value next = builder.elementwise(Op::add, {first, chunk});
    const Value end = builder.elementwise(Op::minimum, {next, builder.parameter(chunks_)});
    const ir::CountedLoop loop = ir::begin_counted_loop(builder, "i", first, end);
    {
      const auto body = builder.enter(*loop.body);
      if (form_.loops == 1)
        emit_item(builder, {loop.index});
      else
        emit_row(builder, loop.index);
    }
    ir::step_counted_loop(builder, loop, std::int64_t{1});
  }

  void emit_row(ir::Builder& builder, Value row) const {
    const std::span<const Value> outer(shape_.data(), shape_.size() - 1);
    Values indices = numpy::indices_of(builder, row, outer, form_.is_narrow);
    const KnownValues known = of_row(builder, indices);
    const ir::CountedLoop loop =
        ir::begin_counted_loop(builder, "j", builder.integer(0), shape_.back());
    {
      const auto body = builder.enter(*loop.body);
      indices.push_back(loop.index);
      emit_item(builder, indices, known);
    }
    ir::step_counted_loop(builder, loop, std::int64_t{1});
  }

  // The results that are the same for all of a row: nothing that is read can be moved out of its
  // loop later, as the loop writes.
  KnownValues of_row(ir::Builder& builder, Values indices) const {
    std::vector<std::uint16_t> same;
    for (const std::uint16_t result : form_.program.program->results) {
      if (stays(result))
        same.push_back(result);
    }
    indices.push_back(builder.integer(0));
    const Values values =
        emit_steps(builder, form_.program, program_, {indices, shape_.back()}, same);
    KnownValues known;
    known.of_step.resize(form_.program.program->steps.size());
    for (std::size_t i = 0; i < same.size(); ++i) known.of_step[same[i]] = values[i];
    return known;
  }

  // True if the step has one value along the innermost loop.
  bool stays(std::uint16_t number) const {
    const Step& step = form_.program.program->steps[number];
    const auto is_one = [&] { return form_.program.accesses[step.index].inner == Inner::stays; };
    switch (step.kind) {
      case StepKind::number:
        return true;
      case StepKind::load:
        return is_one();
      case StepKind::gather:
        return is_one() && stays(step.operands[0]);
      case StepKind::call:
        return std::ranges::all_of(
            std::span(step.operands).first(step.function->arity),
            [&](std::uint16_t operand) { return stays(operand); });
      default:
        return false;
    }
  }

  void emit_item(ir::Builder& builder, const Values& indices, const KnownValues& known = {}) const {
    const LoopIndices at = {indices, shape_.back()};
    const std::vector<std::uint16_t>& wanted = form_.program.program->results;
    const KnownValues loaded = emit_loads(builder, form_.program, program_, at, wanted, known);
    const Values results = emit_steps(builder, form_.program, program_, at, wanted, loaded);
    if (!form_.has_condition)
      return emit_write(builder, at, results);
    const auto branches = builder.if_(results.back());
    const auto inside = builder.enter(branches.then);
    emit_write(builder, at, results);
  }

  // `results` as the form has them.
  void emit_write(ir::Builder& builder, const LoopIndices& at, const Values& results) const {
    const Element element(builder, form_.target, target_, at, results.front());
    switch (form_.kind) {
      case WriteKind::store:
        return element.store(results[1]);
      case WriteKind::update:
        return element.store(updated(builder, element.load(), results));
      case WriteKind::atomic:
        return emit_atomic(builder, element.pointer(), results[1]);
      case WriteKind::swap:
        return emit_swap(builder, element.pointer(), results);
    }
  }

  Value updated(ir::Builder& builder, Value element, const Values& results) const {
    const Function& function = *form_.function;
    Values operands = {builder.cast(element, function.operands[0])};
    if (function.arity == 2)
      operands.push_back(results[1]);
    return builder.cast(function.emit(builder, operands), form_.target.dtype);
  }

  void emit_atomic(ir::Builder& builder, Value pointer, Value value) const {
    const DType dtype = form_.target.dtype;
    const ir::Atomic kind = *atomic_of(*form_.function, dtype);
    if (!is_complex(dtype)) {
      ir::atomic(builder, kind, pointer, value);
      return;
    }
    const Value parts[] = {builder.complex_real(value), builder.complex_imag(value)};
    std::int64_t offset = 0;
    for (const Value part : parts) {
      const DType real = part->type.dtype();
      ir::atomic(builder, kind, at_pointer(builder, pointer, offset, real), part);
      offset += static_cast<std::int64_t>(size_of(real));
    }
  }

  // Until nobody has changed the element since it was read.
  void emit_swap(ir::Builder& builder, Value pointer, const Values& results) const {
    const DType dtype = form_.target.dtype;
    const Value words = at_pointer(builder, pointer, 0, word_of(dtype));
    const ir::VariableId seen = builder.variable("seen", word_of(dtype));
    builder.set(seen, builder.load(words));
    const ir::Builder::Loop loop = builder.loop();
    const auto body = builder.enter(loop.body);
    const Value before = builder.get(seen);
    const Value after = updated(builder, from_word(builder, before, dtype), results);
    const Value found = ir::atomic_cas(builder, words, before, to_word(builder, after));
    builder.set(seen, found);
    const auto branches = builder.if_(builder.elementwise(Op::equal, {found, before}));
    const auto done = builder.enter(branches.then);
    builder.break_();
  }

  const ScatterForm& form_;
  std::size_t chunks_ = 0;  // the first of the parameters
  Values shape_;            // the loops' extents
  OperandParameters target_;
  ProgramParameters program_;
};

}  // namespace

std::optional<ir::Atomic> atomic_of(const Function& function, DType element) {
  if (function.arity != 2 || function.result != element || function.operands[0] != element)
    return std::nullopt;
  const bool is_float = is_floating(element) && size_of(element) >= sizeof(float);
  for (const AtomicRow& row : atomics) {
    const bool has = is_integer(element) || (row.has_floats && (is_float || is_complex(element)));
    if (row.function == function.name)
      return has ? std::optional(row.atomic) : std::nullopt;
  }
  return std::nullopt;
}

bool has_swap(DType element) { return size_of(element) <= sizeof(std::uint64_t); }

void ScatterForm::write_key(KeyWriter& writer) const {
  writer.add('w').add(static_cast<std::uint8_t>(loops)).add(is_narrow).add(is_sequential);
  writer.add(has_condition).add(kind).add(function != nullptr ? function->number : 0);
  writer.add(*program.program).add(program.accesses).add({&target, 1});
}

std::shared_ptr<ir::Module> make_scatter_module(const ScatterForm& form) {
  return CodeMaker(form).make();
}

}  // namespace phalanx::arrays
