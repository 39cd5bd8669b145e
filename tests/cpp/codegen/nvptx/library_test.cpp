// Every function of libdevice, called by name, is PTX that ptxas takes.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "phalanx/codegen/codegen.h"
#include "phalanx/codegen/nvptx/backend.h"
#include "phalanx/ir/build_calls.h"
#include "phalanx/ir/builder.h"
#include "phalanx/ir/libdevice.h"
#include "phalanx/ir/verifier.h"
#include "ptxas.h"

namespace phalanx {
namespace {

constexpr std::array dtypes = {
    DType::int16, DType::int32, DType::int64, DType::float32, DType::float64};

std::size_t position_of(DType dtype) {
  return static_cast<std::size_t>(std::ranges::find(dtypes, dtype) - dtypes.begin());
}

// Calls each function with operands from arrays of their types, and stores its results there.
void call_all(ir::Builder& builder) {
  std::int64_t next = 0;
  const auto array = [&](DType dtype) { return builder.parameter(position_of(dtype)); };
  for (const ir::LibraryFunction& row : ir::library_functions()) {
    ir::Builder::Values operands;
    for (const DType dtype : row.parameters())
      operands.push_back(builder.array_load(array(dtype), {builder.integer(next++)}));
    ir::Operation* called = ir::library(builder, row.name, row.result(), std::move(operands));
    const std::vector<DType> results = row.results();
    for (std::size_t i = 0; i < results.size(); ++i) {
      ir::Operation* result = results.size() == 1 ? called : builder.tuple_get(called, i);
      builder.array_store(array(results[i]), {builder.integer(next++)}, result);
    }
  }
  builder.return_();
}

TEST(Library, functions_assemble) {
  if (test::ptxas_path().empty())
    GTEST_SKIP() << "ptxas is not installed";
  test::use_libdevice();
  ir::Module module;
  std::vector<ir::Parameter> parameters;
  for (const DType dtype : dtypes)
    parameters.push_back(
        {std::string(info(dtype).name),
         ir::Type::array(dtype, 1, ir::Layout::c, ir::Space::global)});
  ir::Builder builder(
      ir::add_function(module, "library", ir::FunctionKind::kernel, std::move(parameters)));
  call_all(builder);
  ir::verify(module);
  for (const unsigned capability : {75U, 90U}) {
    const Target target = codegen::nvptx::cuda_target(capability);
    const Binary binary = codegen::compile(module, target, {});
    const test::Assembly assembly = test::assemble(test::text_of(binary), target.cpu);
    EXPECT_TRUE(assembly.succeeded) << target.cpu << "\n" << assembly.messages;
  }
}

}  // namespace
}  // namespace phalanx
