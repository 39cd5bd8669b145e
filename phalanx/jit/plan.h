// How the arguments of some types become the parameter block of one kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "phalanx/base/export.h"
#include "phalanx/jit/argument.h"
#include "phalanx/jit/kernel.h"

namespace phalanx::jit {

class PHX_API Plan {
 public:
  // `keys` are the arguments' (arrays anywhere); each converts to the kernel's type of that
  // position. Throws TypeError where it does not.
  Plan(std::vector<ir::TypeKey> keys, std::shared_ptr<Kernel> kernel);

  bool fits(std::span<const Argument> arguments) const {
    if (arguments.size() != keys_.size())
      return false;
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      if (arguments[i].key != keys_[i])
        return false;
    }
    return true;
  }

  std::size_t parameter_bytes() const { return bytes_; }
  // Throws std::overflow_error where a CPU function declares an integer type and the int is not of
  // the 64 bits of that sign; the lowest bits are passed as a narrower type, as Numba does.
  void pack(
      std::span<const Argument> arguments,
      std::byte* parameters,
      const runtime::Device& device) const;

  Kernel& kernel() const { return *kernel_; }
  std::span<const ir::TypeKey> keys() const { return keys_; }
  // Where array arguments are among the rows.
  std::span<const std::uint32_t> arrays() const { return arrays_; }
  // True if the kernel may write to the array of that row.
  bool is_written(std::uint32_t row) const;

 private:
  enum class Form : std::uint8_t {
    bytes4,
    bytes8,
    scalar,
    checked,
    large,
    array,
    any_array,
    bounds
  };
  struct Step {
    Form form;
    DType from = DType::boolean;
    DType to = DType::boolean;
    std::uint8_t ndim = 0;
    std::uint32_t row = 0;
    std::uint32_t offset = 0;
    std::uint32_t item_bytes = 0;  // bounds: of the array's elements; 0: it is an address
  };

  void add_steps(const ir::Type& to, std::uint32_t& row, std::size_t& slot);
  void add_scalar(DType to, std::uint32_t row, std::size_t slot);
  void add_pointer(std::uint32_t row, std::size_t slot);
  void add_bounds();
  void pack_checked(const Step& step, const Argument& argument, std::byte* target) const;
  void pack_large(const Step& step, const Argument& argument, std::byte* target) const;

  std::vector<ir::TypeKey> keys_;
  std::shared_ptr<Kernel> kernel_;
  std::vector<Step> steps_;
  std::vector<std::uint32_t> arrays_;
  std::vector<std::uint32_t> pointers_;  // the rows of what is passed for pointers
  std::size_t bytes_;
};

}  // namespace phalanx::jit
