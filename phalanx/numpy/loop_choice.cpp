#include "phalanx/numpy/loop_choice.h"

#include <algorithm>
#include <array>

#include "phalanx/numpy/promotion.h"

namespace phalanx::numpy {
namespace {

bool is_exact(const Argument& argument, const ir::Type& wanted) { return argument.type == wanted; }

bool is_safe(const Argument& argument, const ir::Type& wanted) {
  if (!argument.type)
    return false;
  if (argument.is_weak)
    return wanted.is_scalar() && fits_weak(argument.type->dtype(), wanted.dtype());
  return can_cast(*argument.type, wanted, Casting::safe);
}

bool is_rounded(const Argument& argument, const ir::Type& wanted) {
  return is_safe(argument, wanted) || (argument.is_number && argument.type &&
                                       can_cast(*argument.type, wanted, Casting::same_kind));
}

}  // namespace

std::optional<std::size_t> choose_loop(
    std::span<const LoopInputs> loops, std::span<const Argument> given) {
  std::vector<Argument> arguments(given.begin(), given.end());
  // Nothing to take a type from.
  if (std::ranges::all_of(arguments, &Argument::is_weak)) {
    for (Argument& argument : arguments) argument.is_weak = false;
  }
  for (const auto rule : {is_exact, is_safe, is_rounded}) {
    const auto found = std::ranges::find_if(loops, [&](const LoopInputs& inputs) {
      return std::ranges::equal(arguments, inputs, rule);
    });
    if (found != loops.end())
      return static_cast<std::size_t>(found - loops.begin());
  }
  return std::nullopt;
}

}  // namespace phalanx::numpy
