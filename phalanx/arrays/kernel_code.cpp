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
    if (step.kind == StepKind::gather)
      add(step.operands[0]);
  }
  for (const std::uint16_t result : program.results) add(result);
  return add(static_cast<std::uint8_t>(program.positions.size()));
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
  for (const Step& step : form.program->steps) {
    if (step.kind == StepKind::number)
      parameters.numbers.push_back(list.add(step.dtype));
  }
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

Values emit_program(
    ir::Builder& builder,
    const ProgramForm& form,
    const ProgramParameters& parameters,
    const LoopIndices& at,
    const Values& given) {
  Values values;
  std::size_t number = 0;
  for (const Step& step : form.program->steps) {
    switch (step.kind) {
      case StepKind::load:
        values.push_back(
            step.index < given.size() && given[step.index] != nullptr
                ? given[step.index]
                : Element(builder, form.accesses[step.index], parameters.accesses[step.index], at)
                      .load());
        break;
      case StepKind::gather:
        values.push_back(Element(
                             builder,
                             form.accesses[step.index],
                             parameters.accesses[step.index],
                             at,
                             values[step.operands[0]])
                             .load());
        break;
      case StepKind::number:
        values.push_back(builder.parameter(parameters.numbers[number++]));
        break;
      case StepKind::positions: {
        const std::size_t first = parameters.positions[step.index];
        values.push_back(affine(builder, builder.parameter(first), at.indices, first + 1));
        break;
      }
      case StepKind::call: {
        Values operands;
        for (unsigned i = 0; i < step.function->arity; ++i)
          operands.push_back(values[step.operands[i]]);
        values.push_back(step.function->emit(builder, operands));
        break;
      }
    }
  }
  Values results;
  for (const std::uint16_t result : form.program->results) results.push_back(values[result]);
  return results;
}

}  // namespace phalanx::arrays
