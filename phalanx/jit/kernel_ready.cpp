// Launches that do not wait for the compiler: a substitute runs while the code is made.
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/jit/background.h"
#include "phalanx/jit/kernel.h"

namespace phalanx::jit {

// Arguments are packed for this kernel, whatever code gets them.
void Kernel::check_substitute(
    const CodeRequest& wanted, const runtime::Executable& substitute) const {
  const Entry& entry = substitute.entry();
  const bool runs_block = entry.block[0] == 0 || entry.block == wanted.extents;
  if (substitute.kind() != wanted.device->kind() || entry.parameter_bytes != layout_.bytes ||
      !runs_block)
    throw TypeError(
        "kernel '" + name() + "': '" + substitute.name() +
        "' cannot run meanwhile: it is for another kind of device, other parameters or other "
        "blocks");
}

// The code where it is in memory or on disk; null where it will come, or cannot. Throws what a
// background compilation threw.
std::shared_ptr<runtime::Executable> Kernel::find_or_start(const CodeRequest& wanted) {
  const auto self = shared_from_this();
  const CodeTable::Answer answer = codes_.get_or_substitute(wanted);
  if (answer.failure)
    std::rethrow_exception(answer.failure);
  const auto& row = answer.to_do;
  if (!row)
    return answer.executable;
  try {
    if (description_.use_cache && !is_in_image(wanted)) {
      if (auto shipped = load_shipped(wanted))
        return publish(*row, std::move(shipped));
      Stored stored = find_on_disk(wanted, engine_->target_of(*wanted.device));
      if (stored.binary)
        return publish(*row, load(*wanted.device, *std::move(stored.binary)));
    }
    module();  // the front end may want the caller's thread, too
    codes_.leave(*row);
    const bool is_started = start_in_background(engine_, [self, row] {
      if (!self->codes_.take(*row))
        return;
      try {
        self->publish(*row, self->make(row->wanted));
      } catch (...) {
        const bool is_asked_for = !row->wanted.is_substitute;
        self->codes_.fail(*row, is_asked_for ? std::current_exception() : nullptr);
      }
    });
    return is_started || !codes_.take(*row) ? nullptr : publish(*row, make(wanted));
  } catch (...) {
    codes_.fail(*row);
    throw;
  }
}

std::shared_ptr<runtime::Executable> Kernel::ready(
    runtime::Device& device,
    const runtime::Dim3& block,
    const runtime::Dim3& grid,
    const std::shared_ptr<runtime::Executable>& substitute) {
  const CodeRequest wanted = request_of(device, block, grid);
  if (substitute)
    check_substitute(wanted, *substitute);
  if (linker_.code || on_load_)  // they may want the caller's thread
    return get(wanted);
  const CodeRequest any_block = {
      .device = &device, .variant = wanted.variant, .is_substitute = true};
  if (substitute || codes_.is_for_one_size(wanted)) {
    if (auto found = find_or_start(wanted))
      return found;
    if (substitute)
      return substitute;
    try {
      return get(any_block);
    } catch (const CompileError&) {
      return get(wanted);  // which knows more, and may be smaller
    }
  }
  auto made = get(wanted);
  // A launch of blocks of another size will find a substitute.
  if (made->entry().block[0] != 0 && !codes_.find(any_block))
    find_or_start(any_block);
  return made;
}

}  // namespace phalanx::jit
