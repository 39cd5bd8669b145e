// The kernels of scattered writes are PTX that NVIDIA's assembler takes, for every kind of write
// and every type: machines without a GPU run the CPU device's code alone.
#include "phalanx/arrays/scatter_code.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "phalanx/codegen/codegen.h"
#include "phalanx/codegen/nvptx/backend.h"
#include "phalanx/ir/verifier.h"
#include "tests/cpp/arrays/harness.h"
#include "tests/cpp/codegen/nvptx/ptxas.h"

namespace phalanx::arrays {
namespace {

class ScatterCodeTest : public testing::Test {
 protected:
  Array zeros(DType dtype) {
    return {
        in.graph,
        in.graph.copied(in.graph.number(dtype, std::int64_t{0}), {4}, &in.engine.runtime().cpu())};
  }

  // The kernel of a program that reads places and values.
  std::string ptx_of(ScatterForm form, DType element, DType value) {
    const Array places = zeros(DType::int64);
    const Array values = zeros(value);
    ProgramBuilder builder({4});
    for (const Array* each : {&places, &values}) {
      each->evaluate();
      builder.add_result(each->value());
    }
    const Program program = builder.take();
    const std::array accesses = {
        OperandForm{DType::int64, Inner::contiguous}, OperandForm{value, Inner::contiguous}};
    form.program = {&program, accesses};
    form.target = {element, Inner::strided};
    const auto module = make_scatter_module(form);
    ir::verify(*module);
    return test::text_of(codegen::compile(*module, codegen::nvptx::cuda_target(90), {}));
  }

  static void expect_assembles(const std::string& ptx) {
    if (test::ptxas_path().empty())
      return;
    const test::Assembly assembly = test::assemble(ptx, "sm_90");
    EXPECT_TRUE(assembly.succeeded) << assembly.messages;
  }

  static const Function* loop_of(std::string_view name, DType element) {
    const numpy::Operand operands[] = {{element}, {element}};
    return find_function(*infer::find_ufunc(name), operands);
  }

  Harness in;
};

constexpr std::array elements = {
    DType::boolean,
    DType::int8,
    DType::uint16,
    DType::int32,
    DType::uint64,
    DType::float16,
    DType::bfloat16,
    DType::float32,
    DType::float64,
    DType::complex64};

TEST_F(ScatterCodeTest, IntegersAndWideFloatsAreAddedByTheChip) {
  test::use_libdevice();
  for (const DType element : {DType::int32, DType::uint64, DType::float32, DType::float64}) {
    const Function* add = loop_of("add", element);
    ASSERT_EQ(atomic_of(*add, element), ir::Atomic::add);
    const std::string ptx =
        ptx_of({.kind = WriteKind::atomic, .function = add}, element, add->operands[1]);
    const bool has =
        ptx.find("red.") != std::string::npos || ptx.find("atom.") != std::string::npos;
    EXPECT_TRUE(has) << ptx;
    EXPECT_EQ(ptx.find("atom.cas"), std::string::npos) << ptx;
    expect_assembles(ptx);
  }
}

TEST_F(ScatterCodeTest, ThePartsOfComplexNumbersAreAddedOneAfterTheOther) {
  test::use_libdevice();
  for (const DType element : {DType::complex64, DType::complex128}) {
    const Function* add = loop_of("add", element);
    ASSERT_EQ(atomic_of(*add, element), ir::Atomic::add);
    expect_assembles(ptx_of({.kind = WriteKind::atomic, .function = add}, element, element));
  }
  EXPECT_FALSE(has_swap(DType::complex128));
  EXPECT_FALSE(atomic_of(*loop_of("multiply", DType::complex64), DType::complex64));
}

TEST_F(ScatterCodeTest, MaximaOfFloatsAreNoAtomicsOfTheChipAsNaNWins) {
  EXPECT_FALSE(atomic_of(*loop_of("maximum", DType::float32), DType::float32));
  EXPECT_EQ(atomic_of(*loop_of("maximum", DType::int32), DType::int32), ir::Atomic::max);
  EXPECT_FALSE(atomic_of(*loop_of("add", DType::boolean), DType::boolean));
  EXPECT_FALSE(atomic_of(*loop_of("add", DType::float32), DType::float64)) << "another element";
}

TEST_F(ScatterCodeTest, WordsOfEveryTypeAreSwapped) {
  test::use_libdevice();
  for (const DType element : elements) {
    ASSERT_TRUE(has_swap(element));
    for (const char* name : {"add", "multiply", "maximum", "true_divide"}) {
      const Function* function = loop_of(name, element);
      if (function == nullptr)
        continue;
      const std::string ptx =
          ptx_of({.kind = WriteKind::swap, .function = function}, element, function->operands[1]);
      EXPECT_NE(ptx.find("atom"), std::string::npos) << ptx;
      expect_assembles(ptx);
    }
  }
}

TEST_F(ScatterCodeTest, StoresAndUpdatesOfEveryTypeAssemble) {
  test::use_libdevice();
  for (const DType element : elements) {
    for (const bool is_sequential : {false, true}) {
      const Function* add = loop_of("add", element);
      expect_assembles(ptx_of({.is_sequential = is_sequential}, element, element));
      expect_assembles(ptx_of(
          {.is_sequential = is_sequential, .kind = WriteKind::update, .function = add},
          element,
          add->operands[1]));
    }
  }
}

}  // namespace
}  // namespace phalanx::arrays
