#include "phalanx/arrays/kernel_code.h"

#include <array>
#include <complex>
#include <variant>

#include "phalanx/base/errors.h"
#include "phalanx/jit/scalar.h"

namespace phalanx::arrays {

using ir::Op;

Inner inner_of(const Strides& strides, DType dtype) {
  if (strides.empty() || strides.back() == 0)
    return Inner::stays;
  const auto bytes = static_cast<std::int64_t>(size_of(dtype));
  return strides.back() == bytes ? Inner::contiguous : Inner::strided;
}

KeyWriter& KeyWriter::add(const Program& program) {
  add(static_cast<std::uint16_t>(program.steps.size()));
  for (const Step& step : program.steps) {
    add(step.kind).add(step.dtype).add(step.index);
    if (step.function != nullptr) {
      add(step.function->number);
      for (unsigned i = 0; i < step.function->arity; ++i) add(step.operands[i]);
    }
    if (step.kind == StepKind::gather || step.kind == StepKind::fold)
      add(step.operands[0]);
    if (step.kind == StepKind::fold)
      add_name(program.folds[step.index].name);
  }
  for (const std::uint16_t result : program.results) add(result);
  return add(program.is_of_rows).add(static_cast<std::uint8_t>(program.positions.size()));
}

KeyWriter& KeyWriter::add(std::span<const OperandForm> operands) {
  for (const OperandForm& operand : operands) add(operand.dtype).add(operand.inner);
  return *this;
}

void ArgumentPacker::add_bytes(const void* from, std::size_t count, std::size_t alignment) {
  const std::size_t offset = (bytes_.size() + alignment - 1) / alignment * alignment;
  bytes_.resize(offset + count);
  std::memcpy(bytes_.data() + offset, from, count);
}

void ArgumentPacker::add_number(DType dtype, const ir::Constant& value) {
  std::array<std::byte, sizeof(std::complex<double>)> bytes = {};
  const auto convert = [&](DType from, const auto& number) {
    jit::convert_scalar(from, &number, dtype, bytes.data());
  };
  if (const auto* truth = std::get_if<bool>(&value))
    convert(DType::boolean, *truth);
  else if (const auto* integer = std::get_if<std::int64_t>(&value))
    convert(is_unsigned(dtype) ? DType::uint64 : DType::int64, *integer);
  else if (const auto* floating = std::get_if<double>(&value))
    convert(DType::float64, *floating);
  else
    convert(DType::complex128, std::get<std::complex<double>>(value));
  const std::size_t part = is_complex(dtype) ? size_of(dtype) / 2 : size_of(dtype);
  for (std::size_t at = 0; at < size_of(dtype); at += part) add_bytes(&bytes.at(at), part, part);
}

OperandParameters add_operand(ParameterList& list, const OperandForm& form, std::size_t loops) {
  OperandParameters parameters;
  parameters.pointer = list.add(ir::Type::pointer(form.dtype, ir::Space::global));
  const std::size_t count = form.inner == Inner::strided || loops == 0 ? loops : loops - 1;
  parameters.strides = list.add_integers(count);
  return parameters;
}

void pack_operand(
    ArgumentPacker& packer,
    const OperandForm& form,
    runtime::Address address,
    const Strides& strides) {
  packer.add_address(address);
  const bool is_whole = form.inner == Inner::strided || strides.empty();
  packer.add_integers(std::span(strides).first(is_whole ? strides.size() : strides.size() - 1));
}

ProgramParameters add_program(ParameterList& list, const ProgramForm& form, std::size_t loops) {
  ProgramParameters parameters;
  for (const OperandForm& access : form.accesses)
    parameters.accesses.push_back(add_operand(list, access, loops));
  for (const Step& step : form.program->steps)
    parameters.numbers.push_back(step.kind == StepKind::number ? list.add(step.dtype) : 0);
  for (std::size_t i = 0; i < form.program->positions.size(); ++i)
    parameters.positions.push_back(list.add_integers(1 + loops));
  return parameters;
}

void pack_program(
    ArgumentPacker& packer,
    const ProgramForm& form,
    std::span<const Strides> strides,
    std::span<const Strides> steps) {
  const Program& program = *form.program;
  for (std::size_t i = 0; i < program.accesses.size(); ++i) {
    const Access& access = program.accesses[i];
    const auto offset = static_cast<runtime::Address>(access.offset);
    pack_operand(packer, form.accesses[i], access.memory->address + offset, strides[i]);
  }
  for (const Step& step : program.steps) {
    if (step.kind == StepKind::number)
      packer.add_number(step.dtype, program.numbers[step.index].value);
  }
  for (std::size_t i = 0; i < program.positions.size(); ++i) {
    packer.add_integer(program.positions[i].start);
    packer.add_integers(std::span(steps[i]));
  }
}

Value affine(
    ir::Builder& builder, Value start, std::span<const Value> indices, std::size_t first_step) {
  Value sum = start;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const Value moved =
        builder.elementwise(Op::multiply, {indices[i], builder.parameter(first_step + i)});
    sum = sum == nullptr ? moved : builder.elementwise(Op::add, {sum, moved});
  }
  return sum;
}

Element::Element(
    ir::Builder& builder,
    const OperandForm& form,
    const OperandParameters& parameters,
    const LoopIndices& at,
    Value further)
    : builder_(&builder) {
  const Value base = builder.parameter(parameters.pointer);
  const bool is_whole = form.inner == Inner::strided || at.indices.empty();
  const std::size_t moving = is_whole ? at.indices.size() : at.indices.size() - 1;
  const Value offset =
      affine(builder, further, std::span(at.indices).first(moving), parameters.strides);
  pointer_ = offset == nullptr ? base : builder.pointer_offset(base, offset, base->type);
  if (form.inner != Inner::contiguous)
    return;
  const ir::Type type = ir::Type::array(form.dtype, 1, ir::Layout::c, ir::Space::global);
  row_ = builder.array_make(type, pointer_, {at.inner_extent});
  index_ = at.indices.back();
}

Value Element::load() const {
  return row_ != nullptr ? builder_->array_load(row_, {index_}) : builder_->load(pointer_);
}

void Element::store(Value value) const {
  if (row_ != nullptr)
    builder_->array_store(row_, {index_}, value);
  else
    builder_->store(pointer_, value);
}

namespace {

std::span<const std::uint16_t> operands_of(const Step& step) {
  const std::size_t count = step.kind == StepKind::call ? step.function->arity
                            : step.kind == StepKind::gather || step.kind == StepKind::fold ? 1
                                                                                           : 0;
  return std::span(step.operands).first(count);
}

Value at_or_null(const Values& values, std::size_t index) {
  return index < values.size() ? values[index] : nullptr;
}

// The steps that must be emitted for those that are wanted.
std::vector<bool> needed_for(
    const Program& program, std::span<const std::uint16_t> wanted, const KnownValues& known) {
  std::vector<bool> needed(program.steps.size());
  for (const std::uint16_t step : wanted) needed[step] = true;
  for (std::size_t i = needed.size(); i-- > 0;) {
    if (needed[i] && at_or_null(known.of_step, i) == nullptr) {
      for (const std::uint16_t operand : operands_of(program.steps[i])) needed[operand] = true;
    }
  }
  return needed;
}

// Emits one step after the other.
class StepEmitter {
 public:
  StepEmitter(
      ir::Builder& builder,
      const ProgramForm& form,
      const ProgramParameters& parameters,
      const LoopIndices& at,
      const KnownValues& known)
      : builder_(builder), form_(form), parameters_(parameters), at_(at), known_(known) {}

  KnownValues load(std::span<const std::uint16_t> wanted) const {
    const Program& program = *form_.program;
    const std::vector<bool> needed = needed_for(program, wanted, known_);
    KnownValues loaded = known_;
    loaded.of_access.resize(form_.accesses.size());
    for (std::size_t i = 0; i < needed.size(); ++i) {
      const Step& step = program.steps[i];
      if (needed[i] && step.kind == StepKind::load && loaded.of_access[step.index] == nullptr)
        loaded.of_access[step.index] = load(step, nullptr);
    }
    return loaded;
  }

  Values emit(std::span<const std::uint16_t> wanted) {
    const Program& program = *form_.program;
    const std::vector<bool> needed = needed_for(program, wanted, known_);
    values_.resize(program.steps.size());
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (needed[i]) {
        const Value known = at_or_null(known_.of_step, i);
        values_[i] = known != nullptr ? known : value_of(program.steps[i], i);
      }
    }
    Values results;
    for (const std::uint16_t step : wanted) results.push_back(values_[step]);
    return results;
  }

 private:
  Value value_of(const Step& step, std::size_t number) const {
    switch (step.kind) {
      case StepKind::load: {
        const Value known = at_or_null(known_.of_access, step.index);
        return known != nullptr ? known : load(step, nullptr);
      }
      case StepKind::gather:
        return load(step, values_[step.operands[0]]);
      case StepKind::number:
        return builder_.parameter(parameters_.numbers[number]);
      case StepKind::positions: {
        const std::size_t first = parameters_.positions[step.index];
        return affine(builder_, builder_.parameter(first), at_.indices, first + 1);
      }
      case StepKind::call: {
        Values operands;
        for (const std::uint16_t operand : operands_of(step)) operands.push_back(values_[operand]);
        return step.function->emit(builder_, operands);
      }
      case StepKind::fold:
        break;
    }
    PHX_ASSERT(false);  // a fold is known before what needs it
    return nullptr;
  }

  Value load(const Step& step, Value further) const {
    const OperandForm& form = form_.accesses[step.index];
    return Element(builder_, form, parameters_.accesses[step.index], at_, further).load();
  }

  ir::Builder& builder_;
  const ProgramForm& form_;
  const ProgramParameters& parameters_;
  const LoopIndices& at_;
  const KnownValues& known_;
  Values values_;  // of the steps so far
};

}  // namespace

KnownValues emit_loads(
    ir::Builder& builder,
    const ProgramForm& form,
    const ProgramParameters& parameters,
    const LoopIndices& at,
    std::span<const std::uint16_t> wanted,
    const KnownValues& known) {
  return StepEmitter(builder, form, parameters, at, known).load(wanted);
}

Values emit_steps(
    ir::Builder& builder,
    const ProgramForm& form,
    const ProgramParameters& parameters,
    const LoopIndices& at,
    std::span<const std::uint16_t> wanted,
    const KnownValues& known) {
  return StepEmitter(builder, form, parameters, at, known).emit(wanted);
}

}  // namespace phalanx::arrays
