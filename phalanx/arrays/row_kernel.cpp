#include "phalanx/arrays/row_kernel.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <utility>

#include "phalanx/arrays/kernel_style.h"
#include "phalanx/arrays/nest.h"
#include "phalanx/arrays/program_text.h"
#include "phalanx/arrays/row_code.h"
#include "phalanx/base/errors.h"
#include "phalanx/runtime/device.h"

namespace phalanx::arrays {
namespace {

constexpr std::uint32_t warp = 32;
constexpr std::uint32_t most_threads = 256;
constexpr std::int64_t least_of_thread = 8;
constexpr std::int64_t most_of_thread = 256;
// Loads of a thread that are under way together on a GPU, where memory answers late; not of long
// programs, which need the registers.
constexpr std::uint8_t loads_at_once = 4;
constexpr std::size_t most_at_once_steps = 24;

// The loops over the dimensions that are along a row, or over the others.
Nest loops_of(const Program& program, const std::vector<const Strides*>& strides, bool is_row) {
  Order order;
  for (std::size_t i = 0; i < program.space.size(); ++i)
    if (program.is_row[i] == is_row)
      order.push_back(i);
  return collapse(nest_of(program.space, strides, order));
}

// But for the operands.
RowForm form_of(
    const Program& program, const Nest& kept, const Nest& row, const runtime::Device& device) {
  constexpr std::int64_t narrow = std::numeric_limits<std::int32_t>::max();
  if (kept.count() > narrow)
    throw ValueError("more than 2**31 rows are too many for one kernel");
  const std::int64_t elements = row.count();
  RowForm form;
  form.kept_loops = kept.extents.size();
  form.row_loops = row.extents.size();
  form.is_narrow = elements <= narrow;
  const bool is_gpu = has_gpu_kernels(device);
  // On a GPU threads that fold little cost more than they save; on the CPU there are as many as
  // keep a thread's sum of float32 exact enough.
  const std::int64_t of_thread = is_gpu ? least_of_thread : most_of_thread;
  // Powers of two: few kernels serve rows of all lengths.
  const auto wanted = static_cast<std::uint32_t>(
      std::clamp<std::int64_t>((elements + of_thread - 1) / of_thread, warp, most_threads));
  form.threads = std::bit_ceil(wanted);
  form.whole_blocks_first = !is_gpu;
  if (is_gpu && program.steps.size() <= most_at_once_steps)
    form.at_once = loads_at_once;
  return form;
}

std::shared_ptr<ProgramKernel> launch(
    KernelTable& kernels,
    const Program& program,
    const std::vector<Output>& outputs,
    const Nest& kept,
    const Nest& row,
    runtime::Stream& stream) {
  std::vector<Strides> strides;
  for (std::size_t i = 0; i < kept.strides.size(); ++i) {
    Strides& own = strides.emplace_back(kept.strides[i]);
    own.append(row.strides[i].data(), row.strides[i].size());
  }
  const std::span<const Strides> all(strides);
  const auto of_accesses = all.subspan(outputs.size(), program.accesses.size());
  std::vector<OperandForm> operands;
  operands.reserve(strides.size());
  for (std::size_t i = 0; i < outputs.size(); ++i)
    operands.push_back({outputs[i].dtype, inner_of(all[i], outputs[i].dtype)});
  for (std::size_t i = 0; i < program.accesses.size(); ++i) {
    const DType dtype = program.accesses[i].memory->element.dtype();
    operands.push_back({dtype, inner_of(of_accesses[i], dtype)});
  }

  RowForm form = form_of(program, kept, row, stream.device());
  form.outputs = std::span(operands).first(outputs.size());
  form.program = {&program, std::span(operands).subspan(outputs.size())};
  KeyWriter key;
  form.write_key(key);
  auto kernel = kernels.find(
      key.text(), [&] { return KernelSource{make_row_module(form), to_text(program, false)}; });
  ArgumentPacker packer;
  packer.add_integer(row.count());
  packer.add_integers(std::span(kept.extents));
  packer.add_integers(std::span(row.extents));
  for (std::size_t i = 0; i < outputs.size(); ++i)
    pack_operand(packer, form.outputs[i], outputs[i].address, all[i]);
  pack_program(
      packer, form.program, of_accesses, all.subspan(outputs.size() + program.accesses.size()));
  kernels.launch(
      kernel,
      {.grid = {static_cast<std::uint32_t>(kept.count())}, .block = {form.threads}},
      packer.bytes(),
      stream);
  return kernel;
}

}  // namespace

std::shared_ptr<ProgramKernel> launch_rows(
    KernelTable& kernels,
    const Program& program,
    const std::vector<Output>& outputs,
    runtime::Stream& stream) {
  const std::vector<const Strides*> strides = strides_of(program, outputs);
  const Nest kept = loops_of(program, strides, false);
  const Nest row = loops_of(program, strides, true);
  PHX_ASSERT(!row.extents.empty());  // RowFusion takes rows of several elements
  return kept.count() == 0 ? nullptr : launch(kernels, program, outputs, kept, row, stream);
}

}  // namespace phalanx::arrays
