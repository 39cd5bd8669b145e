// One kernel for one tuple of parameter types: finds, compiles and keeps its machine code for each
// device and, on the CPU, for each kind of block shape.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "phalanx/base/export.h"
#include "phalanx/base/source.h"
#include "phalanx/codegen/codegen.h"
#include "phalanx/ir/abi.h"
#include "phalanx/ir/ir.h"
#include "phalanx/jit/engine.h"
#include "phalanx/jit/statistics.h"
#include "phalanx/runtime/device.h"

namespace phalanx::jit {

struct KernelDescription {
  std::string name;             // as the user wrote it
  SourceLine location = {};     // its first line, for messages
  std::vector<std::byte> key;   // everything that decides the IR: source, captured values, types
  std::vector<ir::Type> types;  // of the parameters
  codegen::Options options;
  bool use_cache = true;
  unsigned lanes = 0;        // CPU: threads in a vector; 0: chosen by block shape
  bool is_function = false;  // a CPU function: it takes a pointer to its result after `types`
};

// The CPU variant that suits a block; `lanes` other than 0 fixes the vector's width.
codegen::CpuVariant choose_variant(const runtime::Dim3& block, unsigned lanes = 0);
// The same for a kernel that needs warps of 32.
codegen::CpuVariant with_full_warps(codegen::CpuVariant variant);

// Code that the kernel calls, for the driver's linker.
struct LinkedCode {
  runtime::LinkInput::Kind kind = runtime::LinkInput::Kind::ptx;
  std::string name;
  std::vector<std::byte> bytes;
};

// Where that code comes from.
struct Linker {
  std::vector<std::byte> identity = {};  // decides the code: part of the cache's key
  // Gives it for a GPU of that compute capability, 0 for the CPU; called as Kernel::Produce is.
  // Null: nothing is linked.
  std::function<std::vector<LinkedCode>(unsigned compute_capability)> code = nullptr;
};

class PHX_API Kernel {
 public:
  // Makes the IR. Called at most once, when neither memory nor disk has what is requested, and
  // without any lock that another thread could hold while it waits for this one's.
  using Produce = std::function<std::shared_ptr<ir::Module>()>;

  // Told of code that was loaded on a GPU; what it gives back lives until just before that goes.
  using OnLoad = std::function<std::shared_ptr<void>(runtime::Executable& loaded)>;

  Kernel(
      Engine& engine,
      KernelDescription description,
      Produce produce,
      Linker linker = {},
      OnLoad on_load = nullptr);

  const std::string& name() const { return description_.name; }
  const SourceLine& location() const { return description_.location; }
  const std::vector<ir::Type>& types() const { return description_.types; }
  const ir::ParameterLayout& layout() const { return layout_; }
  bool is_function() const { return description_.is_function; }
  const codegen::Options& options() const { return description_.options; }
  const Statistics& statistics() const { return statistics_; }
  Engine& engine() { return *engine_; }

  // Thread-safe; what several threads ask for at once is compiled once.
  std::shared_ptr<runtime::Executable> executable(
      runtime::Device& device, const runtime::Dim3& block, const runtime::Dim3& grid = {});

  // What executable() would find in memory; null where it would compile, or wait for a thread that
  // does.
  std::shared_ptr<runtime::Executable> loaded(
      runtime::Device& device, const runtime::Dim3& block, const runtime::Dim3& grid = {});

  std::shared_ptr<const ir::Module> module();  // after the standard passes
  // Where its code is in the disk cache: everything that decides the code.
  Digest cache_key(const Target& target, const codegen::CpuVariant& variant, unsigned axes) const;
  std::string ptx(unsigned compute_capability);
  std::string llvm_text(runtime::Device& device, bool optimized);
  std::string assembly(runtime::Device& device);  // x86 for the CPU device, PTX for GPUs

 private:
  struct Loaded {
    runtime::Device* device;
    codegen::CpuVariant requested;       // without the block's extents
    unsigned axes;                       // Request's
    std::array<std::uint32_t, 3> block;  // Binary's
    std::shared_ptr<runtime::Executable> executable;
  };

  // What a launch asks for; `extents` are 0 where any block will do.
  struct Request {
    codegen::CpuVariant variant;
    std::array<std::uint32_t, 3> extents = {};
    unsigned axes = 0;  // with threads enough for the lanes: bit d for dimension d
  };

  Request request_of(
      const runtime::Device& device, const runtime::Dim3& block, const runtime::Dim3& grid) const;
  std::shared_ptr<runtime::Executable> loaded_locked(
      const runtime::Device& device, const Request& requested) const;
  const ir::Module& module_locked();
  std::vector<ir::Type> passed_types() const;
  void check_parameters(const ir::Module& module) const;
  void tell(const std::vector<Warning>& warnings);
  Binary binary_locked(
      runtime::Device& device, const codegen::CpuVariant& requested, unsigned axes);
  Binary compile_locked(
      runtime::Device& device,
      const Target& target,
      const codegen::CpuVariant& requested,
      unsigned axes);
  codegen::CpuVariant suited(
      const ir::Module& module, const codegen::CpuVariant& requested, unsigned axes) const;
  LoadedKernel load_on_cpu(const Binary& binary);
  std::shared_ptr<runtime::Executable> load_locked(runtime::Device& device, Binary binary);

  Engine* engine_;
  KernelDescription description_;
  ir::ParameterLayout layout_;
  Produce produce_;
  Linker linker_;
  OnLoad on_load_;
  Statistics statistics_;
  std::mutex mutex_;
  std::shared_ptr<ir::Module> module_;
  std::vector<Warning> warnings_;  // of the module
  bool has_told_ = false;          // them: once, wherever the code comes from
  std::vector<Loaded> loaded_;
};

}  // namespace phalanx::jit
