// Launches that do not wait for the compiler: a substitute runs while the code is made.
#include <exception>
#include <string>
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

// What came with the package or is on disk; null where neither has it.
std::shared_ptr<runtime::Executable> Kernel::load_stored(const CodeRequest& wanted) {
  if (!description_.use_cache || is_in_image(wanted))
    return nullptr;
  if (auto shipped = load_shipped(wanted))
    return shipped;
  Stored stored = find_on_disk(wanted, engine_->target_of(*wanted.device));
  return stored.binary ? load(*wanted.device, *std::move(stored.binary)) : nullptr;
}

// Leaves the row to a background thread. False where there is none, so that it is the caller's.
bool Kernel::start(
    const std::shared_ptr<CodeTable::Row>& row,
    const std::function<void(const std::exception_ptr& error)>& on_failure) {
  codes_.leave(*row);
  const bool is_started =
      start_in_background(engine_, [self = shared_from_this(), row, on_failure] {
        if (!self->codes_.take(*row))
          return;
        try {
          self->publish(*row, self->make(row->wanted));
        } catch (...) {
          on_failure(std::current_exception());
        }
      });
  return is_started || !codes_.take(*row);
}

// The code where it is in memory or on disk; null where it will come, or cannot. Throws what a
// background compilation threw.
std::shared_ptr<runtime::Executable> Kernel::find_or_start(const CodeRequest& wanted) {
  const CodeTable::Answer answer = codes_.get_or_substitute(wanted);
  if (answer.failure)
    std::rethrow_exception(answer.failure);
  const auto& row = answer.to_do;
  if (!row)
    return answer.executable;
  try {
    if (auto stored = load_stored(wanted))
      return publish(*row, std::move(stored));
    module();  // the front end may want the caller's thread, too
    const auto note = [this, row](const std::exception_ptr& error) {
      codes_.fail(*row, row->wanted.is_substitute ? nullptr : error);
    };
    return start(row, note) ? nullptr : publish(*row, make(wanted));
  } catch (...) {
    codes_.fail(*row);
    throw;
  }
}

std::shared_ptr<runtime::Executable> Kernel::at_hand(
    runtime::Device& device, const runtime::Dim3& block, const runtime::Dim3& grid) {
  PHX_ASSERT(!linker_.code && !on_load_);
  const CodeRequest wanted = request_of(device, block, grid);
  const CodeTable::Answer answer = codes_.get_or_substitute(wanted);
  if (!answer.to_do)
    return answer.executable;
  std::shared_ptr<runtime::Executable> stored;
  try {
    stored = load_stored(wanted);
  } catch (...) {
    codes_.fail(*answer.to_do);
    throw;
  }
  if (stored)
    return publish(*answer.to_do, std::move(stored));
  codes_.fail(*answer.to_do);  // it is still to be made, by whoever asks for it
  return nullptr;
}

Coming Kernel::compile_in_background(
    runtime::Device& device,
    const runtime::Dim3& block,
    const runtime::Dim3& grid,
    std::function<void(const std::string& reason)> on_failure) {
  PHX_ASSERT(!linker_.code && !on_load_);
  const CodeTable::Answer answer = codes_.get_or_substitute(request_of(device, block, grid));
  if (!answer.to_do)
    return answer.has_failed ? Coming::failed : Coming::soon;
  const auto& row = answer.to_do;
  const auto note = [this, row, tell = std::move(on_failure)](const std::exception_ptr& error) {
    codes_.fail(*row, error);
    try {
      std::rethrow_exception(error);
    } catch (const std::exception& known) {
      tell(known.what());
    } catch (...) {
      tell("an error of unknown type");
    }
  };
  if (start(row, note))
    return Coming::soon;
  codes_.fail(*row);
  return Coming::never;
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
