#include "phalanx/bindings/other_compilers.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

std::size_t number_at(std::string_view text, std::size_t begin) {
  std::size_t number = 0;
  for (; begin < text.size() && text[begin] >= '0' && text[begin] <= '9'; ++begin)
    number = 10 * number + static_cast<std::size_t>(text[begin] - '0');
  return number;
}

// Where a kernel of PTX has its parameters: ".param .u32 f_param_0", ".param .align 8 .b8
// f_param_1[16]".
std::vector<std::size_t> starts_in_ptx(std::string_view ptx, const std::string& symbol) {
  const std::size_t entry = ptx.find(".entry " + symbol + "(");
  std::string_view list = ptx.substr(std::min(entry, ptx.size()));
  list = list.substr(0, list.find(')'));
  std::vector<std::size_t> starts;
  std::size_t end = 0;
  constexpr std::string_view word = ".param ";
  constexpr std::string_view align = ".align ";
  for (std::size_t at = list.find(word); at != std::string_view::npos;
       at = list.find(word, at + 1)) {
    std::string_view line = list.substr(at + word.size());
    line = line.substr(0, line.find('\n'));
    std::size_t bytes = number_at(line, 2) / 8;
    std::size_t alignment = bytes;
    if (line.starts_with(align)) {
      alignment = number_at(line, align.size());
      bytes = number_at(line, line.find('[') + 1);
    }
    starts.push_back(rounded(end, std::max<std::size_t>(alignment, 1)));
    end = starts.back() + bytes;
  }
  return starts;
}

// A launch places the numbers of structs one by one (ir/abi.h): it pads no struct at its end, and
// knows of no alignment beyond that of the numbers, as vectors such as float2 have.
void check_layout(
    const ir::Function& kernel,
    const ir::ParameterLayout& layout,
    const std::vector<std::size_t>& starts) {
  std::vector<std::size_t> offsets;
  std::size_t end = 0;
  bool is_same = starts.size() == kernel.parameters.size();
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const std::size_t first = offsets.size();
    const Extent extent = place_as_c(kernel.parameters[i]->type, end, offsets);
    end = rounded(end, extent.alignment) + extent.bytes;
    is_same = is_same && (first == offsets.size() || offsets[first] == starts[i]);
  }
  is_same = is_same && std::ranges::equal(offsets, layout.slots, {}, {}, [](const ir::Slot& slot) {
              return slot.offset;
            });
  if (!is_same)
    throw CompileError(
        CompileError::Kind::lowering,
        "kernel " + kernel.name +
            " takes a struct with padding or alignment by value, whose members NVRTC expects "
            "elsewhere than a launch puts them: pass a pointer to it, or compile with "
            "compiler=\"phalanx\"");
}

Entry entry_of(const ir::Module& own, std::string symbol, const ir::ParameterLayout& layout) {
  Entry entry;
  entry.symbol = std::move(symbol);
  entry.parameter_bytes = static_cast<std::uint32_t>(layout.bytes);
  entry.launch_memory = codegen::launch_memory(own);
  entry.is_cooperative = codegen::is_cooperative(own);
  return entry;
}

ir::ParameterLayout layout_of(const ir::Function& kernel) {
  std::vector<ir::Type> parameters;
  for (const auto& parameter : kernel.parameters) parameters.push_back(parameter->type);
  return ir::layout_parameters(parameters);
}

}  // namespace

Binary code_of_nvrtc(const NvrtcSource& source, const ir::Module& module, const Target& target) {
  const auto& [library, name, text, options, expressions, headers] = source;
  runtime::CudaSource given = {
      .name = name,
      .text = text,
      .options = options,
      .expressions = expressions,
      .headers = headers};
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
    const std::string symbol =
        asked == expressions.end()
            ? kernel
            : made.symbols.at(static_cast<std::size_t>(asked - expressions.begin()));
    const ir::ParameterLayout layout = layout_of(own.kernel());
    check_layout(own.kernel(), layout, starts_in_ptx(made.ptx, symbol));
    binary.entries.push_back(entry_of(own, symbol, layout));
  });
  binary.uses_print = codegen::uses_print(module);
  return binary;
}

Binary code_of_machine_code(const MachineCode& code, const ir::Module& declared) {
  const auto& [kind, octets, refusal] = code;
  const auto bytes = std::as_bytes(std::span(octets.c_str(), octets.size()));
  Binary binary;
  binary.kind = kind == "ptx" ? BinaryKind::ptx : BinaryKind::cubin;
  binary.code.assign(bytes.begin(), bytes.end());
  if (binary.kind == BinaryKind::ptx)
    binary.code.push_back(std::byte{0});
  binary.entries.clear();
  ir::for_each_kernel(declared, [&](const ir::Module& own) {
    binary.entries.push_back(entry_of(own, own.kernel().name, layout_of(own.kernel())));
  });
  binary.uses_print = true;  // it may
  return binary;
}

}  // namespace phalanx::bindings
