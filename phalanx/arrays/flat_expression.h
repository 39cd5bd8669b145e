// A small value of functions of numbers and of arrays that lie in memory as it will itself: without
// gaps, in C order, under the same shape. It is one loop, so that its nodes alone tell the kernel
// and its arguments.
//
// Such values are the most frequent ones, and computing them takes less time than deciding how. So
// they are recognized here, and computed (flat_kernels.h), without the steps that all others take;
// the kernels, and what is decided, are the same.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>

#include "phalanx/arrays/node.h"

namespace phalanx::arrays {

class FlatExpression {
 public:
  static constexpr std::size_t most_nodes = 32;
  static constexpr std::size_t most_arrays = 8;
  static constexpr std::size_t most_numbers = 8;

  // False for a value of another kind, of which nothing else is known then.
  bool read(const NodePtr& root);

  const NodePtr& root() const { return *root_; }
  // Of a value that may be anywhere the host, where all that it reads is.
  runtime::Device& device() const { return *device_; }
  bool is_movable() const { return root()->device == nullptr; }
  // Tells expressions apart whose programs differ. Arrays and numbers are in the order of theirs
  // (Call::in_order).
  std::string_view key() const { return {key_.data(), key_size_}; }
  std::span<const Memory> arrays() const { return std::span(arrays_).first(array_count_); }
  std::span<const NodePtr> numbers() const { return std::span(numbers_).first(number_count_); }
  // What the kernel computes on its way to the root.
  std::span<const NodePtr> inlined() const { return std::span(inlined_).first(inlined_count_); }

 private:
  using Number = std::uint8_t;  // of a node, in the order of the key
  struct Known {
    const Node* node;
    Number number;
  };

  std::optional<Number> add(const NodePtr& node);
  std::optional<Number> add_call(const NodePtr& node, const Call& call);
  std::optional<Number> add_array(const Node& node, const Memory& memory);
  std::optional<Number> add_number(const NodePtr& node);
  bool is_flat(const views::DeviceArray& array);
  template <typename Value>
  void write(const Value& value) {
    static_assert(sizeof(value) <= sizeof(std::uint32_t));
    std::memcpy(key_.data() + key_size_, &value, sizeof(value));
    key_size_ += sizeof(value);
  }

  static constexpr std::size_t most_key_bytes = 12 * most_nodes;  // of a call up to 9

  const NodePtr* root_ = nullptr;
  runtime::Device* device_ = nullptr;
  // Held, as an allocation may run Python, which may compute the nodes meanwhile.
  std::array<Memory, most_arrays> arrays_;
  std::array<NodePtr, most_numbers> numbers_;
  std::array<NodePtr, most_nodes> inlined_;
  std::array<Known, most_nodes> known_;  // NOLINT: the first `known_count_` are set, as below
  std::array<Number, most_arrays> array_numbers_;
  std::array<char, most_key_bytes> key_;
  std::size_t known_count_ = 0;
  std::size_t array_count_ = 0;
  std::size_t number_count_ = 0;
  std::size_t inlined_count_ = 0;
  std::size_t key_size_ = 0;
  Number next_ = 0;
};

}  // namespace phalanx::arrays
