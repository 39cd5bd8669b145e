// Every elementwise operation and cast, in every type that has it, is PTX that ptxas takes.
#include <gtest/gtest.h>

#include "phalanx/codegen/codegen.h"
#include "phalanx/codegen/nvptx/backend.h"
#include "phalanx/ir/builder.h"
#include "phalanx/ir/typing.h"
#include "phalanx/ir/verifier.h"
#include "ptxas.h"

namespace phalanx {
namespace {

using ir::Builder;
using ir::Op;

bool accepts(const ir::OpInfo& row, DType dtype) {
  constexpr std::string_view codes = "biufc";
  return row.kinds.find(codes[static_cast<std::size_t>(kind_of(dtype))]) != std::string_view::npos;
}

ir::Type array_of(DType dtype) {
  return ir::Type::array(dtype, 1, ir::Layout::c, ir::Space::global);
}

DType operand_type(Op op, std::size_t position, DType dtype) {
  if (op == Op::select && position == 0)
    return DType::boolean;
  if (op == Op::ldexp && position == 1)
    return DType::int32;
  return dtype;
}

// out[k] = op_k(in...) for every operation of the type, each on values of its own.
std::unique_ptr<ir::Module> all_operations(DType dtype) {
  auto module = std::make_unique<ir::Module>();
  std::vector<ir::Parameter> parameters = {
      {"x", array_of(dtype)},
      {"flags", array_of(DType::boolean)},
      {"counts", array_of(DType::int32)}};
  ir::Function& function = ir::add_function(
      *module, "all_" + std::string(info(dtype).name), ir::FunctionKind::kernel, parameters);
  Builder builder(function);
  const auto array_for = [&](DType type) {
    if (type == dtype)
      return builder.parameter(0);
    return builder.parameter(type == DType::boolean ? 1 : 2);
  };
  std::int64_t next = 0;
  for (std::size_t i = 0; i < ir::op_table.size(); ++i) {
    const auto op = static_cast<Op>(i);
    if (!accepts(ir::info(op), dtype))
      continue;
    Builder::Values operands;
    for (std::size_t k = 0; k < static_cast<std::size_t>(ir::info(op).arity); ++k) {
      auto* array = array_for(operand_type(op, k, dtype));
      operands.push_back(builder.array_load(array, {builder.integer(next++)}));
    }
    auto* result = builder.elementwise(op, operands);
    builder.array_store(array_for(result->type.dtype()), {builder.integer(next++)}, result);
  }
  builder.return_();
  return module;
}

class Operations : public testing::TestWithParam<DType> {
 protected:
  void SetUp() override {
    if (test::ptxas_path().empty())
      GTEST_SKIP() << "ptxas is not installed";
    test::use_libdevice();
  }

  static void expect_assembles(const ir::Module& module, const codegen::Options& options = {}) {
    ir::verify(module);
    for (const unsigned capability : {75U, 80U, 90U}) {
      const Target target = codegen::nvptx::cuda_target(capability);
      const Binary binary = codegen::compile(module, target, options);
      const test::Assembly assembly = test::assemble(test::text_of(binary), target.cpu);
      EXPECT_TRUE(assembly.succeeded) << target.cpu << "\n" << assembly.messages;
    }
  }
};

TEST_P(Operations, assemble) { expect_assembles(*all_operations(GetParam())); }

TEST_P(Operations, assemble_with_fast_math) {
  expect_assembles(*all_operations(GetParam()), {.fastmath = FastMath::all()});
}

TEST_P(Operations, assemble_without_contraction_or_optimisation) {
  expect_assembles(*all_operations(GetParam()), {.contract = false, .optimization = 0});
}

TEST_P(Operations, casts_to_every_type_assemble) {
  ir::Module module;
  std::vector<ir::Parameter> parameters = {{"from", array_of(GetParam())}};
  for (const DTypeInfo& row : dtype_table)
    parameters.push_back({std::string(row.name), array_of(*dtype_from_name(row.name))});
  ir::Function& function = ir::add_function(module, "casts", ir::FunctionKind::kernel, parameters);
  Builder builder(function);
  for (std::size_t i = 0; i < dtype_table.size(); ++i) {
    auto* index = builder.integer(static_cast<std::int64_t>(i));
    auto* value = builder.array_load(builder.parameter(0), {index});
    auto* result = builder.cast(value, static_cast<DType>(i));
    builder.array_store(builder.parameter(i + 1), {index}, result);
  }
  builder.return_();
  expect_assembles(module);
}

std::vector<DType> all_dtypes() {
  std::vector<DType> all;
  for (std::size_t i = 0; i < dtype_table.size(); ++i) all.push_back(static_cast<DType>(i));
  return all;
}

INSTANTIATE_TEST_SUITE_P(
    dtypes,
    Operations,
    testing::ValuesIn(all_dtypes()),
    [](const testing::TestParamInfo<DType>& parameter) {
      return std::string(phalanx::info(parameter.param).name);
    });

}  // namespace
}  // namespace phalanx
