#include "phalanx/numpy/reduction_types.h"

#include <algorithm>
#include <array>

#include "phalanx/numpy/reductions.h"

namespace phalanx::numpy {
namespace {

enum class Rule : std::uint8_t { sum, mean, deviation, element, difference, truth, position };

struct Row {
  std::string_view name;
  Rule rule;
  bool takes_dtype = false;
};
constexpr std::array rows = {
    Row{"sum", Rule::sum, true},
    Row{"prod", Rule::sum, true},
    Row{"cumsum", Rule::sum, true},
    Row{"cumprod", Rule::sum, true},
    Row{"mean", Rule::mean, true},
    Row{"var", Rule::deviation, true},
    Row{"std", Rule::deviation, true},
    Row{"median", Rule::mean},
    Row{"min", Rule::element},
    Row{"max", Rule::element},
    Row{"ptp", Rule::difference},
    Row{"any", Rule::truth},
    Row{"all", Rule::truth},
    Row{"argmin", Rule::position},
    Row{"argmax", Rule::position},
    Row{"count_nonzero", Rule::position},
};

bool is_whole(DType dtype) { return is_boolean(dtype) || is_integer(dtype); }

// Floats of 16 bits are computed in float32 and rounded at last; whole numbers have float64.
ReductionTyping mean_typing(DType element) {
  const DType computed = type_of_mean(element);
  return {computed, is_whole(element) ? computed : element};
}

bool refuses(std::string_view name, DType element, DType dtype) {
  if (name == "std")
    return is_whole(dtype);
  return name == "var" && is_boolean(element) && is_boolean(dtype);
}

}  // namespace

std::optional<ReductionTyping> reduction_typing(
    std::string_view name, DType element, std::optional<DType> dtype) {
  const auto* const row = std::ranges::find(rows, name, &Row::name);
  if (row == rows.end() || (dtype && !row->takes_dtype))
    return std::nullopt;
  if (dtype && refuses(name, element, *dtype))
    return std::nullopt;
  if (dtype)
    return ReductionTyping{*dtype, *dtype};
  switch (row->rule) {
    case Rule::sum:
      return ReductionTyping{type_of_sum(element), type_of_sum(element)};
    case Rule::mean:
      return mean_typing(element);
    case Rule::deviation: {
      const ReductionTyping mean = mean_typing(element);
      return ReductionTyping{mean.computed, real_part_of(mean.result)};
    }
    case Rule::element:
      return ReductionTyping{element, element};
    case Rule::difference:
      return is_boolean(element) ? std::nullopt : std::optional(ReductionTyping{element, element});
    case Rule::truth:
      return ReductionTyping{DType::boolean, DType::boolean};
    case Rule::position:
      return ReductionTyping{element, DType::int64};
  }
  return std::nullopt;
}

}  // namespace phalanx::numpy
