// Interprocedural constant and range propagation (Callahan, Cooper, Kennedy and Torczon, 1986;
// LLVM's IPSCCP) into the bodies of parallel loops: constant arguments, and that a number is not
// negative.
#include <map>
#include <optional>
#include <vector>

#include "phalanx/ir/build_calls.h"
#include "phalanx/ir/builder.h"
#include "phalanx/passes/passes.h"
#include "phalanx/passes/range_walk.h"
#include "phalanx/passes/rewrite.h"

namespace phalanx::passes {

using ir::Function;
using ir::Op;
using ir::Operation;
using ir::Region;

namespace {

// What holds of each parameter of a parallel body wherever it is launched.
using Arguments = std::vector<std::optional<Interval>>;
using ArgumentsOfBodies = std::map<Function*, Arguments>;

class Collector final : public RangeWalk {
 public:
  Collector(Function& function, ArgumentsOfBodies& bodies) : RangeWalk(function), bodies_(bodies) {}

 protected:
  void visit(Operation& operation, Region& /*before*/) override {
    if (operation.op != Op::parallel)
      return;
    Arguments& arguments = bodies_[operation.callee];
    arguments.resize(operation.callee->parameters.size());
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const Interval range = ranges().of(operation.operands[ir::first_parallel_argument + i]);
      arguments[i] = arguments[i] ? united(*arguments[i], range) : range;
    }
  }

 private:
  ArgumentsOfBodies& bodies_;
};

bool is_signed_integer(const ir::Type& type) {
  return is_linear_type(type) && is_integer(type.dtype()) && is_signed(type.dtype());
}

void inform(Function& body, const Arguments& arguments) {
  Region known;
  Replacements replacements;
  ir::Builder builder(body);
  {
    const auto inside = builder.enter(known);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      Operation* parameter = body.parameters[i].get();
      const Interval range = arguments[i].value_or(Interval{});
      if (!is_signed_integer(parameter->type) || !range.is_natural())
        continue;
      const DType dtype = parameter->type.dtype();
      if (range.low == range.high)
        replacements.replace(parameter, builder.integer(range.low, dtype));
      else
        replacements.replace(
            parameter, builder.elementwise(Op::maximum, {parameter, builder.integer(0, dtype)}));
    }
  }
  ir::for_each(body.body, [&](Operation& operation) { replacements.apply(operation); });
  splice(body.body, 0, std::move(known));
}

}  // namespace

void propagate_ranges(ir::Module& module) {
  ArgumentsOfBodies bodies;
  for_each_function(module, [&](Function& function) {
    if (holds(function.body, Op::parallel))
      Collector(function, bodies).run();
  });
  for (auto& [body, arguments] : bodies) inform(*body, arguments);
}

}  // namespace phalanx::passes
