// What the PTX code generator promises beside the text: the binary's fields, options, errors.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/codegen.h"
#include "phalanx/codegen/nvptx/backend.h"
#include "phalanx/ir/build_memory.h"
#include "phalanx/ir/builder.h"
#include "phalanx/ir/parser.h"
#include "phalanx/ir/verifier.h"
#include "phalanx/passes/passes.h"
#include "ptxas.h"

namespace phalanx {
namespace {

using testing::Test;

Binary compile(std::string_view text, const codegen::Options& options = {}) {
  test::use_libdevice();
  const auto module = ir::parse(text);
  ir::verify(*module);
  return codegen::compile(*module, codegen::nvptx::cuda_target(90), options);
}

constexpr std::string_view empty_kernel = "kernel @empty() {\n  return\n}\n";

TEST(CompilePtx, describes_the_parameter_block_and_shared_memory) {
  const Binary binary = compile(R"(
kernel @k(%flag: bool, %x: array<f32, 2, any, global>, %z: c64, %n: i8) {
  %a = shared_array [3] : array<i8, 1, C, shared>
  %b = shared_array [4] : array<f64, 1, C, shared>
  return
}
)");
  EXPECT_EQ(binary.kind, BinaryKind::ptx);
  EXPECT_EQ(binary.entry().symbol, "k");
  EXPECT_EQ(binary.entry().parameter_bytes, 8 + 5 * 8 + 8 + 1);
  EXPECT_EQ(binary.entry().shared_bytes, 16 + 32);
  EXPECT_EQ(binary.code.back(), std::byte{0});
  EXPECT_FALSE(binary.uses_print);
}

// The arrays of one kernel do not add to another's; those of a function that both call do.
TEST(CompilePtx, lays_out_the_shared_memory_of_each_kernel_by_itself) {
  const auto image = [](std::string_view common, std::string_view own) {
    const std::string array = "shared_array [{}] : array<i8, 1, C, shared>";
    const auto line = [&](std::string_view extent) {
      std::string made = "  %a = " + array + "\n";
      return made.replace(made.find("{}"), 2, extent);
    };
    return compile(
        "device @f() {\n" + line(common) + "  return\n}\n" +  //
        "kernel @a() {\n  call @f\n" + line(own) + "  return\n}\n" + "kernel @b() {\n  call @f\n" +
        line(own) + "  return\n}\n");
  };
  const Binary small = image("1000", "40000");
  ASSERT_EQ(small.entries.size(), 2U);
  for (const Entry& entry : small.entries) {
    EXPECT_EQ(entry.moved_shared_bytes, 0U);
    EXPECT_EQ(entry.shared_bytes, 1008U + 40000U);
  }
  for (const Entry& entry : image("10000", "40000").entries)
    EXPECT_EQ(entry.moved_shared_bytes, 50000U);
}

TEST(CompilePtx, gives_the_entry_a_name_that_ptx_allows) {
  const auto module = ir::parse("kernel @\"f.<locals>.<lambda>\"() {\n  return\n}\n");
  const Binary binary = codegen::compile(*module, codegen::nvptx::cuda_target(90), {});
  EXPECT_EQ(binary.entry().symbol, "f__locals___lambda_");
  EXPECT_NE(test::text_of(binary).find(".entry " + binary.entry().symbol + "("), std::string::npos);
}

TEST(CompilePtx, keeps_launch_bounds_and_register_limits) {
  const std::string ptx = test::text_of(
      compile(empty_kernel, {.max_registers = 40, .max_threads = 256, .min_blocks = 4}));
  EXPECT_NE(ptx.find(".maxntid 256"), std::string::npos) << ptx;
  EXPECT_NE(ptx.find(".minnctapersm 4"), std::string::npos) << ptx;
  EXPECT_NE(ptx.find(".maxnreg 40"), std::string::npos) << ptx;
}

TEST(CompilePtx, lists_raise_sites_only_in_debug_mode) {
  constexpr std::string_view text = R"(
kernel @k(%n: i64) source "user.py" {
  %zero = constant 0 : i64
  %bad = less %n, %zero : bool
  if %bad {
    raise "ValueError: negative" @7:4
  }
  return
}
)";
  const Binary debug = compile(text, {.debug = true});
  ASSERT_EQ(debug.fault_sites.size(), 1U);
  EXPECT_EQ(to_string(debug.fault_sites[0]), "user.py:7: ValueError: negative");
  EXPECT_NE(test::text_of(debug).find("phalanx_error["), std::string::npos);
  const Binary release = compile(text);
  EXPECT_TRUE(release.fault_sites.empty());
  EXPECT_EQ(test::text_of(release).find("phalanx_error"), std::string::npos);
}

TEST(CompilePtx, fuses_only_where_contraction_is_allowed) {
  constexpr std::string_view text = R"(
kernel @k(%x: ptr<f32, global>) {
  %a = load %x : f32
  %b = multiply %a, %a : f32
  %c = add %b, %a : f32
  store %x, %c
  return
}
)";
  EXPECT_NE(test::text_of(compile(text)).find("fma.rn.f32"), std::string::npos);
  const std::string separate = test::text_of(compile(text, {.contract = false}));
  EXPECT_EQ(separate.find("fma"), std::string::npos);
  EXPECT_NE(separate.find("mul.rn.f32"), std::string::npos) << "ptxas might fuse plain mul and add";
  EXPECT_NE(separate.find("add.rn.f32"), std::string::npos);
}

TEST(CompilePtx, approximates_with_fast_math) {
  constexpr std::string_view text = R"(
kernel @k(%x: ptr<f32, global>) {
  %a = load %x : f32
  %b = sqrt %a : f32
  %c = true_divide %a, %b : f32
  %d = sin %c : f32
  store %x, %d
  return
}
)";
  const std::string exact = test::text_of(compile(text));
  EXPECT_NE(exact.find("sqrt.rn.f32"), std::string::npos);
  EXPECT_NE(exact.find("div.rn.f32"), std::string::npos);
  EXPECT_EQ(exact.find("sin.approx"), std::string::npos);
  const std::string fast = test::text_of(compile(text, {.fastmath = FastMath::all()}));
  EXPECT_NE(fast.find("sin.approx.ftz.f32"), std::string::npos);
  EXPECT_EQ(fast.find("div.rn"), std::string::npos);
  EXPECT_EQ(fast.find("sqrt.rn"), std::string::npos);
}

TEST(CompilePtx, puts_constants_over_64_kb_into_global_memory) {
  ir::Module module;
  module.constants.push_back({
      .element = DType::float64,
      .shape = {10000},
      .bytes = std::vector<std::byte>(80000, std::byte{1}),
  });
  ir::Function& function = ir::add_function(
      module,
      "k",
      ir::FunctionKind::kernel,
      {{"out", ir::Type::pointer(DType::float64, ir::Space::global)}, {"i", DType::int64}});
  ir::Builder builder(function);
  auto* table = ir::constant_array(builder, module, 0);
  builder.store(builder.parameter(0), builder.array_load(table, {builder.parameter(1)}));
  builder.return_();
  const std::string ptx =
      test::text_of(codegen::compile(module, codegen::nvptx::cuda_target(90), {}));
  EXPECT_EQ(ptx.find(".const"), std::string::npos);
  EXPECT_NE(ptx.find(".global .align 16 .b8 constant0[80000]"), std::string::npos);
  EXPECT_NE(ptx.find("ld.global"), std::string::npos);
}

TEST(CompilePtx, says_which_atomics_there_are) {
  constexpr std::string_view text = R"(
kernel @k(%x: ptr<f32, global>, %y: f32) {
  %old = atomic "and", %x, %y : f32
  return
}
)";
  try {
    compile(text);
    FAIL() << "an atomic and of floats was compiled";
  } catch (const CompileError& error) {
    EXPECT_EQ(error.kind(), CompileError::Kind::lowering);
    EXPECT_NE(
        std::string(error.what()).find("atomic and is not there for float32"), std::string::npos);
  }
}

TEST(CompilePtx, says_where_libdevice_is_looked_for) {
  constexpr std::string_view text = R"(
kernel @k(%x: ptr<f32, global>) {
  %a = load %x : f32
  %b = sin %a : f32
  store %x, %b
  return
}
)";
  const auto module = ir::parse(text);
  setenv("PHALANX_LIBDEVICE", "/nowhere/libdevice.10.bc", 1);
  EXPECT_THROW(codegen::compile(*module, codegen::nvptx::cuda_target(90), {}), CompileError);
  unsetenv("PHALANX_LIBDEVICE");
  EXPECT_THROW(codegen::compile(*module, codegen::nvptx::cuda_target(90), {}), CompileError);
  test::use_libdevice();
  EXPECT_NO_THROW(codegen::compile(*module, codegen::nvptx::cuda_target(90), {}));
}

TEST(CompilePtx, knows_which_chips_it_can_serve) {
  EXPECT_THROW(codegen::nvptx::cuda_target(70), CompileError);
  EXPECT_EQ(codegen::nvptx::cuda_target(75).cpu, "sm_75");
  EXPECT_EQ(codegen::nvptx::cuda_target(86).cpu, "sm_86");
  EXPECT_EQ(codegen::nvptx::cuda_target(100).cpu, "sm_90") << "newer drivers compile older PTX";
  EXPECT_EQ(codegen::nvptx::cuda_target(121).cpu, "sm_90");
}

// The optimiser knows that shared arrays are this module's alone; other threads write them, too.
TEST(CompilePtx, reads_memory_again_after_barriers_and_fences) {
  for (const std::string wait : {"barrier", "fence \"block\"", "fence \"device\""}) {
    const std::string ptx = test::text_of(compile(R"(
kernel @k(%out: array<f32, 1, C, global>, %x: f32) {
  %s = shared_array [64] : array<f32, 1, C, shared>
  %t = thread_index 0 : i32
  %i = cast %t : i64
  array_store %s, %i, %x
  array_store %out, %i, %x
  )" + wait + R"(
  %y = array_load %s, %i : f32
  %z = array_load %out, %i : f32
  %sum = add %y, %z : f32
  array_store %out, %i, %sum
  return
}
)"));
    EXPECT_NE(ptx.find("ld.shared.f32"), std::string::npos) << ptx;
    EXPECT_NE(ptx.find("ld.global.f32"), std::string::npos) << ptx;
  }
}

TEST(CompilePtx, is_the_same_text_every_time) {
  EXPECT_EQ(compile(empty_kernel).code, compile(empty_kernel).code);
}

// The inputs of the golden tests, through ptxas for the oldest and the newest chip.
TEST(CompilePtx, golden_kernels_assemble) {
  if (test::ptxas_path().empty())
    GTEST_SKIP() << "ptxas is not installed";
  test::use_libdevice();
  const std::filesystem::path folder = std::filesystem::path(PHX_SOURCE_DIR) / "tests/golden/nvptx";
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream file(entry.path());
    std::stringstream text;
    text << file.rdbuf();
    const std::string all = text.str();
    const auto module = ir::parse(all.substr(0, all.find("----\n")));
    passes::place_shared_arrays(*module);
    for (const unsigned capability : {75U, 90U}) {
      for (const codegen::Options& options :
           {codegen::Options{},
            codegen::Options{.contract = false, .debug = true, .optimization = 0},
            codegen::Options{.fastmath = FastMath::all(), .lineinfo = true}}) {
        const Target target = codegen::nvptx::cuda_target(capability);
        const Binary binary = codegen::compile(*module, target, options);
        const test::Assembly assembly = test::assemble(test::text_of(binary), target.cpu);
        EXPECT_TRUE(assembly.succeeded) << entry.path() << "\n" << assembly.messages;
        ++count;
      }
    }
  }
  EXPECT_GE(count, 12 * 6);
}

}  // namespace
}  // namespace phalanx
