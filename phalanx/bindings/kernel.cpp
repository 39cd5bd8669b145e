// Kernels, IR modules, the disk cache and statistics for Python.
#include "phalanx/bindings/kernel.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/bind.h"
#include "phalanx/bindings/compile_thread.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/gil.h"
#include "phalanx/bindings/kernel_options.h"
#include "phalanx/bindings/keywords.h"
#include "phalanx/bindings/loaded_module.h"
#include "phalanx/codegen/codegen.h"
#include "phalanx/codegen/module_facts.h"
#include "phalanx/ir/parser.h"
#include "phalanx/ir/printer.h"
#include "phalanx/jit/memory_use.h"

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace)

namespace phalanx::bindings {

codegen::Options take_options(Keywords& keywords) {
  codegen::Options options;
  std::uint32_t fastmath = 0;
  std::uint32_t checks = 0;
  keywords.take("contract", options.contract);
  keywords.take("fastmath", fastmath);  // bits of fast_math_flags()
  keywords.take("debug", options.debug);
  keywords.take("lineinfo", options.lineinfo);
  keywords.take("checks", checks);  // bits of check_categories()
  keywords.take("optimization", options.optimization);
  keywords.take("max_registers", options.max_registers);
  keywords.take("max_threads", options.max_threads);
  keywords.take("min_blocks", options.min_blocks);
  options.fastmath = FastMath(fastmath);
  options.checks = Checks(checks);
  return options;
}

namespace {

std::shared_ptr<ir::Module> call_producer(const Producer& producer) {
  std::shared_ptr<ir::Module> made;
  with_python([&] {
    // Cleared by the garbage collector only when the kernel cannot be launched any more.
    if (!producer.function.is_valid())
      throw CompileError(CompileError::Kind::lowering, "the kernel's source is gone");
    made = nb::cast<std::shared_ptr<ir::Module>>(producer.function());
  });
  return made;
}

constexpr std::array<std::string_view, 5> link_kinds = {
    "cubin", "ptx", "fatbin", "object", "archive"};

// Rows of (kind, name, bytes).
std::vector<jit::LinkedCode> linked_code(const Producer& producer, unsigned compute_capability) {
  std::vector<jit::LinkedCode> codes;
  if (!producer.link.is_valid())
    return codes;
  const auto capability = nb::make_tuple(compute_capability / 10, compute_capability % 10);
  for (const nb::handle row : producer.link(capability)) {
    const auto kind = nb::cast<std::string>(row[0]);
    const auto bytes = nb::cast<nb::bytes>(row[2]);
    const auto* const found = std::ranges::find(link_kinds, kind);
    if (found == link_kinds.end())
      throw TypeError("code of the kind '" + kind + "' cannot be linked");
    const auto octets = std::as_bytes(std::span(bytes.c_str(), bytes.size()));
    codes.push_back(
        {static_cast<runtime::LinkInput::Kind>(found - link_kinds.begin()),
         nb::cast<std::string>(row[1]),
         {octets.begin(), octets.end()}});
  }
  return codes;
}

std::vector<jit::LinkedCode> call_link(const Producer& producer, unsigned compute_capability) {
  std::vector<jit::LinkedCode> codes;
  with_python([&] { codes = linked_code(producer, compute_capability); });
  return codes;
}

std::vector<std::byte> bytes_of(const nb::bytes& given) {
  const auto bytes = std::as_bytes(std::span(given.c_str(), given.size()));
  return {bytes.begin(), bytes.end()};
}

void init_kernel(
    KernelHandle* self,
    std::string name,
    const nb::bytes& key,
    std::vector<ir::Type> types,
    nb::callable produce,
    const nb::kwargs& given) {
  Keywords keywords("Kernel", given);
  jit::KernelDescription description = {
      .name = std::move(name),
      .key = bytes_of(key),
      .types = std::move(types),
      .options = take_options(keywords)};
  keywords.take("cache", description.use_cache);
  keywords.take("lanes", description.lanes);
  keywords.take("function", description.is_function);
  if (const nb::object location = keywords.take("location"); !location.is_none())
    description.location = {
        nb::cast<std::string>(location[0]), nb::cast<std::int64_t>(location[1])};
  auto producer = std::make_shared<Producer>();
  producer->function = std::move(produce);
  jit::Linker linker;
  if (const nb::object link = keywords.take("link"); !link.is_none()) {
    linker.identity = bytes_of(nb::cast<nb::bytes>(link[0]));
    linker.code = [producer](unsigned capability) { return call_link(*producer, capability); };
    producer->link = link[1];
  }
  jit::Kernel::OnLoad on_load;
  if (nb::object loaded = keywords.take("loaded"); !loaded.is_none()) {
    on_load = [producer](runtime::Executable& module) { return tell_loaded(*producer, module); };
    producer->loaded = std::move(loaded);
  }
  keywords.refuse_others();
  auto kernel = std::make_shared<jit::Kernel>(
      engine(),
      std::move(description),
      [producer] { return call_producer(*producer); },
      std::move(linker),
      std::move(on_load));
  new (self) KernelHandle{std::move(kernel), std::move(producer)};
}

runtime::Dim3 block_from(const std::vector<std::int64_t>& block) {
  return runtime::make_dim3("the block", block);
}

std::shared_ptr<runtime::Executable> executable_of(
    const KernelHandle& self, runtime::Device& device, const runtime::Dim3& block) {
  return bindings::executable_of(*self.kernel, self.kernel, device, block);
}

template <typename Work>
auto compiled(const KernelHandle& self, Work work) {
  return bindings::compiled(*self.kernel, self.kernel, std::move(work));
}

std::string llvm_text(const KernelHandle& self, runtime::Device& device, bool optimized) {
  return compiled(self, [device = device.shared_from_this(), optimized](jit::Kernel& kernel) {
    return kernel.llvm_text(*device, optimized);
  });
}

std::string assembly(const KernelHandle& self, runtime::Device& device) {
  return compiled(self, [device = device.shared_from_this()](jit::Kernel& kernel) {
    return kernel.assembly(*device);
  });
}

std::shared_ptr<const ir::Module> module_of(const KernelHandle& self) {
  return compiled(self, [](jit::Kernel& kernel) { return kernel.module(); });
}

constexpr runtime::Dim3 usual_block = {128, 1, 1};

nb::dict attributes_of(const KernelHandle& self, runtime::Device& device) {
  runtime::KernelAttributes found = executable_of(self, device, usual_block)->attributes();
  if (device.is_host()) {  // there is no driver that counts
    const jit::MemoryUse use = jit::memory_use(*module_of(self));
    found.local_bytes = use.local_bytes;
    found.constant_bytes = use.constant_bytes;
  }
  nb::dict made;
  made["registers"] = found.registers;
  made["local_bytes"] = found.local_bytes;
  made["static_shared_bytes"] = found.static_shared_bytes;
  made["constant_bytes"] = found.constant_bytes;
  made["max_threads"] = found.max_threads_per_block;
  return made;
}

// What explain() tells of its code for blocks of that many threads.
nb::dict facts_of(const KernelHandle& self, runtime::Device& device, std::uint32_t threads) {
  const auto executable = executable_of(self, device, {threads, 1, 1});
  nb::dict made = attributes_of(self, device);
  made["lanes"] = executable->entry().lanes;
  made["active_blocks"] = device.active_blocks_per_multiprocessor(*executable, threads, 0);
  made["suggested_block"] = device.suggest_block(*executable, 0).block;
  nb::list advice;
  for (const Warning& warning : executable->binary().warnings)
    advice.append(nb::make_tuple(warning.text, warning.file, warning.line));
  made["advice"] = advice;
  return made;
}

nb::dict to_dict(const jit::Statistics& statistics) {
  nb::dict counts;
  nb::dict seconds;
  for (std::size_t i = 0; i < jit::stage_names.size(); ++i) {
    const auto stage = static_cast<jit::Stage>(i);
    const std::string name(jit::stage_names.at(i));
    counts[name.c_str()] = statistics.count(stage);
    seconds[name.c_str()] = statistics.seconds(stage);
  }
  nb::dict made;
  made["counts"] = counts;
  made["seconds"] = seconds;
  return made;
}

// The reference to the producer is the handle's, see Producer.
int traverse_kernel(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self)) {
    const auto* handle = nb::inst_ptr<KernelHandle>(self);
    Py_VISIT(handle->producer->function.ptr());
    Py_VISIT(handle->producer->link.ptr());
    Py_VISIT(handle->producer->loaded.ptr());
  }
  return 0;
}

int clear_kernel(PyObject* self) {
  if (nb::inst_ready(self)) {
    nb::inst_ptr<KernelHandle>(self)->producer->function.reset();
    nb::inst_ptr<KernelHandle>(self)->producer->link.reset();
    nb::inst_ptr<KernelHandle>(self)->producer->loaded.reset();
  }
  return 0;
}

const PyType_Slot kernel_slots[] = {
    {Py_tp_traverse, reinterpret_cast<void*>(traverse_kernel)},
    {Py_tp_clear, reinterpret_cast<void*>(clear_kernel)},
    {0, nullptr}};

void bind_making(nb::class_<KernelHandle>& type) {
  type.def(
      "__init__",
      &init_kernel,
      "name"_a,
      "key"_a,
      "types"_a,
      "produce"_a,
      "options"_a,
      "contract, fastmath, debug, lineinfo, checks, optimization, max_registers, max_threads, "
      "min_blocks: how it is compiled. cache: on disk too. lanes: threads of a vector on the CPU "
      "device, 0 to choose. function: a CPU function. location: file and line, or None. link: "
      "None, "
      "or what decides the linked code, as bytes, and a function that gives the code for a compute "
      "capability. loaded: a function that is told of each loaded module.");
}

void bind_inspection(nb::class_<KernelHandle>& type) {
  type.def_prop_ro("name", [](const KernelHandle& self) { return self.kernel->name(); });
  type.def_prop_ro(
      "result",
      [](const KernelHandle& self) {
        return ir::parse_type(executable_of(self, engine().runtime().cpu(), {})->entry().result);
      },
      "The type of what a CPU function returns; none for kernels.");
  type.def_prop_ro("types", [](const KernelHandle& self) { return self.kernel->types(); });
  type.def_prop_ro(
      "is_function", [](const KernelHandle& self) { return self.kernel->is_function(); });
  type.def_prop_ro(
      "can_raise",
      [](const KernelHandle& self) { return codegen::can_raise(*module_of(self)); },
      "Whether there is an exception in its code.");
  type.def_prop_ro(
      "cooperative",
      [](const KernelHandle& self) { return codegen::is_cooperative(*module_of(self)); },
      "Whether its blocks wait for each other (cg.this_grid()), so that all have to run at once.");
  type.def_prop_ro(
      "stats", [](const KernelHandle& self) { return to_dict(self.kernel->statistics()); });
  type.def_prop_ro("module", [](const KernelHandle& self) {
    return std::const_pointer_cast<ir::Module>(module_of(self));
  });
  type.def(
      "ptx",
      [](const KernelHandle& self, std::pair<unsigned, unsigned> capability) {
        return compiled(self, [capability](jit::Kernel& kernel) {
          return kernel.ptx(10 * capability.first + capability.second);
        });
      },
      "compute_capability"_a);
  type.def(
      "cubin",
      [](const KernelHandle& self, runtime::Device& device) {
        const auto made = executable_of(self, device, usual_block);
        const auto& code = made->binary().code;
        return nb::bytes(code.data(), code.size());
      },
      "device"_a,
      "Its machine code on a GPU, or its object on the CPU device.");
  type.def("llvm", &llvm_text, "device"_a, "optimized"_a = true);
  type.def("assembly", &assembly, "device"_a);
  type.def(
      "facts",
      &facts_of,
      "device"_a,
      "threads"_a,
      "Registers, memory, lanes, blocks that run at once, and what the compiler advises.");
}

// What numba-cuda's kernels say of themselves, for the calling thread's device.
void bind_properties(nb::class_<KernelHandle>& type) {
  struct Row {
    const char* name;
    const char* attribute;
    const char* doc;
  };
  constexpr std::array rows = {
      Row{"regs_per_thread", "registers", "Registers a thread uses."},
      Row{"const_mem_size", "constant_bytes", "Bytes of constant memory."},
      Row{"shared_mem_per_block", "static_shared_bytes", "Bytes of static shared memory."},
      Row{"local_mem_per_thread", "local_bytes", "Bytes of local memory of a thread."},
      Row{"max_threads_per_block", "max_threads", "Most threads of a block."},
  };
  for (const Row& row : rows)
    type.def_prop_ro(
        row.name,
        [attribute = row.attribute](const KernelHandle& self) {
          return nb::cast<std::uint64_t>(
              nb::object(attributes_of(self, current_device())[attribute]));
        },
        row.doc);
  type.def(
      "inspect_llvm",
      [](const KernelHandle& self) { return llvm_text(self, current_device(), true); },
      "The optimised LLVM IR.");
  type.def(
      "inspect_asm",
      [](const KernelHandle& self) { return assembly(self, current_device()); },
      "PTX on a GPU, x86 assembly on the CPU device.");
}

// Blocks that run at once on the thread's device.
std::uint64_t cooperative_blocks(
    const KernelHandle& self, nb::handle given, std::uint64_t shared_bytes) {
  std::vector<std::int64_t> extents;
  if (PyTuple_Check(given.ptr()) || PyList_Check(given.ptr()))
    extents = nb::cast<std::vector<std::int64_t>>(given);
  else
    extents.push_back(nb::cast<std::int64_t>(given));
  const runtime::Dim3 block = block_from(extents);
  runtime::Device& device = current_device();
  const auto made = executable_of(self, device, block);
  const auto threads = static_cast<std::uint32_t>(block.count());
  return std::uint64_t{device.active_blocks_per_multiprocessor(*made, threads, shared_bytes)} *
         device.limits().multiprocessors;
}

void bind_device_use(nb::class_<KernelHandle>& type) {
  type.def(
      "compile",
      [](const KernelHandle& self,
         runtime::Device& device,
         const std::vector<std::int64_t>& block) {
        executable_of(self, device, block_from(block));
      },
      "device"_a,
      "block"_a = std::vector<std::int64_t>{128});
  type.def("attributes", &attributes_of, "device"_a);
  type.def(
      "suggest_block",
      [](const KernelHandle& self,
         runtime::Device& device,
         std::uint64_t shared_bytes,
         std::uint32_t max_threads) {
        const auto made = executable_of(self, device, usual_block);
        const auto suggestion = device.suggest_block(*made, shared_bytes, max_threads);
        return std::pair(suggestion.min_grid, suggestion.block);
      },
      "device"_a,
      "shared_bytes"_a = 0,
      "max_threads"_a = 0);
  type.def(
      "max_cooperative_grid_blocks",
      &cooperative_blocks,
      "blockdim"_a,
      "dynsmemsize"_a = 0,
      "Most blocks of that shape that run at once, as a cooperative launch needs.");
  type.def(
      "active_blocks",
      [](const KernelHandle& self,
         runtime::Device& device,
         std::uint32_t threads,
         std::uint64_t shared_bytes) {
        const auto made = executable_of(self, device, {threads, 1, 1});
        return device.active_blocks_per_multiprocessor(*made, threads, shared_bytes);
      },
      "device"_a,
      "threads"_a,
      "shared_bytes"_a = 0);
}

// The names, in the order of bits.
nb::list fast_math_flags() {
  nb::list names;
  for (const std::string_view name : fast_flag_names)
    names.append(nb::str(name.data(), name.size()));
  return names;
}

// (name, whether it is part of check=True, doc) of each category, in the order of bits.
nb::list check_categories() {
  nb::list rows;
  for (const CheckInfo& row : check_table)
    rows.append(nb::make_tuple(std::string(row.name), row.is_default, std::string(row.doc)));
  return rows;
}

nb::dict cache_info() {
  jit::CacheInfo info;
  {
    const GilReleased no_gil;
    info = engine().cache().info();
  }
  nb::dict made;
  made["path"] = info.directory;
  made["enabled"] = info.usable;
  made["reason"] = info.problem;
  made["size"] = info.bytes;
  made["files"] = info.files;
  made["cap"] = info.cap;
  nb::list layers;
  for (const jit::CacheLayerInfo& layer : info.layers) {
    nb::dict row;
    row["path"] = layer.directory;
    row["reason"] = layer.problem;
    row["size"] = layer.bytes;
    row["files"] = layer.files;
    layers.append(row);
  }
  made["layers"] = layers;
  return made;
}

}  // namespace

void bind_kernel(nb::module_& module) {
  nb::class_<ir::Module>(module, "Module", "A kernel and its device functions as typed IR.")
      .def("__str__", [](const ir::Module& self) { return ir::print(self); })
      .def_prop_ro(
          "can_raise",
          [](const ir::Module& self) { return codegen::can_raise(self); },
          "Whether there is an exception in its code.")
      .def_static(
          "parse",
          [](std::string_view text) { return std::shared_ptr<ir::Module>(ir::parse(text)); },
          "text"_a,
          "The module that str() of a module shows.");

  nb::class_<KernelHandle> type(
      module,
      "Kernel",
      nb::type_slots(kernel_slots),
      nb::is_weak_referenceable(),
      "A kernel for one tuple of argument types, on every device.");
  bind_making(type);
  bind_inspection(type);
  bind_properties(type);
  bind_device_use(type);

  module.def("check_categories", &check_categories);
  module.def("fast_math_flags", &fast_math_flags);
  module.def("cache_info", &cache_info);
  module.def("cache_clear", [] {
    const GilReleased no_gil;
    return engine().cache().clear();
  });
  module.def("statistics", [] { return to_dict(engine().statistics()); });
}

}  // namespace phalanx::bindings
