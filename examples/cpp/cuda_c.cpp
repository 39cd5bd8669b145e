// CUDA C: a template and a counter, compiled from text, on the CPU device and on a GPU where there
// is one. Errors have the lines of the text.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <span>
#include <vector>

#include "phalanx/frontend/cuda_c.h"
#include "phalanx/jit/from_cpp.h"

using namespace phalanx;

constexpr const char* source = R"(
__device__ int counter;

template <typename T>
__global__ void scale(T* values, T factor, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    values[i] *= factor;
    atomicAdd(&counter, 1);
  }
}
)";

// The parameters as the kernel gets them: as C has them, one after another (phalanx/ir/abi.h).
struct Parameters {
  runtime::Address values;
  double factor;
  std::int32_t count;
};

bool check(jit::Module& module, runtime::Device& device) {
  constexpr std::int32_t count = 1'000'000;
  std::vector<double> values(count);
  for (std::int32_t i = 0; i < count; ++i) values[static_cast<std::size_t>(i)] = i;
  const std::size_t bytes = values.size() * sizeof(double);
  runtime::Stream& stream = *device.default_stream();
  const runtime::Buffer there = device.allocate(bytes);
  device.copy_to_device(there.address(), values.data(), bytes, stream);

  jit::Kernel& scale = *module.kernel("scale<double>");
  const Parameters parameters = {there.address(), 1.5, count};
  const runtime::LaunchConfig config{.grid = {(count + 255) / 256}, .block = {256}};
  const auto executable = scale.executable(device, config.block, config.grid);
  const auto packed = std::as_bytes(std::span(&parameters, 1)).first(scale.layout().bytes);
  device.launch(*executable, config, packed, stream);

  std::int32_t counted = 0;
  const runtime::GlobalMemory counter = module.global(device, "counter");
  device.copy_to_host(&counted, counter.address, counter.bytes, stream);
  device.copy_to_host(values.data(), there.address(), bytes, stream);
  stream.synchronize();
  int wrong = 0;
  for (std::int32_t i = 0; i < count; ++i) wrong += values[static_cast<std::size_t>(i)] != i * 1.5;
  std::printf(
      "%d numbers scaled on %s: %d wrong, %d counted\n",
      count,
      device.name().c_str(),
      wrong,
      counted);
  return wrong == 0 && counted == count;
}

int main() try {
  const frontend::CudaCCompiler compiler;
  const frontend::CudaCSource scaling = {
      .name = "scale.cu", .text = source, .kernels = {"scale<double>"}};
  const frontend::CudaCResult made = compiler.compile(scaling);
  if (!made.has_module) {
    std::fputs(made.log.c_str(), stderr);
    return EXIT_FAILURE;
  }
  jit::Engine engine;
  const auto module = jit::make_module(engine, frontend::module_of(scaling, made));
  bool is_right = check(*module, engine.runtime().cpu());
  if (engine.runtime().cuda_device_count() > 0)
    is_right = check(*module, engine.runtime().cuda(0)) && is_right;

  const frontend::CudaCResult refused = compiler.compile(
      {.name = "wrong.cu", .text = "__global__ void wrong(float* a) {\n  a[0]=factr;\n}\n"});
  std::printf("%s\n", refused.log.substr(0, refused.log.find('\n')).c_str());
  return is_right && !refused.has_module ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return EXIT_FAILURE;
}
