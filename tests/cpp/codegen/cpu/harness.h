// Compiles IR text for the CPU and runs it: what the tests of this folder share.
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "phalanx/base/cpu_kernel.h"
#include "phalanx/codegen/codegen.h"
#include "phalanx/codegen/cpu/backend.h"
#include "phalanx/ir/parser.h"
#include "phalanx/jit/cpu_loader.h"
#include "phalanx/passes/pipeline.h"

namespace phalanx::test {

struct Extent {
  unsigned x = 1;
  unsigned y = 1;
  unsigned z = 1;
};

// Arguments in the order and the alignment of ir/abi.h.
class Arguments {
 public:
  template <typename T>
  Arguments& add(T value) {
    bytes_.resize((bytes_.size() + alignof(T) - 1) / alignof(T) * alignof(T));
    const auto at = bytes_.size();
    bytes_.resize(at + sizeof(T));
    std::memcpy(bytes_.data() + at, &value, sizeof(T));
    return *this;
  }
  // A contiguous view.
  template <typename T>
  Arguments& array(std::vector<T>& data, std::vector<std::int64_t> shape = {}) {
    add(data.data());
    if (shape.empty())
      shape = {static_cast<std::int64_t>(data.size())};
    for (const std::int64_t extent : shape) add(extent);
    return *this;
  }
  const std::byte* data() const { return bytes_.data(); }

 private:
  std::vector<std::byte> bytes_;
};

class Compiled {
 public:
  Compiled(
      const std::string& text,
      const codegen::CpuVariant& variant,
      const codegen::Options& options = {},
      bool runs_passes = true,
      const Target& target = codegen::cpu::host_target());

  void run(Extent grid, Extent block, const Arguments& arguments, unsigned dynamic_bytes = 0);

  const Binary& binary() const { return binary_; }
  ErrorLog errors;
  std::uint32_t non_temporal_kib = 0;  // CpuLaunch's

 private:
  Binary binary_;
  jit::CpuLoader loader_;
  jit::LoadedKernel kernel_;
};

std::unique_ptr<ir::Module> prepared(const std::string& text);

// The shape class that a block belongs to.
codegen::BlockShape shape_of(Extent block, unsigned lanes);

// What kernels printed since the last call.
std::vector<std::string> take_printed();

}  // namespace phalanx::test
