#include "fuzz_kernel.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <sstream>

#include "fuzz_generator.h"

namespace phalanx::test {

FuzzKernel::FuzzKernel(std::uint64_t seed, const FuzzOptions& options)
    : module_(std::make_unique<ir::Module>()) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint32_t limit) {
    return static_cast<std::uint32_t>(random() % limit);
  };
  grid_ = {1 + below(3), 1, 1};
  block_ = {std::array<std::uint32_t, 6>{1, 5, 16, 32, 40, 70}.at(below(6)), 1, 1};
  Generator(*module_, random(), options).make(block_[0]);
  for (std::size_t i = 0; i < fuzz_inputs; ++i) {
    input_integers_.push_back(static_cast<std::int64_t>(random() >> below(64)) - 5);
    input_floats_.push_back(std::ldexp(static_cast<double>(below(2000)) - 1000, -3));
  }
  scalar_ = static_cast<std::int64_t>(below(100)) - 50;
}

std::size_t FuzzKernel::output_elements() const {
  return std::size_t{grid_[0]} * block_[0] * elements_per_thread + atomic_elements;
}

std::unique_ptr<FuzzKernel::Arguments> FuzzKernel::arguments() const {
  auto result = std::make_unique<Arguments>();
  result->integers.resize(output_elements());
  result->floats.resize(output_elements());
  result->singles.resize(output_elements());
  std::array<std::uint64_t, arrays> addresses{};
  const auto where = memory(*result);
  for (std::size_t i = 0; i < arrays; ++i)
    addresses.at(i) = reinterpret_cast<std::uint64_t>(where.at(i).data());
  result->parameters = parameters(addresses);
  return result;
}

std::array<std::span<std::byte>, FuzzKernel::arrays> FuzzKernel::memory(
    Arguments& arguments) const {
  const auto bytes = [](auto& array) { return std::as_writable_bytes(std::span(array)); };
  return {
      bytes(input_integers_),
      bytes(input_floats_),
      bytes(arguments.integers),
      bytes(arguments.floats),
      bytes(arguments.singles)};
}

std::vector<std::byte> FuzzKernel::parameters(
    const std::array<std::uint64_t, arrays>& addresses) const {
  std::vector<std::byte> block;
  const auto add = [&](std::uint64_t word) {
    const auto* first = reinterpret_cast<const std::byte*>(&word);
    block.insert(block.end(), first, first + sizeof word);
  };
  for (std::size_t i = 0; i < arrays; ++i) {
    add(addresses.at(i));
    add(i < first_output ? fuzz_inputs : output_elements());
  }
  add(static_cast<std::uint64_t>(scalar_));
  return block;
}

InterpreterLaunch FuzzKernel::launch(const Arguments& arguments) const {
  return {
      .parameters = arguments.parameters.data(),
      .grid = grid_,
      .block = block_,
      .dynamic_shared_bytes = 0};
}

namespace {

template <typename T>
bool are_same(T a, T b) {
  return (a != a && b != b) || std::memcmp(&a, &b, sizeof a) == 0;
}

template <typename T>
std::string difference_of(const char* name, const std::vector<T>& a, const std::vector<T>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!are_same(a[i], b[i])) {
      std::ostringstream text;
      text << name << '[' << i << "]: " << a[i] << " and " << b[i];
      return text.str();
    }
  }
  return {};
}

}  // namespace

std::string FuzzKernel::Arguments::difference(const Arguments& other) const {
  for (const std::string& text :
       {difference_of("integers", integers, other.integers),
        difference_of("floats", floats, other.floats),
        difference_of("singles", singles, other.singles)}) {
    if (!text.empty())
      return text;
  }
  return {};
}

bool FuzzKernel::Arguments::operator==(const Arguments& other) const {
  return difference(other).empty();
}

}  // namespace phalanx::test
