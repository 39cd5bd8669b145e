// A vector of trivial elements that keeps the first few in itself: extents and strides are made for
// each operation on an array, and most arrays have few dimensions.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <type_traits>

namespace phalanx {

template <typename T, std::size_t inline_size>
class InlineVector {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  InlineVector() = default;
  explicit InlineVector(std::size_t count, const T& value = {}) { resize(count, value); }
  InlineVector(std::initializer_list<T> items) : InlineVector(items.begin(), items.end()) {}
  template <std::input_iterator Iterator>
  InlineVector(Iterator first, Iterator last) {
    for (; first != last; ++first) push_back(*first);
  }
  InlineVector(const InlineVector& other) { append(other.begin(), other.size_); }
  InlineVector(InlineVector&& other) noexcept { take(other); }
  InlineVector& operator=(const InlineVector& other) {
    if (this != &other) {
      size_ = 0;
      append(other.begin(), other.size_);
    }
    return *this;
  }
  InlineVector& operator=(InlineVector&& other) noexcept {
    if (this != &other)
      take(other);
    return *this;
  }
  ~InlineVector() = default;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return more_ ? more_.get() : few_.data(); }
  const T* data() const { return more_ ? more_.get() : few_.data(); }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }
  T& back() { return data()[size_ - 1]; }
  const T& back() const { return data()[size_ - 1]; }

  void clear() { size_ = 0; }
  void pop_back() { --size_; }
  void push_back(const T& value) {
    const T copy = value;  // it may be one of ours
    reserve(size_ + 1);
    data()[size_++] = copy;
  }
  void append(const T* items, std::size_t count) {
    reserve(size_ + count);
    std::copy_n(items, count, data() + size_);
    size_ += count;
  }
  void resize(std::size_t count, const T& value = {}) {
    reserve(count);
    if (count > size_)
      std::fill(data() + size_, data() + count, value);
    size_ = count;
  }

  bool operator==(const InlineVector& other) const {
    return std::equal(begin(), end(), other.begin(), other.end());
  }

 private:
  void reserve(std::size_t count) {
    if (count <= capacity_)
      return;
    const std::size_t capacity = std::max(count, 2 * capacity_);
    auto larger = std::make_unique<T[]>(capacity);
    std::copy_n(data(), size_, larger.get());
    more_ = std::move(larger);
    capacity_ = capacity;
  }
  void take(InlineVector& other) {
    more_ = std::move(other.more_);
    capacity_ = other.capacity_;
    size_ = other.size_;
    if (!more_)
      std::copy_n(other.few_.data(), size_, few_.data());
    other.capacity_ = inline_size;
    other.size_ = 0;
  }

  std::array<T, inline_size> few_;  // NOLINT: the first `size_` are set
  std::unique_ptr<T[]> more_;
  std::size_t size_ = 0;
  std::size_t capacity_ = inline_size;
};

}  // namespace phalanx
