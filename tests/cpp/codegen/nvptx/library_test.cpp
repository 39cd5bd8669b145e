// Every function of libdevice, called by name, is PTX that ptxas takes.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

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

// Calls each function, or the one of a name, with operands from arrays of their types, and stores
// its results there.
void call_all(ir::Builder& builder, std::string_view name = "") {
  std::int64_t next = 0;
  const auto array = [&](DType dtype) { return builder.parameter(position_of(dtype)); };
  for (const ir::LibraryFunction& row : ir::library_functions()) {
    if (!name.empty() && row.name != name)
      continue;
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

void make_kernel(ir::Module& module, std::string_view name = "") {
  std::vector<ir::Parameter> parameters;
  for (const DType dtype : dtypes)
    parameters.push_back(
        {std::string(info(dtype).name),
         ir::Type::array(dtype, 1, ir::Layout::c, ir::Space::global)});
  ir::Builder builder(
      ir::add_function(module, "library", ir::FunctionKind::kernel, std::move(parameters)));
  call_all(builder, name);
  ir::verify(module);
}

TEST(Library, functions_assemble) {
  if (test::ptxas_path().empty())
    GTEST_SKIP() << "ptxas is not installed";
  test::use_libdevice();
  ir::Module module;
  make_kernel(module);
  for (const unsigned capability : {75U, 90U}) {
    const Target target = codegen::nvptx::cuda_target(capability);
    const Binary binary = codegen::compile(module, target, {});
    const test::Assembly assembly = test::assemble(test::text_of(binary), target.cpu);
    EXPECT_TRUE(assembly.succeeded) << target.cpu << "\n" << assembly.messages;
  }
}

// LLVM takes some of them for its own conversions, which round to nearest.
TEST(Library, conversions_of_integers_round_as_they_say) {
  test::use_libdevice();
  const std::array<std::pair<std::string, std::string>, 7> conversions = {{
      {"int2float", "f32.s32"},
      {"uint2float", "f32.u32"},
      {"ll2float", "f32.s64"},
      {"ull2float", "f32.u64"},
      {"ll2double", "f64.s64"},
      {"ull2double", "f64.u64"},
      {"double2float", "f32.f64"},
  }};
  const std::array<std::pair<std::string, std::string>, 4> directions = {
      {{"_rn", "cvt.rn."}, {"_rz", "cvt.rz."}, {"_rd", "cvt.rm."}, {"_ru", "cvt.rp."}}};
  for (const auto& [name, types] : conversions) {
    for (const auto& [suffix, instruction] : directions) {
      ir::Module module;
      make_kernel(module, name + suffix);
      const Binary binary = codegen::compile(module, codegen::nvptx::cuda_target(90), {});
      const std::string text = test::text_of(binary);
      EXPECT_NE(text.find(instruction + types), std::string::npos) << name << suffix << "\n"
                                                                   << text;
    }
  }
}

}  // namespace
}  // namespace phalanx
