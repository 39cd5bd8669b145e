#include "phalanx/jit/kernel.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "phalanx/base/build_id.h"
#include "phalanx/base/errors.h"
#include "phalanx/ir/clone.h"
#include "phalanx/jit/background.h"
#include "phalanx/jit/code_observers.h"
#include "phalanx/jit/compile_record.h"
#include "phalanx/jit/hash.h"
#include "phalanx/jit/module_image.h"
#include "phalanx/passes/advise.h"

namespace phalanx::jit {

namespace {

runtime::LoadOptions load_options(const codegen::Options& options) {
  return {
      .max_registers = options.max_registers,
      .optimization = options.optimization >= 3 ? 4 : options.optimization,
      .debug = options.debug && options.optimization == 0,
      .lineinfo = options.lineinfo,
  };
}

// In the cache the lines of a kernel's own file count from the kernel's first, and the file has no
// name: the same kernel may be elsewhere when it is found.
std::vector<Warning> with_lines_from_kernel(
    std::vector<Warning> warnings, const SourceLine& kernel) {
  for (Warning& warning : warnings) {
    if (warning.file != kernel.path)
      continue;
    warning.file.clear();
    warning.line -= kernel.line;
  }
  return warnings;
}

std::vector<Warning> with_own_lines(std::vector<Warning> warnings, const SourceLine& kernel) {
  for (Warning& warning : warnings) {
    if (!warning.file.empty())
      continue;
    warning.file = kernel.path;
    warning.line += kernel.line;
  }
  return warnings;
}

// Thrown where code asks for globals that are not there yet.
struct GlobalsWanted {};

// In the cache: code for blocks of any size, where the code for one size is better.
constexpr std::array<std::uint32_t, 3> any_size = {~0U, ~0U, ~0U};

// 32 lanes won on divergent kernels; where rows are shorter, whole rows beat warps that bend: their
// addresses are affine. A thread by itself is scalar code.
unsigned choose_lanes(const runtime::Dim3& block) {
  if (block.count() == 1)
    return 1;
  if (block.y != 1 || block.z != 1) {
    for (const unsigned lanes : {32U, 16U, 8U}) {
      if (block.x % lanes == 0)
        return lanes;
    }
  }
  return block.count() <= 16 ? 16 : 32;
}

// Bit d: the launch has threads enough along dimension d to fill the lanes. 0: not as many as to
// lay them out in another way, or more than a launch can count.
unsigned axes_of(const runtime::Dim3& block, const runtime::Dim3& grid) {
  constexpr std::uint64_t enough = 16;
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  const std::uint64_t threads[] = {
      std::uint64_t{grid.x} * block.x,
      std::uint64_t{grid.y} * block.y,
      std::uint64_t{grid.z} * block.z};
  const bool is_single = std::ranges::all_of(threads, [](std::uint64_t n) { return n == 1; });
  if (is_single || threads[1] > most || threads[2] > most)
    return 0;
  unsigned axes = 0;
  for (unsigned dimension = 1; dimension < 3; ++dimension)
    axes |= unsigned{threads[dimension] >= enough && threads[0] <= most} << dimension;
  return axes == 0 || threads[0] >= enough ? axes | 1U : axes;
}

}  // namespace

codegen::CpuVariant choose_variant(const runtime::Dim3& block, unsigned lanes) {
  codegen::CpuVariant variant;
  variant.lanes = lanes != 0 ? lanes : choose_lanes(block);
  if (block.y == 1 && block.z == 1)
    variant.shape = codegen::BlockShape::one_dimensional;
  else if (block.x == variant.lanes)
    variant.shape = codegen::BlockShape::exact_rows;
  else if (block.x % variant.lanes == 0)
    variant.shape = codegen::BlockShape::rows;
  return variant;
}

codegen::CpuVariant with_full_warps(codegen::CpuVariant variant) {
  // A block of rows of 16 threads has two rows in a warp.
  const bool has_rows = variant.shape == codegen::BlockShape::rows ||
                        variant.shape == codegen::BlockShape::exact_rows;
  if (has_rows && variant.lanes != 32)
    variant.shape = codegen::BlockShape::general;
  variant.lanes = 32;
  return variant;
}

Kernel::Kernel(
    Engine& engine, KernelDescription description, Produce produce, Linker linker, OnLoad on_load)
    : engine_(&engine),
      description_(std::move(description)),
      layout_(ir::layout_parameters(passed_types())),
      produce_(std::move(produce)),
      linker_(std::move(linker)),
      on_load_(std::move(on_load)) {
  if (linker_.code && !description_.image)
    description_.image = std::make_shared<ModuleImage>();
  // Lines in the disk cache would be those of the file as it was then.
  if (CodeObservers::chosen().any() && !location().path.empty()) {
    description_.options.lineinfo = true;
    description_.use_cache = false;
  }
}

std::shared_ptr<const ir::Module> Kernel::module() {
  std::unique_lock lock(mutex_);
  while (!module_ && making_.is_running()) making_.wait(lock);
  if (module_)
    return module_;
  making_.start();
  lock.unlock();
  std::shared_ptr<ir::Module> made;
  try {
    made = make_module();
  } catch (...) {
    lock.lock();
    making_.finish();
    throw;
  }
  lock.lock();
  module_ = std::move(made);
  making_.finish();
  return module_;
}

std::shared_ptr<ir::Module> Kernel::make_module() {
  Statistics& all = engine_->statistics();
  auto made = recorded(name(), statistics_, all, Stage::front_end, produce_);
  if (!made)
    throw CompileError(
        CompileError::Kind::lowering, "kernel '" + name() + "': the front end gave no IR");
  check_parameters(*made);
  std::vector<Warning> warnings = made->warnings;
  const auto advise = [&](auto advice_on) {
    ir::for_each_kernel(*made, [&](const ir::Module& own) {
      std::optional<Warning> advice = advice_on(own);
      if (advice && !is_function())
        warnings.push_back(*std::move(advice));
    });
  };
  advise(passes::advise_on_float64);
  recorded(name(), statistics_, all, Stage::passes, [&] {
    engine_->compiler().run_passes(*made, options().checks);
  });
  advise(passes::advise_on_strides);
  tell(warnings);
  warnings_ = std::move(warnings);
  return made;
}

// What the code takes: a CPU function's result has an address of its own, and the pointers of a
// kernel in check mode have bounds.
std::vector<ir::Type> Kernel::passed_types() const {
  std::vector<ir::Type> passed = types();
  if (is_function())
    passed.push_back(ir::Type::pointer(DType::uint8, ir::Space::global));
  if (description_.has_bounds)
    passed.push_back(ir::bounds_type(types()));
  return passed;
}

void Kernel::tell(const std::vector<Warning>& warnings) {
  if (has_told_.exchange(true))
    return;
  for (const Warning& warning : warnings) engine_->warn({warning, location()});
}

// Arguments are packed for the declared types, so the code must be for them. Of several kernels,
// which are one image, this is the first.
void Kernel::check_parameters(const ir::Module& module) const {
  const std::vector<ir::Function*> kernels = module.kernels();
  const ir::Function& kernel = kernels.empty() ? module.kernel() : *kernels.front();
  const auto& parameters = kernel.parameters;
  // None is part of the code, not an argument of it.
  std::vector<ir::Type> passed = passed_types();
  std::erase_if(passed, [](const ir::Type& type) { return type.is_none(); });
  const bool is_right =
      std::ranges::equal(parameters, passed, [](const auto& parameter, const ir::Type& type) {
        return parameter->type == type;
      });
  if (!is_right)
    throw CompileError(
        CompileError::Kind::lowering,
        "kernel '" + name() + "': its IR takes other parameters than it was declared with");
}

Digest Kernel::cache_key(
    const Target& target, const codegen::CpuVariant& variant, unsigned axes) const {
  const codegen::Options& options = description_.options;
  Hasher hasher;
  // The version covers the Python side of the front end, which build_id() does not see.
  hasher.add(version())
      .add(build_id())
      .add(description_.key)
      .add(linker_.identity)
      .add(std::uint64_t{description_.types.size()});
  for (const ir::Type& type : description_.types) hasher.add(ir::to_string(type));
  hasher.add(static_cast<std::uint64_t>(target.kind)).add(target.cpu).add(target.features);
  for (const unsigned number :
       {target.vector_bits,
        target.compute_capability,
        unsigned{options.contract},
        unsigned{options.fastmath.bits()},
        unsigned{options.debug},
        unsigned{options.lineinfo},
        options.optimization,
        options.max_registers,
        options.max_threads,
        options.min_blocks,
        unsigned{options.checks.bits()},
        variant.lanes,
        static_cast<unsigned>(variant.shape),
        variant.block[0],
        variant.block[1],
        variant.block[2],
        axes})
    hasher.add(std::uint64_t{number});
  return hasher.digest();
}

// What is requested keys the disk cache; only the IR tells whether warps of 32 are needed, or the
// threads may be laid out in rows.
codegen::CpuVariant Kernel::suited(const ir::Module& module, const CodeRequest& wanted) const {
  codegen::CpuVariant variant = wanted.variant;
  variant.block = wanted.extents;
  if (engine_->compiler().needs_full_warp(module))
    return with_full_warps(variant);
  const std::optional<unsigned> axis =
      wanted.axes == 0 || is_function() ? std::nullopt
                                        : engine_->compiler().find_lane_axis(module, wanted.axes);
  if (!axis)
    return variant;
  return {
      .lanes = description_.lanes != 0 ? description_.lanes : 32,
      .shape = codegen::BlockShape::one_dimensional,
      .lane_axis = axis};
}

// Without the driver's part.
Binary Kernel::generate(const CodeRequest& wanted, const Target& target) {
  const auto module = this->module();
  const Compiler& compiler = engine_->compiler();
  const ForkAllowed no_lock;
  return recorded(name(), statistics_, engine_->statistics(), Stage::codegen, [&] {
    if (description_.gpu_code && target.kind == DeviceKind::cuda)
      return description_.gpu_code(*module, target);
    const bool is_for_blocks = codegen::backend_of(target.kind).is_for_blocks;
    return compiler.compile(
        *module, target, options(), is_for_blocks ? suited(*module, wanted) : wanted.variant);
  });
}

Binary Kernel::compile(const CodeRequest& wanted, const Target& target) {
  Binary made = generate(wanted, target);
  runtime::CudaFeatures* const cuda = wanted.device->cuda();
  if (cuda == nullptr || made.kind == BinaryKind::cubin)
    return made;
  const std::vector<LinkedCode> linked =
      linker_.code ? linker_.code(target.compute_capability) : std::vector<LinkedCode>{};
  std::vector<runtime::LinkInput> inputs;
  inputs.reserve(linked.size());
  for (const LinkedCode& code : linked) inputs.push_back({code.kind, code.name, code.bytes});
  const ForkAllowed no_lock;
  return recorded(name(), statistics_, engine_->statistics(), Stage::driver, [&] {
    return cuda->assemble(made, load_options(options()), inputs);
  });
}

// Only the code itself tells whether it is for one size of blocks. The first that is made is kept
// where it is looked for first, others under their size.
Kernel::Stored Kernel::find_stored(
    const CodeRequest& wanted, const Target& target, const FindBinary& find) {
  const auto start = std::chrono::steady_clock::now();
  runtime::ProfileSpan span(runtime::ProfileKind::compile);
  codegen::CpuVariant variant = wanted.variant;
  if (wanted.is_substitute)
    variant.block = any_size;
  Stored stored;
  const auto look = [&] {
    stored.key = cache_key(target, variant, wanted.axes);
    stored.binary = find(stored.key);
  };
  look();
  const bool is_for_others = stored.binary && stored.binary->entry().block[0] != 0 &&
                             stored.binary->entry().block != wanted.extents;
  if (is_for_others && !wanted.is_substitute) {
    variant.block = wanted.extents;
    look();
  }
  if (!stored.binary || stored.binary->entry().parameter_bytes != layout_.bytes) {
    span.drop();
    return {.key = stored.key};
  }
  if (span.is_on())
    set_stage(span, Stage::disk, name());
  const auto time = std::chrono::steady_clock::now() - start;
  statistics_.add(Stage::disk, time);
  engine_->statistics().add(Stage::disk, time);
  stored.binary->warnings = with_own_lines(std::move(stored.binary->warnings), location());
  tell(stored.binary->warnings);
  return stored;
}

Kernel::Stored Kernel::find_on_disk(const CodeRequest& wanted, const Target& target) {
  return find_stored(
      wanted, target, [this](const Digest& key) { return engine_->cache().find(key); });
}

// The code that came with the package; null where there is none.
std::shared_ptr<runtime::Executable> Kernel::load_shipped(const CodeRequest& wanted) {
  if (!description_.use_cache)
    return nullptr;
  const Target host = engine_->target_of(*wanted.device);
  const auto look = [&](const Target& common, const KernelArchive& archive) {
    const auto find = [&](const Digest& key) { return archive.find(key); };
    return find_stored(wanted, common, find).binary;
  };
  std::optional<Binary> found = engine_->shipped().find(host, look);
  if (!found)
    return nullptr;
  try {
    return load(*wanted.device, *std::move(found));
  } catch (const OutOfMemoryError&) {
    throw;
  } catch (const DeviceError&) {
    engine_->shipped().refuse(host);  // an older driver: it compiles
    return nullptr;
  }
}

std::map<Digest, Binary> Kernel::code_for(const Target& target) {
  const bool is_for_blocks = codegen::backend_of(target.kind).is_for_blocks;
  const std::vector<CodeRequest> requests =
      is_for_blocks ? codes_.requests() : std::vector<CodeRequest>{{}};
  std::map<Digest, Binary> made;
  for (const CodeRequest& wanted : requests) {
    Binary binary = generate(wanted, target);
    binary.warnings = with_lines_from_kernel(warnings_, location());
    codegen::CpuVariant variant = wanted.variant;
    Digest key = cache_key(target, variant, wanted.axes);
    if (made.contains(key) && binary.entry().block[0] != 0) {  // as find_stored() looks for it
      variant.block = wanted.extents;
      key = cache_key(target, variant, wanted.axes);
    }
    made.try_emplace(key, std::move(binary));
  }
  return made;
}

Binary Kernel::binary(const CodeRequest& wanted) {
  const Target target = engine_->target_of(*wanted.device);
  Stored stored;
  if (description_.use_cache)
    stored = find_on_disk(wanted, target);
  if (stored.binary)
    return *std::move(stored.binary);
  Binary binary = compile(wanted, target);
  binary.warnings = with_lines_from_kernel(warnings_, location());
  if (description_.use_cache)
    engine_->cache().store(stored.key, binary);
  binary.warnings = warnings_;  // as what is found has them
  return binary;
}

// The IR of a kernel that is alone has the first content of its globals. It is made before the
// second attempt, as nothing may wait for it under the loader's lock; few kernels have globals.
LoadedKernel Kernel::load_on_cpu(const Binary& binary) {
  const std::shared_ptr<ModuleImage> image = description_.image;
  const CpuLoader::Find global = [&](const std::string& symbol) {
    if (!image || !image->has_source())
      throw GlobalsWanted{};
    runtime::Device& cpu = engine_->runtime().cpu();
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the CPU device's memory has pointers
    return reinterpret_cast<void*>(image->global(cpu, symbol).address);
  };
  const auto load = [&] {
    LoadedKernel loaded =
        engine_->loader().load(binary.code, binary.entry().symbol, global, name());
    // Launches may be queued when the kernel goes: their code keeps the module's globals.
    loaded.code = std::make_shared<std::pair<std::shared_ptr<void>, std::shared_ptr<ModuleImage>>>(
        std::move(loaded.code), image);
    return loaded;
  };
  try {
    return load();
  } catch (const GlobalsWanted&) {
    PHX_ASSERT(image != nullptr);  // only linked code brings globals
    image->set_source(module());
    return load();
  }
}

std::shared_ptr<runtime::Executable> Kernel::load(runtime::Device& device, Binary binary) {
  runtime::LoadOptions how = load_options(options());
  how.load_object = [this](const Binary& object) { return load_on_cpu(object); };
  return recorded(name(), statistics_, engine_->statistics(), Stage::load, [&] {
    return device.load(std::move(binary), name(), how);
  });
}

CodeRequest Kernel::request_of(
    runtime::Device& device, const runtime::Dim3& block, const runtime::Dim3& grid) const {
  CodeRequest wanted = {.device = &device};
  if (is_function()) {
    wanted.variant = {.lanes = 1, .shape = codegen::BlockShape::single};
  } else if (codegen::backend_of(device.kind()).is_for_blocks) {
    wanted.variant = choose_variant(block, description_.lanes);
    wanted.extents = {block.x, block.y, block.z};
    wanted.axes = axes_of(block, grid);
  }
  return wanted;
}

std::shared_ptr<runtime::Executable> Kernel::loaded(
    runtime::Device& device, const runtime::Dim3& block, const runtime::Dim3& grid) {
  return codes_.find(request_of(device, block, grid));
}

std::shared_ptr<runtime::Executable> Kernel::executable(
    runtime::Device& device, const runtime::Dim3& block, const runtime::Dim3& grid) {
  return get(request_of(device, block, grid));
}

std::shared_ptr<runtime::Executable> Kernel::get(const CodeRequest& wanted) {
  const CodeTable::Answer answer = codes_.get(wanted);
  if (!answer.to_do)
    return answer.executable;
  try {
    return publish(*answer.to_do, make(wanted));
  } catch (...) {
    codes_.fail(*answer.to_do);
    throw;
  }
}

// True if the kernel's code is in the image of its module: where code is not made for blocks.
bool Kernel::is_in_image(const CodeRequest& wanted) const {
  return description_.image && description_.image->is_shared() &&
         !codegen::backend_of(wanted.device->kind()).is_for_blocks;
}

std::shared_ptr<runtime::Executable> Kernel::make(const CodeRequest& wanted) {
  if (is_in_image(wanted))
    return description_.image->kernel(*wanted.device, name());
  if (auto shipped = load_shipped(wanted))
    return shipped;
  return load(*wanted.device, binary(wanted));
}

// The row is to be dropped where this throws.
std::shared_ptr<runtime::Executable> Kernel::publish(
    CodeTable::Row& row, std::shared_ptr<runtime::Executable> made) {
  if (on_load_ && row.wanted.device->cuda() != nullptr)
    made->module().attach(on_load_(*made));
  codes_.publish(row, made);
  return made;
}

}  // namespace phalanx::jit
