// What the kernels of programs have in common: their parameters, and the code of a program's steps.
#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "phalanx/arrays/nest.h"
#include "phalanx/arrays/program.h"
#include "phalanx/base/inline_vector.h"
#include "phalanx/ir/builder.h"

namespace phalanx::arrays {

using Value = ir::Builder::Value;
using Values = ir::Builder::Values;

// How an operand moves along the innermost loop. Code is made for it, as it decides whether loads
// are of vectors.
enum class Inner : std::uint8_t { stays, contiguous, strided };

Inner inner_of(const Strides& strides, DType dtype);

// An array that a kernel reads or writes.
struct OperandForm {
  DType dtype = DType::boolean;
  Inner inner = Inner::stays;

  bool operator==(const OperandForm&) const = default;
};

// A program without its sizes and values: what decides its code.
struct ProgramForm {
  const Program* program = nullptr;
  std::span<const OperandForm> accesses;
};

// A text that differs where the code does.
class KeyWriter {
 public:
  template <typename Number>
  KeyWriter& add(Number number) {
    const std::size_t end = text_.size();
    text_.resize(end + sizeof(number));
    std::memcpy(text_.data() + end, &number, sizeof(number));
    return *this;
  }
  KeyWriter& add_name(std::string_view name) {
    add(name.size());
    text_.append(name.data(), name.size());
    return *this;
  }
  KeyWriter& add(const Program& program);  // but for the accesses
  KeyWriter& add(std::span<const OperandForm> operands);
  std::string_view text() const { return {text_.data(), text_.size()}; }

 private:
  InlineVector<char, 240> text_;
};

// Declares a kernel's parameters in the order in which ArgumentPacker gets their values.
class ParameterList {
 public:
  std::size_t add(ir::Type type) {
    parameters_.push_back({"p" + std::to_string(parameters_.size()), std::move(type)});
    return parameters_.size() - 1;
  }
  std::size_t add_integers(std::size_t count) {
    const std::size_t first = parameters_.size();
    for (std::size_t i = 0; i < count; ++i) add(DType::int64);
    return first;
  }
  std::vector<ir::Parameter> take() { return std::move(parameters_); }

 private:
  std::vector<ir::Parameter> parameters_;
};

// Lays out arguments as ir/abi.h says.
class ArgumentPacker {
 public:
  void add_integer(std::int64_t value) { add_bytes(&value, sizeof(value), sizeof(value)); }
  void add_integers(std::span<const std::int64_t> values) {
    for (const std::int64_t value : values) add_integer(value);
  }
  void add_address(runtime::Address address) {
    add_bytes(&address, sizeof(address), sizeof(address));
  }
  void add_number(DType dtype, const ir::Constant& value);
  std::span<const std::byte> bytes() const { return {bytes_.data(), bytes_.size()}; }

 private:
  void add_bytes(const void* from, std::size_t count, std::size_t alignment);

  InlineVector<std::byte, 240> bytes_;
};

// The parameters of operands and of a program, for a nest of `loops` loops.
struct OperandParameters {
  std::size_t pointer = 0;
  std::size_t strides = 0;  // the first; contiguous and staying operands lack the innermost
};
OperandParameters add_operand(ParameterList& list, const OperandForm& form, std::size_t loops);
void pack_operand(
    ArgumentPacker& packer,
    const OperandForm& form,
    runtime::Address address,
    const Strides& strides);

struct ProgramParameters {
  std::vector<OperandParameters> accesses;
  std::vector<std::size_t> numbers;    // for each step, of which those of numbers have one
  std::vector<std::size_t> positions;  // start, then one step for each loop
};
ProgramParameters add_program(ParameterList& list, const ProgramForm& form, std::size_t loops);
// `strides` and `steps` are of the nest's loops.
void pack_program(
    ArgumentPacker& packer,
    const ProgramForm& form,
    std::span<const Strides> strides,
    std::span<const Strides> steps);

// The index of each loop, as the code has it; all are int64.
struct LoopIndices {
  Values indices;
  Value inner_extent = nullptr;
};

// Where an operand's element is.
class Element {
 public:
  Element(
      ir::Builder& builder,
      const OperandForm& form,
      const OperandParameters& parameters,
      const LoopIndices& at,
      Value further = nullptr);  // bytes
  Value load() const;
  void store(Value value) const;
  Value pointer() const { return pointer_; }  // of an operand that is not contiguous

 private:
  ir::Builder* builder_;
  Value pointer_ = nullptr;  // to the element; of a contiguous operand to the row
  Value row_ = nullptr;      // a contiguous operand's, as an array
  Value index_ = nullptr;
};

// What a kernel has already: for each access and for each step its value, null where it has none.
struct KnownValues {
  Values of_access = {};
  Values of_step = {};
};

// Emits the loads that steps need at one index, so that all of them are under way before the first
// value is used: what is computed has branches, which no load is moved across. What is known, and
// the loaded values of accesses; indices that are computed are not.
KnownValues emit_loads(
    ir::Builder& builder,
    const ProgramForm& form,
    const ProgramParameters& parameters,
    const LoopIndices& at,
    std::span<const std::uint16_t> wanted,
    const KnownValues& known = {});

// Emits steps at one index, and before them what they need; gives their values. Folds must be
// known.
Values emit_steps(
    ir::Builder& builder,
    const ProgramForm& form,
    const ProgramParameters& parameters,
    const LoopIndices& at,
    std::span<const std::uint16_t> wanted,
    const KnownValues& known = {});

// start + the sum of indices[i] * steps[i], steps being parameters from `first` on.
Value affine(
    ir::Builder& builder, Value start, std::span<const Value> indices, std::size_t first_step);

}  // namespace phalanx::arrays
