#include "phalanx/ir/build_calls.h"

#include <utility>

namespace phalanx::ir {

void parallel(
    Builder& builder,
    Function& body,
    Builder::Value chunks,
    Builder::Value size,
    const Builder::Values& arguments) {
  Builder::Values operands = {chunks, size};
  operands.insert(operands.end(), arguments.begin(), arguments.end());
  builder.append(Op::parallel, {}, std::move(operands)).callee = &body;
}
Builder::Value parallel_lanes(Builder& builder, Function& body) {
  Operation& operation = builder.append(Op::parallel_lanes, DType::int64);
  operation.callee = &body;
  return &operation;
}
Builder::Value library(
    Builder& builder, std::string_view name, Type result, Builder::Values arguments) {
  Operation& operation = builder.append(Op::library, std::move(result), std::move(arguments));
  operation.text = name;
  return &operation;
}
Builder::Value assembly(Builder& builder, std::string text, Type result, Builder::Values values) {
  Operation& operation = builder.append(Op::assembly, std::move(result), std::move(values));
  operation.text = std::move(text);
  return &operation;
}
void print(Builder& builder, std::string format, Builder::Values values) {
  builder.append(Op::print, {}, std::move(values)).text = std::move(format);
}
void report_if(Builder& builder, Operation* condition, Report report) {
  builder.append(Op::report_if, {}, {condition}).detail = std::move(report);
}

}  // namespace phalanx::ir
