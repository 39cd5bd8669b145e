// Diffusion of heat on a plate by explicit steps: slices are views, and an assignment to one reads
// all before it writes, as in NumPy.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <span>
#include <vector>

#include "phalanx/arrays/operations.h"
#include "phalanx/base/errors.h"
#include "phalanx/jit/context.h"

using namespace phalanx;
using arrays::Array;
using arrays::slice;

constexpr std::int64_t side = 200;
constexpr int steps = 50;

// The part of the plate that begins at that row and column.
Array part(const Array& plate, std::int64_t row, std::int64_t column) {
  return slice(slice(plate, 0, row, row + side - 2), 1, column, column + side - 2);
}

void step(const Array& plate) {
  Array inner = part(plate, 1, 1);
  const Array around =
      part(plate, 0, 1) + part(plate, 2, 1) + part(plate, 1, 0) + part(plate, 1, 2);
  inner.assign((inner + 0.2 * (around - 4 * inner)).value());
}

void step(std::vector<double>& plate) {
  const std::vector<double> old = plate;
  constexpr auto width = static_cast<std::size_t>(side);
  for (std::size_t i = 1; i + 1 < width; ++i) {
    for (std::size_t j = 1; j + 1 < width; ++j) {
      const std::size_t at = i * width + j;
      const double around = old[at - width] + old[at + width] + old[at - 1] + old[at + 1];
      plate[at] = old[at] + 0.2 * (around - 4 * old[at]);
    }
  }
}

bool check(arrays::Graph& graph) {
  std::vector<double> expected(side * side);
  for (std::size_t i = 0; i < side; ++i) expected[i] = 100;
  const Array plate = arrays::from_host(graph, {side, side}, std::span<const double>(expected));
  for (int i = 0; i < steps; ++i) {
    step(plate);
    step(expected);
  }
  double greatest = 0;
  const std::vector<double> found = arrays::to_host<double>(plate);
  for (std::size_t i = 0; i < found.size(); ++i)
    greatest = std::max(greatest, std::abs(found[i] - expected[i]));
  const double heat = arrays::item<double>(arrays::sum(plate));
  std::printf(
      "heat after %d steps on %s: %.3f, %s\n",
      steps,
      jit::current_device(graph.engine()).name().c_str(),
      heat,
      greatest < 1e-9 ? "right" : "WRONG");
  return greatest < 1e-9;
}

int main() try {
  jit::Engine engine;
  arrays::Graph graph(engine);
  jit::set_current_device(engine.runtime().cpu());
  bool is_right = check(graph);
  if (engine.runtime().cuda_device_count() > 0) {
    jit::set_current_device(engine.runtime().cuda(0));
    is_right = check(graph) && is_right;
  }
  // What NumPy refuses is refused where it is written.
  try {
    arrays::arange(graph, 3) + arrays::arange(graph, 4);
    is_right = false;
  } catch (const ShapeError& error) {
    std::printf("%s\n", error.what());
  }
  return is_right ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return EXIT_FAILURE;
}
