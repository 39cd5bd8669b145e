#include "phalanx/jit/plan.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/infer/names.h"
#include "phalanx/jit/scalar.h"
#include "phalanx/jit/signature.h"
#include "phalanx/runtime/live_memory.h"

namespace phalanx::jit {

namespace {

// Gives back where the next value goes. The size is a constant: a call of memcpy takes longer.
template <typename T>
std::byte* put(std::byte* target, const T& value) {
  std::memcpy(target, static_cast<const void*>(&value), sizeof(T));
  return target + sizeof(T);
}

// True for integers of which some are among the 64-bit ones of the other sign only.
bool may_overflow(DType from, DType to) {
  return (is_signed(from) && is_unsigned(to)) || (from == DType::uint64 && is_signed(to));
}

[[noreturn]] void refuse_integer(const std::string& function, DType to) {
  throw std::overflow_error(
      function + ": an int argument is passed as " + infer::numba_name(to) + ", and is not from " +
      (is_unsigned(to) ? "0 to 2**64 - 1" : "-2**63 to 2**63 - 1") +
      "; declare a type that holds it");
}

// The bytes of memory before an address, and from there on.
struct Bounds {
  std::int64_t before = 0;
  std::int64_t after = 0;
};

// So many are before and after an address of which nobody knows what memory it is in.
constexpr std::int64_t unknown_bytes = std::int64_t{1} << 40;

Bounds bounds_in(std::uint64_t address, std::uint64_t begin, std::uint64_t bytes) {
  const auto before = static_cast<std::int64_t>(address - begin);
  return {.before = before, .after = static_cast<std::int64_t>(bytes) - before};
}

// Memory that was freed has no bytes left, and where there is no memory there are none.
Bounds bounds_of(std::uint64_t address, const runtime::Device& device) {
  const auto range = runtime::buffer_at(address);
  if (!range)
    return device.may_reach(address, 1) ? Bounds{unknown_bytes, unknown_bytes} : Bounds{};
  return range->bytes == 0 ? Bounds{} : bounds_in(address, range->begin, range->bytes);
}

// An array's own memory. One with gaps between its elements is passed to say where memory begins
// and how its rows are apart: what may be reached is its allocation.
Bounds bounds_of(const Argument& argument, unsigned ndim, std::size_t item_bytes) {
  const ExtentSpan shape(argument.array.shape, ndim);
  const ExtentSpan strides(argument.array.strides, ndim);
  const ByteRange range = byte_range(shape, strides, item_bytes);
  const std::int64_t own = element_count(shape) * static_cast<std::int64_t>(item_bytes);
  const auto address = reinterpret_cast<std::uint64_t>(argument.array.data);
  if (range.high - range.low > own) {
    if (const auto whole = runtime::buffer_at(address); whole && whole->bytes != 0)
      return bounds_in(address, whole->begin, whole->bytes);
  }
  return {.before = -range.low, .after = range.high};
}

}  // namespace

Plan::Plan(std::vector<ir::TypeKey> keys, std::shared_ptr<Kernel> kernel)
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
  const bool takes_more = kernel_->layout().first_slot.size() > to.size() + 1;
  if (takes_more && !kernel_->is_function())
    add_bounds();
}

bool Plan::is_written(std::uint32_t row) const { return (keys_[row] >> 26U & 1U) == 0; }

void Plan::add_scalar(DType to, std::uint32_t row, std::size_t slot) {
  const DType from = ir::key::dtype(keys_[row]);
  Step step{.form = Form::scalar, .from = from, .to = to, .row = row};
  step.offset = static_cast<std::uint32_t>(kernel_->layout().slots[slot].offset);
  // A complex number's two slots follow each other, as its parts do in memory.
  if (keys_[row] == large_integer)
    step.form = Form::large;
  else if (kernel_->is_function() && may_overflow(from, to))
    step.form = Form::checked;
  else if (from == to && size_of(to) == 4)
    step.form = Form::bytes4;
  else if (from == to && size_of(to) == 8)
    step.form = Form::bytes8;
  steps_.push_back(step);
}

// The address of an array or a record, or an address as a number.
void Plan::add_pointer(std::uint32_t row, std::size_t slot) {
  if (keys_[row] == large_integer)
    throw TypeError(kernel_->name() + ": an address is an int of 64 bits at most");
  const bool is_address = ir::key::kind(keys_[row]) == ir::KeyKind::array;
  pointers_.push_back(row);
  steps_.push_back(
      {.form = is_address ? Form::array : Form::bytes8,
       .row = row,
       .offset = static_cast<std::uint32_t>(kernel_->layout().slots[slot].offset)});
  if (is_address)
    arrays_.push_back(row);
}

// In check mode, behind the arguments: the bytes of a pointer's memory before it and after.
void Plan::add_bounds() {
  const ir::ParameterLayout& layout = kernel_->layout();
  std::size_t slot = layout.first_slot.at(kernel_->types().size());
  for (const std::uint32_t row : pointers_) {
    Step step = {.form = Form::bounds, .row = row};
    step.offset = static_cast<std::uint32_t>(layout.slots.at(slot).offset);
    if (ir::key::kind(keys_[row]) == ir::KeyKind::array) {
      const ir::Type type = kernel_->engine().types().decode(std::span(&keys_[row], 1)).front();
      step.ndim = static_cast<std::uint8_t>(type.is_array() ? type.ndim() : 0);
      step.item_bytes = static_cast<std::uint32_t>(ir::size_of(type.element()));
    }
    steps_.push_back(step);
    slot += 2;
  }
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

void Plan::pack_checked(const Step& step, const Argument& argument, std::byte* target) const {
  std::int64_t value = 0;  // negative too where an unsigned number has no signed equal
  convert_scalar(step.from, argument.bits, DType::int64, &value);
  if (value < 0)
    refuse_integer(kernel_->name(), step.to);
  convert_scalar(step.from, argument.bits, step.to, target);
}

void Plan::pack_large(const Step& step, const Argument& argument, std::byte* target) const {
  if (is_integer(step.to))
    refuse_integer(kernel_->name(), step.to);
  double value = 0;
  std::memcpy(&value, argument.bits, sizeof(value));
  if (std::isinf(value) && step.to != DType::boolean)
    throw std::overflow_error(kernel_->name() + ": an int argument is too large for a float");
  convert_scalar(DType::float64, argument.bits, step.to, target);
}

[[gnu::hot]] void Plan::pack(
    std::span<const Argument> arguments,
    std::byte* parameters,
    const runtime::Device& device) const {
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
      case Form::checked:
        pack_checked(step, argument, target);
        break;
      case Form::large:
        pack_large(step, argument, target);
        break;
      case Form::bounds: {
        const Bounds bounds = step.item_bytes == 0
                                  ? bounds_of(argument.bits[0], device)
                                  : bounds_of(argument, step.ndim, step.item_bytes);
        put(put(target, bounds.before), bounds.after);
        break;
      }
    }
  }
}

}  // namespace phalanx::jit
