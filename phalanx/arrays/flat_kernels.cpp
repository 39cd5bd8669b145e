#include "phalanx/arrays/flat_kernels.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "phalanx/arrays/capture.h"
#include "phalanx/arrays/elementwise_kernel.h"
#include "phalanx/arrays/kernel_code.h"
#include "phalanx/base/errors.h"

namespace phalanx::arrays {
namespace {

// As of kernels: one that makes new ones for ever starts again.
constexpr std::size_t most_known = 16384;

Program program_of(const FlatExpression& expression) {
  const RowFusion no_rows;
  ProgramBuilder builder(*expression.root()->shape, no_rows);
  builder.add_result(expression.root());
  return builder.take();
}

// All counts, each multiplied.
template <typename Scale>
Work scaled(Work work, const Scale& scale) {
  scale(work.bytes_read);
  for (auto* counts : {&work.arithmetic, &work.functions}) std::ranges::for_each(*counts, scale);
  return work;
}

}  // namespace

FlatKernel FlatKernels::find(const FlatExpression& expression) {
  if (const auto found = known_.find(expression.key()); found != known_.end())
    return found->second;
  FlatKernel made = make(expression);
  if (known_.size() >= most_known)
    known_.clear();
  return known_.try_emplace(std::string(expression.key()), std::move(made)).first->second;
}

FlatKernel FlatKernels::make(const FlatExpression& expression) {
  const Program program = program_of(expression);
  // The key tells the order of what the expression meets: what holds here holds at its later uses.
  const auto is_array = [](const Access& access, const Memory& array) {
    return access.memory->address == array->address && access.memory->element == array->element;
  };
  const auto is_number = [](const NumberUse& use, const NodePtr& number) {
    return use.dtype == number->dtype;
  };
  PHX_ASSERT(std::ranges::equal(program.accesses, expression.arrays(), is_array));
  PHX_ASSERT(std::ranges::equal(program.numbers, expression.numbers(), is_number));
  const std::int64_t elements = expression.root()->size();
  return {
      .kernel = find_flat(*kernels_, program),
      .work = scaled(work_of(program), [=](std::int64_t& count) { count /= elements; })};
}

runtime::LaunchConfig config_of_flat(const FlatExpression& expression) {
  return config_of_rows(expression.root()->size(), 1);
}

void launch_flat(
    runtime::Executable& code, const FlatExpression& expression, const views::DeviceArray& output) {
  const std::int64_t elements = expression.root()->size();
  ArgumentPacker packer;
  packer.add_integer(elements);
  packer.add_address(output.address);
  for (const Memory& array : expression.arrays()) packer.add_address(array->address);
  for (const NodePtr& number : expression.numbers())
    packer.add_number(number->dtype, std::get<Number>(number->made_by).value);
  output.device->launch(code, config_of_flat(expression), packer.bytes(), queue_of(*output.device));
}

Work work_of(const FlatKernel& kernel, std::int64_t elements) {
  return scaled(kernel.work, [=](std::int64_t& count) { count *= elements; });
}

}  // namespace phalanx::arrays
