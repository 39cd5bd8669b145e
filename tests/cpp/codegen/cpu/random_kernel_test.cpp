#include "tests/cpp/codegen/cpu/random_kernel.h"

#include <gtest/gtest.h>

#include <span>

#include "phalanx/ir/build_memory.h"
#include "phalanx/ir/build_threads.h"
#include "phalanx/ir/printer.h"
#include "tests/cpp/codegen/cpu/harness.h"

namespace phalanx::test {

using ir::Op;

RandomKernel::RandomKernel(unsigned seed, const RandomKernelOptions& options)
    : random_(seed), options_(options), module_(std::make_unique<ir::Module>()) {
  const ir::Type array = ir::Type::array(DType::int32, 1, ir::Layout::c, ir::Space::global);
  ir::Function& kernel = ir::add_function(
      *module_,
      "k",
      ir::FunctionKind::kernel,
      {{"out", array}, {"in", array}, {"n", DType::int32}});
  builder_ = std::make_unique<ir::Builder>(kernel);
  out_ = builder_->parameter(0);
  in_ = builder_->parameter(1);
  count_ = builder_->parameter(2);
  const auto query = [&](Op op, unsigned dimension) {
    return builder_->cast(ir::thread_query(*builder_, op, dimension), DType::int64);
  };
  const auto multiply = [&](Value a, Value b) {
    return builder_->elementwise(Op::multiply, {a, b});
  };
  const auto add = [&](Value a, Value b) { return builder_->elementwise(Op::add, {a, b}); };
  Value width = query(Op::block_extent, 0);
  Value plane = multiply(width, query(Op::block_extent, 1));
  local_ =
      add(query(Op::thread_index, 0),
          add(multiply(query(Op::thread_index, 1), width),
              multiply(query(Op::thread_index, 2), plane)));
  extent_ = multiply(plane, query(Op::block_extent, 2));
  thread64_ = add(multiply(query(Op::block_index, 0), extent_), local_);
  thread_ = builder_->cast(thread64_, DType::int32);
  if (options_.has_barriers)
    shared_ = ir::shared_array(*builder_, DType::int32, {256});
  for (unsigned i = 0; i < 5; ++i) {
    variables_.push_back(builder_->variable("v" + std::to_string(i), DType::int32));
    builder_->set(variables_.back(), i % 2 == 0 ? int32(i) : thread_);
  }
  statements(options_.max_depth);
  if (!builder_->is_ended())
    emit_fold();
}

RandomKernel::Value RandomKernel::uniform_expression() {
  switch (pick(4)) {
    case 0:
      return count_;
    case 1:
      return ir::thread_query(*builder_, Op::block_index, 0);
    case 2: {
      Value index = builder_->integer(pick(64));
      return builder_->array_load(in_, {index});
    }
    default:
      return int32(static_cast<int>(pick(20)) - 5);
  }
}

RandomKernel::Value RandomKernel::expression(unsigned depth) {
  constexpr Op ops[] = {
      Op::add,
      Op::subtract,
      Op::multiply,
      Op::bitwise_xor,
      Op::maximum,
      Op::floor_divide,
      Op::remainder,
      Op::left_shift};
  if (depth == 0 || pick(3) == 0) {
    switch (pick(4)) {
      case 0:
        return uniform_expression();
      case 1:
        return thread_;
      default:
        return builder_->get(variables_[pick(static_cast<unsigned>(variables_.size()))]);
    }
  }
  if (pick(5) == 0) {
    Value index = builder_->elementwise(Op::bitwise_and, {expression(depth - 1), int32(63)});
    return builder_->array_load(in_, {builder_->cast(index, DType::int64)});
  }
  Value a = expression(depth - 1);
  return builder_->elementwise(ops[pick(8)], {a, expression(depth - 1)});
}

RandomKernel::Value RandomKernel::condition() {
  constexpr Op ops[] = {Op::less, Op::greater_equal, Op::equal, Op::not_equal};
  Value a = pick(3) == 0 ? uniform_expression() : expression(2);
  Value odd = builder_->elementwise(Op::bitwise_and, {a, int32(pick(2) == 0 ? 3 : 7)});
  return builder_->elementwise(ops[pick(4)], {odd, int32(pick(4))});
}

// out[thread] = out[thread] * 31 + value
void RandomKernel::emit_fold() {
  Value old = builder_->array_load(out_, {thread64_});
  Value scaled = builder_->elementwise(Op::multiply, {old, int32(31)});
  builder_->array_store(out_, {thread64_}, builder_->elementwise(Op::add, {scaled, expression(1)}));
}

void RandomKernel::emit_if(unsigned depth) {
  const bool is_uniform = pick(4) == 0 && options_.has_barriers;
  Value decision =
      is_uniform ? builder_->elementwise(Op::less, {count_, int32(pick(20))}) : condition();
  divergent_depth_ += is_uniform ? 0 : 1;
  auto branches = builder_->if_(decision);
  {
    auto scope = builder_->enter(branches.then);
    statements(depth - 1);
  }
  if (pick(2) == 0) {
    auto scope = builder_->enter(branches.otherwise);
    statements(depth - 1);
  }
  divergent_depth_ -= is_uniform ? 0 : 1;
}

void RandomKernel::emit_loop(unsigned depth) {
  const ir::VariableId counter = builder_->variable("i", DType::int32);
  builder_->set(counter, int32(0));
  const bool is_uniform = pick(3) == 0;
  Value bound = is_uniform ? int32(pick(6))
                           : builder_->elementwise(Op::bitwise_and, {expression(1), int32(7)});
  const bool counts_in_step = pick(2) == 0;
  is_loop_.push_back(true);
  auto loop = builder_->loop();
  {
    auto scope = builder_->enter(loop.body);
    Value at = builder_->get(counter);
    auto ends = builder_->if_(builder_->elementwise(Op::greater_equal, {at, bound}));
    {
      auto inner = builder_->enter(ends.then);
      builder_->break_(0);
    }
    if (!counts_in_step)
      builder_->set(counter, builder_->elementwise(Op::add, {at, int32(1)}));
    divergent_depth_ += 1;  // breaks inside may part the threads
    statements(depth - 1);
    divergent_depth_ -= 1;
  }
  if (counts_in_step) {
    auto scope = builder_->enter(loop.step);
    builder_->set(counter, builder_->elementwise(Op::add, {builder_->get(counter), int32(1)}));
  }
  is_loop_.pop_back();
  if (pick(2) == 0)
    builder_->set(variables_[pick(5)], builder_->get(counter));
}

void RandomKernel::emit_block(unsigned depth) {
  is_loop_.push_back(false);
  ir::Region& body = builder_->block();
  divergent_depth_ += 1;
  {
    auto scope = builder_->enter(body);
    statements(depth - 1);
  }
  divergent_depth_ -= 1;
  is_loop_.pop_back();
}

void RandomKernel::emit_jump() {
  if (is_loop_.empty() || pick(6) == 0) {
    if (!options_.has_barriers)
      builder_->return_();
    return;
  }
  const unsigned level = pick(static_cast<unsigned>(is_loop_.size()));
  if (is_loop_[is_loop_.size() - 1 - level] && pick(2) == 0)
    builder_->continue_(level);
  else
    builder_->break_(level);
}

// Each thread hands a value to its neighbour.
void RandomKernel::emit_exchange() {
  Value next = builder_->elementwise(
      Op::remainder, {builder_->elementwise(Op::add, {local_, builder_->integer(1)}), extent_});
  ir::barrier(*builder_);
  builder_->array_store(shared_, {local_}, expression(1));
  ir::barrier(*builder_);
  builder_->set(variables_[pick(5)], builder_->array_load(shared_, {next}));
}

void RandomKernel::statement(unsigned depth) {
  if (budget_ == 0)
    return;
  --budget_;
  if (options_.has_barriers && divergent_depth_ == 0 && pick(3) == 0)
    return emit_exchange();
  switch (depth == 0 ? pick(4) : pick(10)) {
    case 0:
    case 1:
    case 2:
      builder_->set(variables_[pick(5)], expression(2));
      return;
    case 3:
    case 4:
      return emit_fold();
    case 5:
    case 6:
      return emit_if(depth);
    case 7:
    case 8:
      return emit_loop(depth);
    default:
      return emit_block(depth);
  }
}

void RandomKernel::statements(unsigned depth) {
  const unsigned count = 1 + pick(4);
  for (unsigned i = 0; i < count; ++i) {
    statement(depth);
    if (builder_->is_ended())
      return;
  }
  if (divergent_depth_ > 0 && pick(3) == 0)
    emit_jump();
}

namespace {

std::vector<std::int32_t> run(
    const std::string& text,
    unsigned lanes,
    Extent grid,
    Extent block,
    bool is_prepared,
    const codegen::Options& options = {}) {
  Compiled kernel(text, {lanes, shape_of(block, lanes)}, options, is_prepared);
  std::vector<std::int32_t> out(std::size_t{grid.x} * block.x * block.y * block.z, 1);
  std::vector<std::int32_t> in(64);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::int32_t>(i * 7 % 23);
  Arguments arguments;
  arguments.array(out).array(in).add(std::int32_t{11});
  kernel.run(grid, block, arguments);
  return out;
}

constexpr Extent line_blocks[] = {{64}, {45}};
// Rows that are whole warps of 8 or 32, or bend within one.
constexpr Extent other_blocks[] = {{32, 2}, {8, 3, 2}, {5, 3}};

void compare_widths(
    const RandomKernelOptions& options,
    std::span<const Extent> blocks,
    unsigned first,
    unsigned last) {
  for (unsigned seed = first; seed < last; ++seed) {
    RandomKernel random(seed, options);
    const std::string text = ir::print(*random.take());
    for (const Extent block : blocks) {
      const auto expected = run(text, 1, {2}, block, false);
      if (block.y == 1) {  // The passes, too, may change nothing.
        ASSERT_EQ(run(text, 1, {2}, block, true), expected) << "seed " << seed << "\n" << text;
      }
      for (const unsigned lanes : {8U, 32U}) {
        ASSERT_EQ(run(text, lanes, {2}, block, true), expected)
            << "seed " << seed << " lanes " << lanes << " block " << block.x << "\n"
            << text;
      }
    }
  }
}

TEST(CpuRandomKernel, every_width_computes_the_same) {
  compare_widths({}, line_blocks, 0, 10);
  compare_widths({}, other_blocks, 100, 104);
}

TEST(CpuRandomKernel, every_width_computes_the_same_around_barriers) {
  compare_widths({.has_barriers = true}, line_blocks, 0, 6);
  compare_widths({.has_barriers = true}, other_blocks, 100, 104);
}

TEST(CpuRandomKernel, unoptimised_code_computes_the_same) {
  codegen::Options options;
  options.optimization = 0;
  options.debug = true;
  for (unsigned seed = 200; seed < 204; ++seed) {
    RandomKernel random(seed, {.has_barriers = seed % 2 == 0});
    const std::string text = ir::print(*random.take());
    const auto expected = run(text, 1, {2}, {45}, true);
    for (const unsigned lanes : {1U, 16U})
      ASSERT_EQ(run(text, lanes, {2}, {45}, true, options), expected)
          << "seed " << seed << " lanes " << lanes << "\n"
          << text;
  }
}

// For a long look: --gtest_also_run_disabled_tests
TEST(CpuRandomKernel, DISABLED_long) {
  compare_widths({}, line_blocks, 1000, 1200);
  compare_widths({}, other_blocks, 1200, 1300);
  compare_widths({.has_barriers = true}, line_blocks, 1000, 1100);
  compare_widths({.has_barriers = true}, other_blocks, 1100, 1200);
}

}  // namespace
}  // namespace phalanx::test
