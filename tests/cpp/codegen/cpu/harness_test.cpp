#include "tests/cpp/codegen/cpu/harness.h"

#include <cstdlib>
#include <mutex>

#include <gtest/gtest.h>

#include "phalanx/base/dtype.h"

namespace phalanx::test {

namespace {

std::vector<std::string>& printed() {
  static std::vector<std::string> lines;
  return lines;
}

std::string text_of(const PrintValue& value) {
  const auto dtype = static_cast<DType>(value.dtype);
  if (is_floating(dtype) && size_of(dtype) == 8) {
    double number = 0;
    std::memcpy(&number, value.bits, 8);
    return std::to_string(number);
  }
  if (is_floating(dtype)) {
    float number = 0;
    std::memcpy(&number, value.bits, 4);
    return std::to_string(number);
  }
  if (size_of(dtype) == 4)
    return std::to_string(static_cast<std::int32_t>(value.bits[0]));
  return std::to_string(static_cast<std::int64_t>(value.bits[0]));
}

void print(const char* format, const PrintValue* values, std::uint32_t count) {
  std::string line;
  std::uint32_t next = 0;
  for (const char* at = format; *at != 0; ++at) {
    if (at[0] == '{' && at[1] == '}' && next < count) {
      line += text_of(values[next++]);
      ++at;
    } else {
      line += *at;
    }
  }
  printed().push_back(line);
}

}  // namespace

std::vector<std::string> take_printed() {
  std::vector<std::string> lines;
  lines.swap(printed());
  return lines;
}

std::unique_ptr<ir::Module> prepared(const std::string& text) {
  auto module = ir::parse(text);
  passes::run_standard(*module);
  return module;
}

codegen::BlockShape shape_of(Extent block, unsigned lanes) {
  if (block.y == 1 && block.z == 1)
    return codegen::BlockShape::one_dimensional;
  if (block.x == lanes)
    return codegen::BlockShape::exact_rows;
  if (block.x % lanes == 0)
    return codegen::BlockShape::rows;
  return codegen::BlockShape::general;
}

Compiled::Compiled(
    const std::string& text,
    const codegen::CpuVariant& variant,
    const codegen::Options& options,
    bool runs_passes,
    const Target& target)
    : binary_(codegen::compile(
          runs_passes ? *prepared(text) : *ir::parse(text), target, options, variant)),
      loader_(jit::Symbols()) {
  kernel_ = loader_.load(binary_.code, binary_.entry().symbol);
}

void Compiled::run(Extent grid, Extent block, const Arguments& arguments, unsigned dynamic_bytes) {
  CpuLaunch launch;
  launch.parameters = arguments.data();
  const unsigned grids[] = {grid.x, grid.y, grid.z};
  const unsigned blocks[] = {block.x, block.y, block.z};
  std::copy_n(grids, 3, launch.grid);
  std::copy_n(blocks, 3, launch.block);
  launch.dynamic_shared_bytes = dynamic_bytes;
  launch.errors = &errors;
  launch.non_temporal_kib = non_temporal_kib;
  launch.print = print;
  const std::size_t bytes =
      scratch_bytes(binary_.entry(), std::size_t{block.x} * block.y * block.z, dynamic_bytes) + 64;
  const std::unique_ptr<std::byte, decltype(&std::free)> scratch(
      static_cast<std::byte*>(std::aligned_alloc(64, (bytes + 63) / 64 * 64)), &std::free);
  // Nothing may rely on zeros.
  std::memset(scratch.get(), 0xA5, bytes);
  kernel_.entry(&launch, 0, std::uint64_t{grid.x} * grid.y * grid.z, scratch.get());
}

}  // namespace phalanx::test
