#include "phalanx/jit/signature.h"

#include <algorithm>
#include <array>
#include <optional>

#include "phalanx/base/errors.h"
#include "phalanx/infer/conversion.h"
#include "phalanx/infer/names.h"

namespace phalanx::jit {

namespace {

using infer::Conversion;

// How many arguments need each kind of conversion, worst first, so that they compare in order.
using Cost = std::array<int, 3>;

std::optional<Cost> cost_of(std::span<const ir::Type> arguments, const Signature& signature) {
  if (arguments.size() != signature.size())
    return std::nullopt;
  Cost cost = {};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    switch (argument_conversion(arguments[i], signature[i])) {
      case Conversion::exact:
        break;
      case Conversion::promote:
        ++cost[2];
        break;
      case Conversion::safe:
        ++cost[1];
        break;
      case Conversion::unsafe:
        ++cost[0];
        break;
      case Conversion::none:
        return std::nullopt;
    }
  }
  return cost;
}

std::string no_signature_fits(
    const std::string& kernel,
    std::span<const ir::Type> arguments,
    std::span<const Signature> signatures) {
  const auto has_count = [&](const Signature& signature) {
    return signature.size() == arguments.size();
  };
  std::string text;
  if (std::ranges::none_of(signatures, has_count)) {
    text = kernel + " expects " + std::to_string(signatures.front().size()) + " arguments, got " +
           std::to_string(arguments.size());
  } else {
    text = "No matching definition of " + kernel + " for argument types " +
           to_string(Signature(arguments.begin(), arguments.end()));
  }
  text += "; declared:";
  for (const Signature& signature : signatures) text += "\n    " + to_string(signature);
  return text;
}

}  // namespace

std::size_t choose_signature(
    const std::string& kernel,
    std::span<const ir::Type> arguments,
    std::span<const Signature> signatures) {
  std::vector<std::size_t> best;  // more than one when they cost the same
  Cost best_cost = {};
  for (std::size_t i = 0; i < signatures.size(); ++i) {
    const auto cost = cost_of(arguments, signatures[i]);
    if (!cost || (!best.empty() && *cost > best_cost))
      continue;
    if (best.empty() || *cost < best_cost)
      best.clear();
    // The same signature given twice is no choice.
    if (best.empty() || signatures[best.front()] != signatures[i])
      best.push_back(i);
    best_cost = *cost;
  }
  if (best.empty())
    throw TypeError(no_signature_fits(kernel, arguments, signatures));
  if (best.size() == 1)
    return best.front();
  std::string text = "Ambiguous overloading for " + kernel + " " +
                     to_string(Signature(arguments.begin(), arguments.end())) +
                     "; these fit equally well:";
  for (const std::size_t i : best) text += "\n    " + to_string(signatures[i]);
  throw TypeError(text);
}

namespace {

// A struct that holds pointers takes a tuple with addresses: the worst of what its members cost.
Conversion members_conversion(const ir::Type& from, const ir::Type& to) {
  Conversion worst = Conversion::exact;
  for (std::size_t i = 0; i < to.fields().size(); ++i) {
    const Conversion one = argument_conversion(from.fields()[i].type, to.fields()[i].type);
    if (one == Conversion::none)
      return one;
    worst = std::max(worst, one);
  }
  return worst;
}

bool holds_pointer(const ir::Type& type) {
  return type.is_pointer() ||
         (type.is_tuple() && std::ranges::any_of(type.fields(), [](const ir::Field& field) {
            return holds_pointer(field.type);
          }));
}

}  // namespace

infer::Conversion argument_conversion(const ir::Type& from, const ir::Type& to) {
  if (from.is_tuple() && to.is_tuple() && from.fields().size() == to.fields().size() &&
      holds_pointer(to))
    return members_conversion(from, to);
  const bool is_in_memory = from.is_array() || from.is_pointer();
  if (to.is_pointer() && is_in_memory && from.element() == to.element())
    return from == to ? Conversion::exact : Conversion::safe;
  // What C calls void*, pointers to structs, and memory that has no type yet.
  const ir::Type byte = DType::uint8;
  if (to.is_pointer() && is_in_memory && (to.element() == byte || from.element() == byte))
    return Conversion::safe;
  const bool is_address =
      from.is_scalar() && is_integer(from.dtype()) && size_of(from.dtype()) == 8;
  if (to.is_pointer() && is_address)
    return Conversion::unsafe;
  return infer::conversion(from, to);
}

std::string to_string(const Signature& signature) {
  std::string text = "(";
  for (std::size_t i = 0; i < signature.size(); ++i)
    text += (i == 0 ? "" : ", ") + infer::numba_name(signature[i]);
  return text + ")";
}

}  // namespace phalanx::jit
