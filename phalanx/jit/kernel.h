// One kernel for one tuple of parameter types: finds, compiles and keeps its machine code for each
// device and, on the CPU, for each kind of block shape.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
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
#include "phalanx/jit/code_table.h"
#include "phalanx/jit/engine.h"
#include "phalanx/jit/pending.h"
#include "phalanx/jit/statistics.h"
#include "phalanx/runtime/device.h"

namespace phalanx::jit {

class ModuleImage;

struct KernelDescription {
  std::string name;             // as the user wrote it
  SourceLine location = {};     // its first line, for messages
  std::vector<std::byte> key;   // everything that decides the IR: source, captured values, types
  std::vector<ir::Type> types;  // of the parameters
  codegen::Options options;
  bool use_cache = true;
  unsigned lanes = 0;        // CPU: threads in a vector; 0: chosen by block shape
  bool is_function = false;  // a CPU function: it takes a pointer to its result after `types`
  bool has_bounds = false;   // it takes the bounds of its pointers after `types`: ir::bounds_type
  // Makes the code for GPUs in the place of the engine's compiler. `key` tells what it makes.
  std::function<Binary(const ir::Module& module, const Target& target)> gpu_code = nullptr;
  // Of the module that it belongs to, with its other kernels and their globals; null: it is alone.
  std::shared_ptr<ModuleImage> image = nullptr;
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
  // Gives it for a GPU of that compute capability; called as Kernel::Produce is.
  // Null: nothing is linked.
  std::function<std::vector<LinkedCode>(unsigned compute_capability)> code = nullptr;
};

// When code that was left to the background can be expected.
enum class Coming : std::uint8_t { soon, failed, never };  // never: the system has no thread for it

class PHX_API Kernel : public std::enable_shared_from_this<Kernel> {
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

  // The same code where it is in memory or on disk. Otherwise it is compiled in background, and
  // this gives a substitute that runs the launch: the given one, else, on the CPU device, code for
  // blocks of any size. Compiles like executable() where there can be no substitute. An error of
  // the background is thrown once; from then on the substitute stays.
  std::shared_ptr<runtime::Executable> ready(
      runtime::Device& device,
      const runtime::Dim3& block,
      const runtime::Dim3& grid = {},
      const std::shared_ptr<runtime::Executable>& substitute = nullptr);
  // What executable() gives where that takes no compiler: in memory, shipped or on disk. Null where
  // it does, also while another thread compiles. For kernels without linked code and OnLoad.
  std::shared_ptr<runtime::Executable> at_hand(
      runtime::Device& device, const runtime::Dim3& block, const runtime::Dim3& grid = {});
  // Has executable()'s code compiled in background, all of it: making the IR must need no caller's
  // thread. Once for all that ask. Where that fails, `on_failure` is told why there, and it is not
  // tried again in background.
  Coming compile_in_background(
      runtime::Device& device,
      const runtime::Dim3& block,
      const runtime::Dim3& grid,
      std::function<void(const std::string& reason)> on_failure);
  // Another number after ready() has something better, or an error, for a launch with a substitute.
  std::uint64_t changes() const { return codes_.changes(); }

  std::shared_ptr<const ir::Module> module();  // after the standard passes
  // Where its code is in the disk cache: everything that decides the code.
  Digest cache_key(const Target& target, const codegen::CpuVariant& variant, unsigned axes) const;
  // For packages that ship code: what launches have asked for so far, compiled for a common target;
  // for GPUs it is PTX. By the keys that the code is found by.
  std::map<Digest, Binary> code_for(const Target& target);
  std::string ptx(unsigned compute_capability);
  std::string llvm_text(runtime::Device& device, bool optimized);
  std::string assembly(runtime::Device& device);  // x86 for the CPU device, PTX for GPUs

 private:
  // An entry of the disk cache, or where it will be.
  struct Stored {
    Digest key;
    std::optional<Binary> binary;
  };

  CodeRequest request_of(
      runtime::Device& device, const runtime::Dim3& block, const runtime::Dim3& grid) const;
  std::shared_ptr<ir::Module> make_module();
  std::vector<ir::Type> passed_types() const;
  void check_parameters(const ir::Module& module) const;
  void tell(const std::vector<Warning>& warnings);

  codegen::CpuVariant suited(const ir::Module& module, const CodeRequest& wanted) const;
  Binary generate(const CodeRequest& wanted, const Target& target);
  Binary compile(const CodeRequest& wanted, const Target& target);
  using FindBinary = std::function<std::optional<Binary>(const Digest& key)>;
  Stored find_stored(const CodeRequest& wanted, const Target& target, const FindBinary& find);
  Stored find_on_disk(const CodeRequest& wanted, const Target& target);
  Binary binary(const CodeRequest& wanted);
  LoadedKernel load_on_cpu(const Binary& binary);
  std::shared_ptr<runtime::Executable> load(runtime::Device& device, Binary binary);
  std::shared_ptr<runtime::Executable> load_shipped(const CodeRequest& wanted);

  std::shared_ptr<runtime::Executable> get(const CodeRequest& wanted);
  bool is_in_image(const CodeRequest& wanted) const;
  std::shared_ptr<runtime::Executable> make(const CodeRequest& wanted);
  std::shared_ptr<runtime::Executable> publish(
      CodeTable::Row& row, std::shared_ptr<runtime::Executable> made);
  void check_substitute(const CodeRequest& wanted, const runtime::Executable& substitute) const;
  std::shared_ptr<runtime::Executable> load_stored(const CodeRequest& wanted);
  bool start(
      const std::shared_ptr<CodeTable::Row>& row,
      const std::function<void(const std::exception_ptr& error)>& on_failure);
  std::shared_ptr<runtime::Executable> find_or_start(const CodeRequest& wanted);

  Engine* engine_;
  KernelDescription description_;
  ir::ParameterLayout layout_;
  Produce produce_;
  Linker linker_;
  OnLoad on_load_;
  Statistics statistics_;
  CodeTable codes_;
  std::mutex mutex_;  // guards the next two
  Pending making_;
  std::shared_ptr<ir::Module> module_;
  std::vector<Warning> warnings_;       // of the module, which is there before
  std::atomic<bool> has_told_ = false;  // them: once, wherever the code comes from
};

}  // namespace phalanx::jit
