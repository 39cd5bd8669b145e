#include "phalanx/jit/plan.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/jit/scalar.h"
#include "phalanx/jit/signature.h"

namespace phalanx::jit {

namespace {

// Gives back where the next value goes. Of a fixed size: a call of memcpy takes longer.
template <typename T>
std::byte* put(std::byte* target, const T& value) {
  std::memcpy(target, &value, sizeof(T));
  return target + sizeof(T);
}

}  // namespace

Plan::Plan(std::vector<TypeKey> keys, std::shared_ptr<Kernel> kernel)
    : keys_(std::move(keys)), kernel_(std::move(kernel)), bytes_(kernel_->layout().bytes) {
  const std::vector<ir::Type> from = kernel_->engine().types().decode(keys_);
  const std::vector<ir::Type>& to = kernel_->types();
  if (from.size() != to.size())
    throw TypeError(
        kernel_->name() + " expects " + std::to_string(to.size()) + " arguments, got " +
        std::to_string(from.size()));
  std::uint32_t row = 0;
  std::size_t slot = 0;
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (argument_conversion(from[i], to[i]) == infer::Conversion::none)
      throw TypeError(
          kernel_->name() + ": argument " + std::to_string(i + 1) + " is " +
          ir::to_string(from[i]) + ", which cannot be passed as " + ir::to_string(to[i]));
    add_steps(to[i], row, slot);
  }
}

bool Plan::is_written(std::uint32_t row) const { return (keys_[row] >> 26U & 1U) == 0; }

void Plan::add_scalar(DType to, std::uint32_t row, std::size_t slot) {
  const DType from = key::dtype(keys_[row]);
  Step step{.form = Form::scalar, .from = from, .to = to, .row = row};
  step.offset = static_cast<std::uint32_t>(kernel_->layout().slots[slot].offset);
  // A complex number's two slots follow each other, as its parts do in memory.
  if (from == to && size_of(to) == 4)
    step.form = Form::bytes4;
  else if (from == to && size_of(to) == 8)
    step.form = Form::bytes8;
  steps_.push_back(step);
}

// The address of an array or a record, or an address as a number.
void Plan::add_pointer(std::uint32_t row, std::size_t slot) {
  const bool is_address = key::kind(keys_[row]) == KeyKind::array;
  steps_.push_back(
      {.form = is_address ? Form::array : Form::bytes8,
       .row = row,
       .offset = static_cast<std::uint32_t>(kernel_->layout().slots[slot].offset)});
  if (is_address)
    arrays_.push_back(row);
}

// `row` and `slot` move past what was used.
void Plan::add_steps(const ir::Type& to, std::uint32_t& row, std::size_t& slot) {
  const auto& slots = kernel_->layout().slots;
  const auto offset = [&] { return static_cast<std::uint32_t>(slots[slot].offset); };
  switch (to.kind()) {
    case ir::TypeKind::none:
      ++row;
      break;
    case ir::TypeKind::scalar:
      add_scalar(to.dtype(), row, slot);
      slot += is_complex(to.dtype()) ? 2 : 1;
      ++row;
      break;
    case ir::TypeKind::array: {
      const bool is_any = to.layout() == ir::Layout::any;
      steps_.push_back(
          {.form = is_any ? Form::any_array : Form::array,
           .ndim = static_cast<std::uint8_t>(to.ndim()),
           .row = row,
           .offset = offset()});
      arrays_.push_back(row);
      slot += 1 + to.ndim() * (is_any ? 2 : 1);
      ++row;
      break;
    }
    case ir::TypeKind::pointer:
      add_pointer(row, slot);
      ++slot;
      ++row;
      break;
    case ir::TypeKind::record:
    case ir::TypeKind::vector:
      if (!to.is_time())
        throw TypeError("arguments of type " + ir::to_string(to) + " cannot be passed to a kernel");
      steps_.push_back({.form = Form::bytes8, .row = row, .offset = offset()});
      ++slot;
      ++row;
      break;
    case ir::TypeKind::tuple:
      ++row;
      for (const ir::Field& field : to.fields()) add_steps(field.type, row, slot);
      break;
  }
}

void Plan::pack(std::span<const Argument> arguments, std::byte* parameters) const {
  for (const Step& step : steps_) {
    const Argument& argument = arguments[step.row];
    std::byte* target = parameters + step.offset;
    switch (step.form) {
      case Form::array:
      case Form::any_array: {
        target = put(target, argument.array.data);
        for (unsigned i = 0; i < step.ndim; ++i) target = put(target, argument.array.shape[i]);
        if (step.form == Form::any_array)
          for (unsigned i = 0; i < step.ndim; ++i) target = put(target, argument.array.strides[i]);
        break;
      }
      case Form::bytes4:
        std::memcpy(target, argument.bits, 4);
        break;
      case Form::bytes8:
        std::memcpy(target, argument.bits, 8);
        break;
      case Form::scalar:
        convert_scalar(step.from, argument.bits, step.to, target);
        break;
    }
  }
}

}  // namespace phalanx::jit
