#include "phalanx/arrays/compact_kernel.h"

#include <cstdint>
#include <limits>
#include <numeric>

#include "phalanx/arrays/compact_code.h"
#include "phalanx/arrays/kernel_style.h"
#include "phalanx/arrays/nest.h"
#include "phalanx/arrays/program_text.h"
#include "phalanx/base/errors.h"
#include "phalanx/runtime/device.h"

namespace phalanx::arrays {
namespace {

class Launch {
 public:
  Launch(KernelTable& kernels, const Program& program, runtime::Stream& stream)
      : kernels_(kernels),
        program_(program),
        stream_(stream),
        nest_(whole_nest(program, {}, in_c_order(program.space.size()))),
        count_(nest_.count()) {
    for (std::size_t i = 0; i < program.accesses.size(); ++i) {
      const DType dtype = program.accesses[i].memory->element.dtype();
      operands_.push_back({dtype, inner_of(nest_.strides[i], dtype)});
    }
  }

  std::size_t blocks() const {
    const std::int64_t blocks = (count_ + compact_block - 1) / compact_block;
    if (blocks > std::numeric_limits<std::int32_t>::max())
      throw ValueError("a mask of more than 2**42 elements is too large for one kernel");
    return static_cast<std::size_t>(blocks);
  }

  std::shared_ptr<ProgramKernel> run(
      bool is_counting, runtime::Address places, const std::vector<runtime::Address>& outputs) {
    CompactForm form;
    form.program = {&program_, operands_};
    form.loops = nest_.extents.size();
    form.is_narrow = count_ <= std::numeric_limits<std::int32_t>::max();
    form.is_counting = is_counting;
    form.is_sequential = !has_gpu_kernels(stream_.device());
    KeyWriter key;
    form.write_key(key);
    auto kernel = kernels_.find(key.text(), [&] {
      return KernelSource{make_compact_module(form), to_text(program_, false)};
    });
    ArgumentPacker packer;
    packer.add_integer(count_);
    packer.add_integers(std::span(nest_.extents));
    packer.add_address(places);
    for (const runtime::Address output : outputs) packer.add_address(output);
    const std::span<const Strides> all(nest_.strides);
    const std::size_t accesses = program_.accesses.size();
    pack_program(packer, form.program, all.first(accesses), all.subspan(accesses));
    kernels_.launch(
        kernel,
        {.grid = {static_cast<std::uint32_t>(blocks())},
         .block = {form.is_sequential ? 1 : compact_threads}},
        packer.bytes(),
        stream_);
    return kernel;
  }

 private:
  KernelTable& kernels_;
  const Program& program_;
  runtime::Stream& stream_;
  Nest nest_;
  std::int64_t count_;
  std::vector<OperandForm> operands_;
};

}  // namespace

std::shared_ptr<ProgramKernel> launch_compact(
    KernelTable& kernels,
    const Program& program,
    const Scratch& scratch,
    const std::function<std::vector<runtime::Address>(std::int64_t count)>& allocate,
    runtime::Stream& stream) {
  Launch launch(kernels, program, stream);
  runtime::Device& device = stream.device();
  std::vector<std::int32_t> counts(launch.blocks());
  std::vector<std::int64_t> places(counts.size());
  if (!counts.empty()) {
    const std::size_t bytes = counts.size() * sizeof(std::int32_t);
    const runtime::Address there = scratch(bytes);
    launch.run(true, there, {});
    if (!kernels.runs()) {  // so that a trial finds both
      launch.run(false, there, std::vector<runtime::Address>(program.results.size() - 1));
      return nullptr;
    }
    device.copy_to_host(counts.data(), there, bytes, stream);
    stream.synchronize();
  }
  std::exclusive_scan(counts.begin(), counts.end(), places.begin(), std::int64_t{0});
  const std::int64_t total = counts.empty() ? 0 : places.back() + counts.back();
  const std::vector<runtime::Address> outputs = allocate(total);
  if (total == 0)
    return nullptr;
  const std::size_t bytes = places.size() * sizeof(std::int64_t);
  const runtime::Address there = scratch(bytes);
  device.copy_to_device(there, places.data(), bytes, stream);
  return launch.run(false, there, outputs);
}

}  // namespace phalanx::arrays
