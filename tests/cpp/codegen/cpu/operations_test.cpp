#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "phalanx/ir/build_threads.h"
#include "phalanx/ir/builder.h"
#include "phalanx/ir/printer.h"
#include "tests/cpp/codegen/cpu/harness.h"
#include "tests/cpp/codegen/cpu/levels.h"

namespace phalanx::test {
namespace {

using ir::Op;

constexpr std::int64_t count = 96;

bool takes(const ir::OpInfo& info, DType dtype) {
  constexpr char letters[] = {'b', 'i', 'u', 'f', 'c'};
  return info.kinds.find(letters[static_cast<std::size_t>(kind_of(dtype))]) !=
         std::string_view::npos;
}

// One kernel that applies every operation that the type has: out[k, i] = op_k(x[i], y[i], ...), as
// bytes, so that results of all types fit one array.
class EveryOperation {
 public:
  explicit EveryOperation(DType dtype) : dtype_(dtype) {
    const auto array = [](ir::Type element, unsigned ndim) {
      return ir::Type::array(std::move(element), ndim, ir::Layout::c, ir::Space::global);
    };
    ir::Function& kernel = ir::add_function(
        module_,
        "k",
        ir::FunctionKind::kernel,
        {{"x", array(dtype, 1)}, {"y", array(dtype, 1)}, {"out", array(DType::complex128, 2)}});
    ir::Builder builder(kernel);
    auto* i = builder.cast(ir::thread_query(builder, Op::thread_index, 0), DType::int64);
    auto* x = builder.array_load(builder.parameter(0), {i});
    auto* y = builder.array_load(builder.parameter(1), {i});
    for (std::size_t k = 0; k < ir::op_table.size(); ++k) {
      const ir::OpInfo& info = ir::op_table[k];
      const auto op = static_cast<Op>(k);
      if (!takes(info, dtype))
        continue;
      std::vector<ir::Operation*> operands = {x, y, x};
      operands.resize(static_cast<std::size_t>(info.arity));
      if (op == Op::select)
        operands = {builder.elementwise(Op::equal, {x, y}), x, y};
      if (op == Op::ldexp)
        operands[1] = builder.cast(i, DType::int32);
      if (op == Op::fma)
        operands[2] = y;
      store(builder, op, builder.elementwise(op, operands), i);
    }
    for (std::size_t to = 0; to < dtype_table.size(); ++to)
      store(builder, Op::cast, builder.cast(x, static_cast<DType>(to)), i);
  }

  std::string text() const { return ir::print(module_); }
  const std::vector<std::string>& names() const { return names_; }

 private:
  void store(ir::Builder& builder, Op op, ir::Operation* value, ir::Operation* i) {
    auto* row = builder.integer(static_cast<std::int64_t>(names_.size()));
    names_.push_back(std::string(ir::name_of(op)) + " to " + ir::to_string(value->type));
    builder.array_store(builder.parameter(2), {row, i}, builder.cast(value, DType::complex128));
  }

  DType dtype_;
  ir::Module module_;
  std::vector<std::string> names_;
};

// Small numbers of both signs, as bytes of the type.
std::vector<std::byte> sample(DType dtype, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::byte> bytes(static_cast<std::size_t>(count) * size_of(dtype));
  const auto put = [&](std::size_t at, const void* value, std::size_t size) {
    std::memcpy(bytes.data() + at, value, size);
  };
  for (std::size_t at = 0; at < bytes.size(); at += size_of(real_part_of(dtype))) {
    const int number = static_cast<int>(random() % 13) - 4;
    const double fraction = number * 0.375;
    const auto single = static_cast<float>(fraction);
    std::uint32_t bits = 0;
    std::memcpy(&bits, &single, 4);
    if (is_boolean(dtype)) {
      bytes[at] = static_cast<std::byte>(number & 1);
    } else if (is_integer(dtype)) {
      const std::int64_t wide = number;
      put(at, &wide, size_of(dtype));
    } else if (size_of(real_part_of(dtype)) == 8) {
      put(at, &fraction, 8);
    } else if (size_of(real_part_of(dtype)) == 4) {
      put(at, &single, 4);
    } else if (dtype == DType::bfloat16) {
      put(at, reinterpret_cast<const char*>(&bits) + 2, 2);
    } else {
      const std::uint16_t half =
          number == 0 ? 0
                      : static_cast<std::uint16_t>(
                            ((bits >> 16) & 0x8000) | ((((bits >> 23) & 0xFF) - 112) << 10) |
                            ((bits >> 13) & 0x3FF));
      put(at, &half, 2);
    }
  }
  return bytes;
}

std::vector<std::uint64_t> run(
    const EveryOperation& operations, DType dtype, unsigned lanes, const Target& target) {
  codegen::Options options;
  options.contract = false;
  Compiled kernel(
      operations.text(), {lanes, codegen::BlockShape::one_dimensional}, options, false, target);
  auto x = sample(dtype, 1);
  auto y = sample(dtype, 2);
  std::vector<std::uint64_t> out(operations.names().size() * count * 2, 7);
  Arguments arguments;
  arguments.add(x.data()).add(count).add(y.data()).add(count).add(out.data());
  arguments.add(static_cast<std::int64_t>(operations.names().size())).add(count);
  kernel.run({1}, {static_cast<unsigned>(count)}, arguments);
  return out;
}

// The bits of a NaN are left open by IEEE 754, its sign among them.
bool is_same_number(std::uint64_t a, std::uint64_t b) {
  return a == b || (std::isnan(std::bit_cast<double>(a)) && std::isnan(std::bit_cast<double>(b)));
}

void compare_widths(DType dtype, const Level& level) {
  const EveryOperation operations(dtype);
  const auto expected = run(operations, dtype, 1, level.target);
  const auto actual = run(operations, dtype, 32, level.target);
  for (std::size_t i = 0; i < actual.size(); ++i) {
    ASSERT_PRED2(is_same_number, actual[i], expected[i])
        << operations.names()[i / (2 * count)] << " of " << phalanx::info(dtype).name << " on "
        << level.name << " at " << i / 2 % count;
  }
}

class CpuOperations : public ::testing::TestWithParam<DType> {};

TEST_P(CpuOperations, every_width_gives_the_same_bits) {
  compare_widths(GetParam(), levels().front());
}

// Slow: --gtest_also_run_disabled_tests
TEST_P(CpuOperations, DISABLED_every_width_gives_the_same_bits_on_older_cpus) {
  for (const Level& level : levels()) compare_widths(GetParam(), level);
}

TEST(CpuOperationsOnOlderCpus, every_width_gives_the_same_bits) {
  for (const Level& level : levels()) {
    compare_widths(DType::int32, level);
    compare_widths(DType::bfloat16, level);
  }
}

std::vector<DType> every_dtype() {
  std::vector<DType> dtypes;
  for (std::size_t d = 0; d < dtype_table.size(); ++d) dtypes.push_back(static_cast<DType>(d));
  return dtypes;
}

INSTANTIATE_TEST_SUITE_P(
    DTypes, CpuOperations, ::testing::ValuesIn(every_dtype()), [](const auto& of) {
      return std::string(phalanx::info(of.param).name);
    });

// Its one bfloat16 is a parameter; CPUs without such numbers round it by a function of ours.
TEST(CpuParameters, BFloat16IsStoredOnEveryCpu) {
  for (const Level& level : levels()) {
    Compiled kernel(
        R"(kernel @fill(%value: bf16, %out: array<bf16, 1, C, global>) {
  %t = thread_index 0 : i32
  %i = cast %t : i64
  array_store %out, %i, %value
}
)",
        {8, codegen::BlockShape::one_dimensional},
        {},
        true,
        level.target);
    std::vector<std::uint16_t> out(16);
    Arguments arguments;
    arguments.add(std::uint16_t{0x3FC0}).array(out);
    kernel.run({1}, {16}, arguments);
    for (const std::uint16_t each : out) EXPECT_EQ(each, 0x3FC0) << level.name;
  }
}

}  // namespace
}  // namespace phalanx::test
