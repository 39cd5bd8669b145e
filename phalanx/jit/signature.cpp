#include "phalanx/jit/signature.h"

#include <algorithm>
#include <array>

#include "phalanx/infer/conversion.h"

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
    switch (infer::conversion(arguments[i], signature[i])) {
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

}  // namespace

std::optional<std::size_t> choose_signature(
    std::span<const ir::Type> arguments, std::span<const Signature> signatures) {
  std::optional<std::size_t> best;
  Cost best_cost = {};
  for (std::size_t i = 0; i < signatures.size(); ++i) {
    const auto cost = cost_of(arguments, signatures[i]);
    if (cost && (!best || *cost < best_cost)) {
      best = i;
      best_cost = *cost;
    }
  }
  return best;
}

std::string to_string(const Signature& signature) {
  std::string text = "(";
  for (std::size_t i = 0; i < signature.size(); ++i)
    text += (i == 0 ? "" : ", ") + ir::to_string(signature[i]);
  return text + ")";
}

std::string no_signature_fits(
    const std::string& kernel,
    std::span<const ir::Type> arguments,
    std::span<const Signature> signatures) {
  const auto has_count = [&](const Signature& signature) {
    return signature.size() == arguments.size();
  };
  std::string text;
  if (std::none_of(signatures.begin(), signatures.end(), has_count))
    text = kernel + " expects " + std::to_string(signatures.front().size()) + " arguments, got " +
           std::to_string(arguments.size());
  else
    text = kernel + ": no signature fits arguments of types " +
           to_string(Signature(arguments.begin(), arguments.end()));
  text += "; declared:";
  for (const Signature& signature : signatures) text += "\n    " + to_string(signature);
  return text;
}

}  // namespace phalanx::jit
