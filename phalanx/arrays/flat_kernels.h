// The kernels of flat expressions, found by what the nodes are: a program is made of them the first
// time only.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "phalanx/arrays/flat_expression.h"
#include "phalanx/arrays/kernel_table.h"
#include "phalanx/arrays/rates.h"

namespace phalanx::arrays {

// The kernel that the expression's program has (elementwise_kernel.h), and what it does for each
// element.
struct FlatKernel {
  std::shared_ptr<ProgramKernel> kernel;
  Work work;
};

class FlatKernels {  // guarded by the graph's lock
 public:
  explicit FlatKernels(KernelTable& kernels) : kernels_(&kernels) {}

  FlatKernel find(const FlatExpression& expression);

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  FlatKernel make(const FlatExpression& expression);

  KernelTable* kernels_;
  std::unordered_map<std::string, FlatKernel, Hash, std::equal_to<>> known_;
};

// Queues the launch of its kernel that writes the expression's value to an array of its shape, in C
// order.
void launch_flat(
    runtime::Executable& code, const FlatExpression& expression, const views::DeviceArray& output);
runtime::LaunchConfig config_of_flat(const FlatExpression& expression);
// What that launch does.
Work work_of(const FlatKernel& kernel, std::int64_t elements);

}  // namespace phalanx::arrays
