#include "phalanx/bindings/nvrtc_code.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/module_facts.h"
#include "phalanx/ir/abi.h"
#include "phalanx/ir/clone.h"
#include "phalanx/runtime/cuda_source.h"

namespace phalanx::bindings {

namespace {

struct Extent {
  std::size_t bytes = 0;
  std::size_t alignment = 1;
};

std::size_t rounded(std::size_t offset, std::size_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

// Adds where C places the numbers of a value that begins at `start`, or later as its alignment
// asks.
Extent place_as_c(const ir::Type& type, std::size_t start, std::vector<std::size_t>& offsets) {
  if (!type.is_tuple()) {
    Extent whole;
    for (const ir::Type& slot : ir::flatten(type)) {
      const std::size_t alignment = ir::alignment_of(slot);
      whole.alignment = std::max(whole.alignment, alignment);
      whole.bytes = rounded(whole.bytes, alignment);
      offsets.push_back(rounded(start, whole.alignment) + whole.bytes);
      whole.bytes += ir::size_of(slot);
    }
    return whole;
  }
  // Members' alignment is not known before all are seen, so that they are placed from 0 first.
  Extent whole;
  std::vector<std::size_t> inside;
  for (const ir::Field& field : type.fields()) {
    std::vector<std::size_t> own;
    const Extent extent = place_as_c(field.type, 0, own);
    whole.bytes = rounded(whole.bytes, extent.alignment);
    for (const std::size_t each : own) inside.push_back(whole.bytes + each);
    whole.bytes += extent.bytes;
    whole.alignment = std::max(whole.alignment, extent.alignment);
  }
  whole.bytes = rounded(whole.bytes, whole.alignment);
  for (const std::size_t each : inside) offsets.push_back(rounded(start, whole.alignment) + each);
  return whole;
}

// A launch places the numbers of structs one by one (ir/abi.h), and pads no struct at its end.
void check_layout(const ir::Function& kernel, const ir::ParameterLayout& layout) {
  std::vector<std::size_t> offsets;
  std::size_t end = 0;
  for (const auto& parameter : kernel.parameters) {
    const Extent extent = place_as_c(parameter->type, end, offsets);
    end = rounded(end, extent.alignment) + extent.bytes;
  }
  const bool is_same = std::ranges::equal(
      offsets, layout.slots, {}, {}, [](const ir::Slot& slot) { return slot.offset; });
  if (!is_same)
    throw CompileError(
        CompileError::Kind::lowering,
        "kernel " + kernel.name +
            " takes a struct with padding by value, whose members NVRTC expects elsewhere than a "
            "launch puts them: pass a pointer to it, or compile with compiler=\"phalanx\"");
}

Entry entry_of(const ir::Module& own, std::string symbol) {
  const ir::Function& kernel = own.kernel();
  std::vector<ir::Type> parameters;
  for (const auto& parameter : kernel.parameters) parameters.push_back(parameter->type);
  const ir::ParameterLayout layout = ir::layout_parameters(parameters);
  check_layout(kernel, layout);
  Entry entry;
  entry.symbol = std::move(symbol);
  entry.parameter_bytes = static_cast<std::uint32_t>(layout.bytes);
  entry.launch_memory = codegen::launch_memory(own);
  entry.is_cooperative = codegen::is_cooperative(own);
  return entry;
}

}  // namespace

Binary code_of_nvrtc(const NvrtcSource& source, const ir::Module& module, const Target& target) {
  const auto& [library, name, text, options, expressions] = source;
  runtime::CudaSource given = {
      .name = name, .text = text, .options = options, .expressions = expressions};
  given.options.push_back(
      "--gpu-architecture=compute_" + std::to_string(target.compute_capability));
  const runtime::CompiledSource made = runtime::compile_cuda_source(library, given);
  Binary binary;
  binary.kind = BinaryKind::ptx;
  binary.code.resize(made.ptx.size() + 1);
  std::memcpy(binary.code.data(), made.ptx.c_str(), made.ptx.size() + 1);
  binary.entries.clear();
  ir::for_each_kernel(module, [&](const ir::Module& own) {
    const std::string& kernel = own.kernel().name;
    const auto asked = std::ranges::find(expressions, kernel);
    binary.entries.push_back(entry_of(
        own,
        asked == expressions.end()
            ? kernel
            : made.symbols.at(static_cast<std::size_t>(asked - expressions.begin()))));
  });
  binary.uses_print = codegen::uses_print(module);
  return binary;
}

}  // namespace phalanx::bindings
