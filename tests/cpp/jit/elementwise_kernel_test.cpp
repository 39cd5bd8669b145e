// Kernels that are made of a callback for an element, compiled and run.
#include "phalanx/numpy/elementwise_kernel.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "phalanx/ir/builder.h"
#include "phalanx/jit/from_cpp.h"
#include "phalanx/jit/launch.h"
#include "phalanx/jit/plan.h"
#include "phalanx/numpy/reduction_kernel.h"

namespace phalanx::jit {
namespace {

using ir::Op;
using numpy::Traversal;
using numpy::Value;
using numpy::Values;

constexpr std::uint32_t block = 32;

ir::Type array_type(DType element, unsigned ndim, ir::Layout layout) {
  return ir::Type::array(element, ndim, layout, ir::Space::global);
}

template <typename Emit>
std::shared_ptr<ir::Module> make_module(const std::vector<ir::Type>& types, const Emit& emit) {
  auto module = std::make_shared<ir::Module>();
  std::vector<ir::Parameter> parameters;
  for (const ir::Type& type : types)
    parameters.push_back({"p" + std::to_string(parameters.size()), type});
  ir::Builder builder(
      ir::add_function(*module, "k", ir::FunctionKind::kernel, std::move(parameters)));
  emit(builder);
  builder.return_();
  return module;
}

class ElementwiseKernel : public ::testing::Test {
 protected:
  ElementwiseKernel() : engine(CacheOptions{.enabled = false}) {}

  runtime::Device& device() { return engine.runtime().cpu(); }

  // An array of 0, 1, 2, ... in the order of its memory.
  template <typename Number>
  views::DeviceArray counted(std::vector<std::int64_t> shape) {
    views::DeviceArray array = views::allocate_array(
        engine.types(), device(), nullptr, {.element = dtype_of<Number>(), .shape = shape});
    const auto count =
        std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
    std::iota(data<Number>(array), data<Number>(array) + count, Number{0});
    return array;
  }

  template <typename Number>
  static Number* data(const views::DeviceArray& array) {
    return static_cast<Number*>(array.host);
  }

  void run(
      std::shared_ptr<ir::Module> module,
      const std::vector<Argument>& arguments,
      const runtime::LaunchConfig& config) {
    const auto kernel = make_kernel(engine, std::move(module));
    std::vector<ir::TypeKey> keys;
    for (const Argument& argument : arguments) keys.push_back(argument.key);
    const Plan plan(keys, kernel);
    const LaunchSite site = {
        .config = config, .device = &device(), .stream = device().default_stream()};
    const auto executable = kernel->executable(device(), config.block, config.grid);
    launch(plan, *executable, site, arguments);
    site.stream->synchronize();
  }

  Engine engine;
};

// Two outputs of two inputs: the sum of an array's element and a number, and twice the element,
// which is cast to the type of its output.
Values sum_and_twice(ir::Builder& builder, const Values& inputs) {
  Values made = {builder.elementwise(Op::add, {inputs[0], inputs[1]})};
  made.push_back(builder.elementwise(Op::add, {inputs[0], inputs[0]}));
  return made;
}

TEST_F(ElementwiseKernel, FlatTakesArraysOfAnyDimensionsAsOne) {
  const auto module = make_module(
      {array_type(DType::float64, 2, ir::Layout::c),
       DType::float64,
       array_type(DType::float64, 2, ir::Layout::c),
       array_type(DType::int32, 2, ir::Layout::c)},
      [](ir::Builder& builder) {
        numpy::emit_elementwise(builder, Traversal::flat, 2, sum_and_twice);
      });
  const auto in = counted<double>({5, 9});
  const auto sums = counted<double>({5, 9});
  const auto twice = counted<std::int32_t>({5, 9});
  run(module,
      {argument_of(in), argument_of(0.5), argument_of(sums), argument_of(twice)},
      {.grid = {2}, .block = {block}});
  for (int i = 0; i < 45; ++i) {
    EXPECT_EQ(data<double>(sums)[i], i + 0.5);
    EXPECT_EQ(data<std::int32_t>(twice)[i], 2 * i);
  }
}

// out[...] = in.T[...] + 1, whose innermost dimension is the longest.
class ElementwiseTraversals : public ElementwiseKernel,
                              public ::testing::WithParamInterface<Traversal> {};

TEST_P(ElementwiseTraversals, TakeStridedArrays) {
  const Traversal traversal = GetParam();
  const auto type = array_type(DType::int64, 3, ir::Layout::any);
  const auto module = make_module({type, type}, [&](ir::Builder& builder) {
    numpy::emit_elementwise(
        builder, traversal, 1, [](ir::Builder& inside, const Values& inputs) -> Values {
          return {inside.elementwise(Op::add, {inputs[0], inside.integer(1)})};
        });
  });
  const std::vector<std::int64_t> shape = {3, 4, 50};
  const auto in = counted<std::int64_t>({50, 4, 3});
  const auto out = counted<std::int64_t>({3, 4, 100});
  const auto view = [&](const views::DeviceArray& array, std::vector<std::int64_t> strides) {
    return views::view_array(engine.types(), array, shape, std::move(strides), 0, std::nullopt);
  };
  const auto turned = view(in, {8, 24, 96});
  const auto target = view(out, {3200, 800, 16});
  // Fewer rows of blocks than there are rows.
  const runtime::Dim3 grid =
      traversal == Traversal::rows ? runtime::Dim3{2, 5, 1} : runtime::Dim3{19, 1, 1};
  run(module, {argument_of(turned), argument_of(target)}, {.grid = grid, .block = {block}});
  for (std::int64_t i = 0; i < 3; ++i) {
    for (std::int64_t j = 0; j < 4; ++j) {
      for (std::int64_t k = 0; k < 50; ++k)
        ASSERT_EQ(data<std::int64_t>(out)[(i * 4 + j) * 100 + 2 * k], k * 12 + j * 3 + i + 1);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, ElementwiseTraversals, ::testing::Values(Traversal::rows, Traversal::items));

// A sum in a wider type than that of the elements.
TEST_F(ElementwiseKernel, ReductionsKeepWhatTheirFoldSays) {
  const ir::Type wide = DType::int64;
  const numpy::Fold fold = {
      .state = wide,
      .first = [](ir::Builder& builder, Value x) { return builder.cast(x, DType::int64); },
      .join =
          [](ir::Builder& builder, Value a, Value b) {
            const Value left = builder.cast(a, DType::int64);
            return builder.elementwise(Op::add, {left, builder.cast(b, DType::int64)});
          },
      .element = [](ir::Builder&, Value state) { return state; }};
  const auto module = make_module(
      {array_type(DType::int32, 1, ir::Layout::c),
       DType::int64,
       DType::int64,
       array_type(DType::int64, 1, ir::Layout::c),
       DType::int64,
       DType::boolean},
      [&](ir::Builder& builder) { numpy::emit_reduction(builder, fold); });
  const runtime::LaunchConfig config = {
      .grid = {1}, .block = {static_cast<std::uint32_t>(numpy::reduction_block)}};
  for (const std::int64_t count : {1L, 100L, 2048L, 100'000L}) {
    const auto in = counted<std::int32_t>({count});
    const auto out = counted<std::int64_t>({1});
    run(module,
        {argument_of(in),
         argument_of(count),
         argument_of(numpy::reduction_tile),
         argument_of(out),
         argument_of(std::int64_t{7}),
         argument_of(true)},
        config);
    EXPECT_EQ(data<std::int64_t>(out)[0], count * (count - 1) / 2 + 7) << count;
  }
}

// Sums of squares, halved at the end: neither is what the other's twice would give.
numpy::Fold half_of_squares() {
  return {
      .state = DType::int64,
      .first =
          [](ir::Builder& builder, Value x) {
            const Value wide = builder.cast(x, DType::int64);
            return builder.elementwise(Op::multiply, {wide, wide});
          },
      .join = [](ir::Builder& builder,
                 Value a,
                 Value b) { return builder.elementwise(Op::add, {a, b}); },
      .element =
          [](ir::Builder& builder, Value state) {
            const Value half = builder.elementwise(Op::floor_divide, {state, builder.integer(2)});
            return builder.cast(half, DType::int32);
          }};
}

TEST_F(ElementwiseKernel, EachElementIsAStateFirstAndTheWholeAnElementLast) {
  const auto module = make_module(
      {array_type(DType::int16, 1, ir::Layout::c),
       DType::int64,
       DType::int64,
       array_type(DType::int32, 1, ir::Layout::c),
       DType::int64,
       DType::boolean},
      [](ir::Builder& builder) { numpy::emit_reduction(builder, half_of_squares()); });
  const runtime::LaunchConfig config = {
      .grid = {1}, .block = {static_cast<std::uint32_t>(numpy::reduction_block)}};
  for (const bool is_last : {true, false}) {
    for (const std::int64_t count : {1L, 100L, 700L, 2100L}) {
      const auto in = counted<std::int16_t>({count});
      const auto out = counted<std::int32_t>({1});
      run(module,
          {argument_of(in),
           argument_of(count),
           argument_of(numpy::reduction_tile),
           argument_of(out),
           argument_of(std::int64_t{9}),
           argument_of(is_last)},
          config);
      const std::int64_t squares = (count - 1) * count * (2 * count - 1) / 6;
      const auto half = static_cast<std::int32_t>((squares + (is_last ? 9 : 0)) / 2);
      EXPECT_EQ(data<std::int32_t>(out)[0], half) << count;
    }
  }
}

TEST_F(ElementwiseKernel, RowReductionsMakeEachElementAState) {
  const auto module = make_module(
      {array_type(DType::int16, 2, ir::Layout::c), array_type(DType::int32, 1, ir::Layout::c)},
      [](ir::Builder& builder) { numpy::emit_row_reduction(builder, half_of_squares()); });
  const auto in = counted<std::int16_t>({2, 3});
  const auto out = counted<std::int32_t>({2});
  run(module, {argument_of(in), argument_of(out)}, {.grid = {1}, .block = {block}});
  EXPECT_EQ(data<std::int32_t>(out)[0], (0 + 1 + 4) / 2);
  EXPECT_EQ(data<std::int32_t>(out)[1], (9 + 16 + 25) / 2);
}

#ifndef NDEBUG
TEST(ReductionKernel, AKernelOfOtherParametersIsRefused) {
  const std::vector<ir::Type> types = {array_type(DType::int16, 1, ir::Layout::c), DType::int64};
  EXPECT_DEATH(
      make_module(
          types, [](ir::Builder& builder) { numpy::emit_reduction(builder, half_of_squares()); }),
      "reduction_parameters");
}
#endif

// A shape of no dimensions has one item.
TEST_P(ElementwiseTraversals, TakeArraysOfNoDimensions) {
  const auto type = array_type(DType::int64, 0, ir::Layout::any);
  const auto module = make_module({type, type}, [&](ir::Builder& builder) {
    numpy::emit_elementwise(
        builder, GetParam(), 1, [](ir::Builder& inside, const Values& inputs) -> Values {
          return {inside.elementwise(Op::add, {inputs[0], inside.integer(5)})};
        });
  });
  const auto in = counted<std::int64_t>({2});
  const auto out = counted<std::int64_t>({2});
  const auto number = [&](const views::DeviceArray& array) {
    return views::view_array(engine.types(), array, {}, {}, 8, std::nullopt);
  };
  const auto source = number(in);
  const auto target = number(out);
  run(module, {argument_of(source), argument_of(target)}, {.grid = {1}, .block = {block}});
  EXPECT_EQ(data<std::int64_t>(out)[0], 0);
  EXPECT_EQ(data<std::int64_t>(out)[1], 6);
}

TEST_F(ElementwiseKernel, RowReductionsGoAlongTheSecondDimension) {
  const numpy::Fold fold = {
      .state = DType::float32,
      .first = [](ir::Builder&, Value x) { return x; },
      .join = [](ir::Builder& builder,
                 Value a,
                 Value b) { return builder.elementwise(Op::maximum, {a, b}); },
      .element = [](ir::Builder&, Value state) { return state; }};
  const auto module = make_module(
      {array_type(DType::float32, 2, ir::Layout::c), array_type(DType::float32, 1, ir::Layout::c)},
      [&](ir::Builder& builder) { numpy::emit_row_reduction(builder, fold); });
  const auto in = counted<float>({40, 7});
  const auto out = counted<float>({40});
  run(module, {argument_of(in), argument_of(out)}, {.grid = {2}, .block = {block}});
  for (int i = 0; i < 40; ++i) EXPECT_EQ(data<float>(out)[i], static_cast<float>(7 * i + 6));
}

}  // namespace
}  // namespace phalanx::jit
