#include "phalanx/arrays/scatter_kernel.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "phalanx/arrays/kernel_style.h"
#include "phalanx/arrays/nest.h"
#include "phalanx/arrays/program_text.h"
#include "phalanx/arrays/scatter_code.h"
#include "phalanx/base/errors.h"
#include "phalanx/runtime/device.h"

namespace phalanx::arrays {
namespace {

constexpr std::uint32_t block_threads = 256;
constexpr std::int64_t chunk_elements = 16384;  // of a thread of the CPU device

class Launch {
 public:
  Launch(const Scattering& scattering, const Output& target, runtime::Stream& stream)
      : scattering_(scattering),
        program_(*scattering.program),
        target_(target),
        stream_(stream),
        nest_(whole_nest(program_, {&target, 1}, in_c_order(program_.space.size()))),
        count_(nest_.count()) {}

  bool is_nothing() const { return count_ == 0; }

  std::shared_ptr<ProgramKernel> run(KernelTable& kernels) {
    choose_kind();
    const bool is_atomic = form_.kind == WriteKind::atomic || form_.kind == WriteKind::swap;
    // Atomics take pointers, which operands of rows do not have.
    form_.target = {
        target_.dtype, is_atomic ? Inner::strided : inner_of(nest_.strides.front(), target_.dtype)};
    std::vector<OperandForm> operands;
    operands.reserve(program_.accesses.size());
    for (std::size_t i = 0; i < program_.accesses.size(); ++i) {
      const DType dtype = program_.accesses[i].memory->element.dtype();
      operands.push_back({dtype, inner_of(nest_.strides[1 + i], dtype)});
    }
    form_.program = {&program_, operands};
    KeyWriter key;
    form_.write_key(key);
    auto kernel = kernels.find(key.text(), [&] {
      return KernelSource{make_scatter_module(form_), to_text(scattering_, false)};
    });
    kernels.launch(kernel, config(), arguments().bytes(), stream_);
    return kernel;
  }

 private:
  void choose_kind() {
    const bool is_gpu = has_gpu_kernels(stream_.device());
    const Function* function = scattering_.function;
    form_.function = function;
    form_.kind = function == nullptr ? WriteKind::store : WriteKind::update;
    form_.has_condition = scattering_.has_condition;
    form_.loops = nest_.extents.size();
    form_.is_narrow = count_ <= std::numeric_limits<std::int32_t>::max();
    form_.is_sequential = !is_gpu;
    if (!is_gpu || !scattering_.has_repeats)
      return;
    if (function != nullptr && atomic_of(*function, target_.dtype) && is_aligned())
      form_.kind = WriteKind::atomic;
    else if (function != nullptr && has_swap(target_.dtype) && is_aligned())
      form_.kind = WriteKind::swap;
    else
      form_.is_sequential = true;
  }

  // True if all elements are at multiples of their size, of which words for atomics must be;
  // complex numbers need not be.
  bool is_aligned() const {
    const auto size = static_cast<std::int64_t>(size_of(target_.dtype));
    const auto address = static_cast<std::int64_t>(target_.address);
    return !is_complex(target_.dtype) || address % size == 0;
  }

  bool is_in_order() const { return form_.is_sequential && scattering_.has_repeats; }
  // What the outer loop of a sequential kernel counts.
  std::int64_t rows() const { return form_.loops == 1 ? count_ : count_ / nest_.extents.back(); }
  std::int64_t chunk() const {
    if (is_in_order())
      return rows();
    return std::max<std::int64_t>(1, chunk_elements * rows() / count_);
  }

  ArgumentPacker arguments() const {
    ArgumentPacker packer;
    if (form_.is_sequential) {
      packer.add_integer(rows());
      packer.add_integer(chunk());
    }
    packer.add_integers(std::span(nest_.extents));
    pack_operand(packer, form_.target, target_.address, nest_.strides.front());
    const auto others = std::span<const Strides>(nest_.strides).subspan(1);
    const std::size_t accesses = program_.accesses.size();
    pack_program(packer, form_.program, others.first(accesses), others.subspan(accesses));
    return packer;
  }

  runtime::LaunchConfig config() const {
    const std::uint32_t block = form_.is_sequential ? 1 : block_threads;
    const std::int64_t each = form_.is_sequential ? chunk() : block_threads;
    const std::int64_t blocks = ((form_.is_sequential ? rows() : count_) + each - 1) / each;
    if (blocks > std::numeric_limits<std::int32_t>::max())
      throw ValueError("an assignment to more than 2**39 elements is too large for one kernel");
    return {.grid = {static_cast<std::uint32_t>(blocks)}, .block = {block}};
  }

  const Scattering& scattering_;
  const Program& program_;
  const Output& target_;
  runtime::Stream& stream_;
  Nest nest_;
  std::int64_t count_;
  ScatterForm form_;
};

}  // namespace

std::shared_ptr<ProgramKernel> launch_scatter(
    KernelTable& kernels,
    const Scattering& scattering,
    const Output& target,
    runtime::Stream& stream) {
  Launch launch(scattering, target, stream);
  return launch.is_nothing() ? nullptr : launch.run(kernels);
}

}  // namespace phalanx::arrays
