// np.hypot of a column and a row of numbers, broadcast as NumPy does it, and the greatest of each
// row: kernels of NumPy's functions, with no code for threads.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/infer/ufuncs.h"
#include "phalanx/ir/builder.h"
#include "phalanx/jit/context.h"
#include "phalanx/jit/dispatch.h"
#include "phalanx/jit/from_cpp.h"
#include "phalanx/numpy/broadcast.h"
#include "phalanx/numpy/elementwise_kernel.h"
#include "phalanx/numpy/promotion.h"
#include "phalanx/numpy/reduction_kernel.h"
#include "phalanx/numpy/ufuncs.h"

using namespace phalanx;
using numpy::Value;
using numpy::Values;

constexpr std::uint32_t threads = 256;  // of a block
constexpr std::int64_t rows = 500;
constexpr std::int64_t columns = 1000;

template <typename Emit>
std::shared_ptr<ir::Module> make_module(
    const char* name, const std::vector<ir::Type>& types, const Emit& emit) {
  auto module = std::make_shared<ir::Module>();
  std::vector<ir::Parameter> parameters;
  for (const ir::Type& type : types) parameters.push_back({"", type});
  ir::Builder builder(
      ir::add_function(*module, name, ir::FunctionKind::kernel, std::move(parameters)));
  emit(builder);
  builder.return_();
  return module;
}

// kernel hypot(x, y, out): out[i, j] = np.hypot(x[i, j], y[i, j])
std::shared_ptr<ir::Module> make_hypot(const std::vector<ir::Type>& types) {
  const infer::Ufunc& hypot = *infer::find_ufunc("hypot");
  const std::array<numpy::Operand, 2> operands = {
      {{.dtype = types[0].element().dtype()}, {.dtype = types[1].element().dtype()}}};
  const auto loop = numpy::resolve(hypot, operands);
  if (!loop)
    throw TypeError("hypot has no loop for these types");
  const numpy::ElementBody body = [&](ir::Builder& builder, const Values& inputs) -> Values {
    Values cast;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      cast.push_back(builder.cast(inputs[i], loop->operands.at(i)));
    return {numpy::ufunc(builder, hypot, *loop, cast).value()};
  };
  return make_module("hypot", types, [&](ir::Builder& builder) {
    numpy::emit_elementwise(builder, numpy::Traversal::rows, 2, body);
  });
}

// kernel row_maxima(values, out): out[i] = values[i, :].max()
std::shared_ptr<ir::Module> make_row_maxima(const std::vector<ir::Type>& types) {
  const numpy::Fold maximum = {
      .state = types[0].element(),
      .first = [](ir::Builder&, Value element) { return element; },
      .join = [](ir::Builder& builder,
                 Value left,
                 Value right) { return builder.elementwise(ir::Op::maximum, {left, right}); },
      .element = [](ir::Builder&, Value state) { return state; }};
  return make_module("row_maxima", types, [&](ir::Builder& builder) {
    numpy::emit_row_reduction(builder, maximum);
  });
}

views::HostArray host_array(std::vector<double>& values, const Extents& shape) {
  return {
      .data = values.data(),
      .shape = shape,
      .strides = views::contiguous_strides(shape, sizeof(double), ir::Layout::c),
      .item_bytes = sizeof(double)};
}

class Distances {
 public:
  explicit Distances(jit::Engine& engine)
      : engine_(engine),
        hypot_(dispatch("hypot", make_hypot)),
        row_maxima_(dispatch("row_maxima", make_row_maxima)) {}

  bool check() {
    runtime::Device& device = jit::current_device(engine_);
    runtime::Stream& stream = *device.default_stream();
    std::vector<double> x(rows);
    std::vector<double> y(columns);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i);
    for (std::size_t j = 0; j < y.size(); ++j) y[j] = static_cast<double>((j * 7) % y.size());
    const views::DeviceArray column = allocate(device, {rows, 1});
    const views::DeviceArray row = allocate(device, {columns});
    engine_.copier().from_host(column, host_array(x, column.shape), stream, true);
    engine_.copier().from_host(row, host_array(y, row.shape), stream, true);

    const std::array shapes = {column.shape, row.shape};
    const Extents shape = numpy::broadcast(shapes);
    const views::DeviceArray distances = allocate(device, shape);
    const views::DeviceArray maxima = allocate(device, {shape[0]});
    const auto blocks = [](std::int64_t count) {
      return static_cast<std::uint32_t>((count + threads - 1) / threads);
    };
    launch(
        hypot_,
        {.grid = {blocks(shape[1]), static_cast<std::uint32_t>(shape[0])}, .block = {threads}},
        {jit::argument_of(stretched(column, shape)),
         jit::argument_of(stretched(row, shape)),
         jit::argument_of(distances)});
    launch(
        row_maxima_,
        {.grid = {blocks(shape[0])}, .block = {threads}},
        {jit::argument_of(distances), jit::argument_of(maxima)});
    std::vector<double> found(rows);
    engine_.copier().to_host(maxima, host_array(found, maxima.shape), stream, true);

    bool is_right = true;
    const double greatest = *std::max_element(y.begin(), y.end());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double expected = std::hypot(x[i], greatest);
      is_right = is_right && std::abs(found[i] - expected) <= 1e-15 * expected;
    }
    std::printf(
        "farthest of %d points from each of %d on %s: %s\n",
        static_cast<int>(columns),
        static_cast<int>(rows),
        device.name().c_str(),
        is_right ? "right" : "WRONG");
    return is_right;
  }

 private:
  template <typename Make>
  std::shared_ptr<jit::Dispatch> dispatch(const char* name, Make make) {
    return std::make_shared<jit::Dispatch>(
        [this]() -> jit::Engine& { return engine_; },
        name,
        [this, make](const std::vector<ir::Type>& types) {
          return jit::make_kernel(engine_, make(types), {});
        });
  }
  views::DeviceArray allocate(runtime::Device& device, const Extents& shape) {
    return views::allocate_array(
        engine_.types(), device, nullptr, {.element = DType::float64, .shape = shape});
  }
  // The array in that shape, with strides of 0 where it is stretched.
  views::DeviceArray stretched(const views::DeviceArray& array, const Extents& shape) {
    return views::view_array(
        engine_.types(),
        array,
        shape,
        numpy::stretched_strides(array.shape, array.strides, shape),
        0,
        std::nullopt);
  }
  static void launch(
      const std::shared_ptr<jit::Dispatch>& kernel,
      const runtime::LaunchConfig& config,
      const std::vector<jit::Argument>& arguments) {
    jit::ConfiguredDispatch configured(kernel, config, nullptr);
    const auto ready = configured.prepare(arguments);
    jit::launch(*ready->plan, *ready->executable, ready->site, arguments);
  }

  jit::Engine& engine_;
  std::shared_ptr<jit::Dispatch> hypot_;
  std::shared_ptr<jit::Dispatch> row_maxima_;
};

int main() try {
  jit::Engine engine;
  Distances distances(engine);
  jit::set_current_device(engine.runtime().cpu());
  bool is_right = distances.check();
  if (engine.runtime().cuda_device_count() > 0) {
    jit::set_current_device(engine.runtime().cuda(0));
    is_right = distances.check() && is_right;
  }
  // Shapes that do not fit are refused in NumPy's words.
  try {
    const std::array<Extents, 2> shapes = {{{2, 3}, {4}}};
    numpy::broadcast(shapes);
    is_right = false;
  } catch (const numpy::BroadcastError& error) {
    std::printf("%s\n", error.what());
  }
  return is_right ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return EXIT_FAILURE;
}
