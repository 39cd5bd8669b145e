// Prices of a million European options by the formula of Black and Scholes (1973), written as array
// expressions: both prices come out of one kernel.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <span>
#include <vector>

#include "phalanx/arrays/operations.h"
#include "phalanx/jit/context.h"

using namespace phalanx;
using arrays::Array;

constexpr std::int64_t count = 1'000'000;
constexpr double rate = 0.02;
constexpr double volatility = 0.3;

struct Prices {
  Array call;
  Array put;
};

// The distribution function of the normal distribution, to 7.5e-8: Abramowitz and Stegun, Handbook
// of Mathematical Functions (1964), formula 26.2.17.
Array normal(const Array& x) {
  const Array k = 1 / (1 + 0.2316419 * arrays::abs(x));
  const Array polynomial =
      k *
      (0.319381530 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
  const Array tail = 0.3989422804014327 * arrays::exp(-0.5 * x * x) * polynomial;
  return arrays::where(x < 0, tail, 1 - tail);
}

Prices prices(const Array& spot, const Array& strike, const Array& years) {
  const Array deviation = volatility * arrays::sqrt(years);
  const Array d1 =
      (arrays::log(spot / strike) + (rate + 0.5 * volatility * volatility) * years) / deviation;
  const Array d2 = d1 - deviation;
  const Array discounted = strike * arrays::exp(-rate * years);
  const Array call = spot * normal(d1) - discounted * normal(d2);
  return {call, call + discounted - spot};
}

double expected_call(double spot, double strike, double years) {
  const auto normal = [](double x) { return 0.5 * std::erfc(-x * std::sqrt(0.5)); };
  const double deviation = volatility * std::sqrt(years);
  const double d1 =
      (std::log(spot / strike) + (rate + 0.5 * volatility * volatility) * years) / deviation;
  return spot * normal(d1) - strike * std::exp(-rate * years) * normal(d1 - deviation);
}

bool check(arrays::Graph& graph) {
  const Array number = arrays::arange(graph, count);
  const Prices found = prices(80 + number * 4e-5, 100 + number * 0.0, 0.25 + number * 1e-6);
  const std::uint64_t before = graph.statistics().kernels;
  const auto calls = arrays::to_host<double>(found.call);
  const auto puts = arrays::to_host<double>(found.put);
  const std::uint64_t kernels = graph.statistics().kernels - before;
  std::int64_t wrong = 0;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const auto x = static_cast<double>(i);
    const double spot = 80 + x * 4e-5;
    const double years = 0.25 + x * 1e-6;
    const double call = expected_call(spot, 100, years);
    const double put = call + 100 * std::exp(-rate * years) - spot;
    if (std::abs(calls[i] - call) > 5e-5 || std::abs(puts[i] - put) > 5e-5)
      ++wrong;
  }
  std::printf(
      "prices of %d options on %s: %d wrong, %d kernel\n",
      static_cast<int>(count),
      jit::current_device(graph.engine()).name().c_str(),
      static_cast<int>(wrong),
      static_cast<int>(kernels));
  return wrong == 0 && kernels == 1;
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
  return is_right ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return EXIT_FAILURE;
}
