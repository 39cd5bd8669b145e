#include "phalanx/arrays/aliasing.h"

#include <algorithm>

#include "phalanx/numpy/overlap.h"

namespace phalanx::arrays {
namespace {

StridedMemory memory_of(const views::DeviceArray& array) {
  return {array.address, array.shape, array.strides, array.item_bytes()};
}

// What a kernel reads; at computed places all of the array that it is of.
StridedMemory read_by(const Program& program, const Access& access) {
  if (access.is_gathered)
    return memory_of(*access.memory);
  return {
      access.memory->address + static_cast<runtime::Address>(access.offset),
      {program.space.data(), program.space.size()},
      {access.strides.data(), access.strides.size()},
      access.memory->item_bytes()};
}

}  // namespace

bool is_copy_of(const Program& program, const views::DeviceArray& target) {
  if (program.steps.size() != 1 || program.accesses.size() != 1)
    return false;
  const Access& access = program.accesses.front();
  return access.memory->address + static_cast<runtime::Address>(access.offset) == target.address &&
         std::ranges::equal(access.strides, target.strides);
}

bool reads(const Program& program, const views::DeviceArray& written) {
  return std::ranges::any_of(program.accesses, [&](const Access& access) {
    return may_share(memory_of(written), read_by(program, access));
  });
}

bool reads_elsewhere(const Program& program, const views::DeviceArray& target) {
  return std::ranges::any_of(program.accesses, [&](const Access& access) {
    const StridedMemory read = read_by(program, access);
    return access.is_gathered ? may_share(memory_of(target), read)
                              : numpy::may_change(memory_of(target), read);
  });
}

}  // namespace phalanx::arrays
