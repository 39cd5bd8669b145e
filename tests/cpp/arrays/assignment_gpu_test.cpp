// Assignments between devices, with a GPU of the fake driver.
#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "phalanx/arrays/array.h"
#include "phalanx/arrays/operations.h"
#include "phalanx/base/errors.h"
#include "tests/cpp/arrays/fake_gpu.h"

namespace phalanx::arrays {
namespace {

struct AssignmentGpuTest : FakeGpuTest {
  AssignmentGpuTest() { jit::set_current_device(cpu()); }

  Array filled(runtime::Device& device, double number) {
    Array array(graph, graph.copied(graph.number(DType::float64, number), {4}, &device));
    array.evaluate();
    return array;
  }
};

TEST_F(AssignmentGpuTest, ANumberLeavesTheArrayWhereItIs) {
  Array array = filled(gpu(), 1);
  array.assign(graph.number(DType::float64, 2.0));
  EXPECT_EQ(array.evaluate()->device, &gpu());
}

TEST_F(AssignmentGpuTest, AValueOfAGpuComesToTheHostsArray) {
  Array array = filled(cpu(), 1);
  array.assign(filled(gpu(), 2).value());
  EXPECT_EQ(array.evaluate()->device, &cpu());
}

TEST_F(AssignmentGpuTest, AValueOfTheHostIsRefusedByAGpusArray) {
  Array array = filled(gpu(), 1);
  const Memory before = array.evaluate();
  const NodePtr value = filled(cpu(), 2).value();
  EXPECT_THROW(array.assign(value), ValueError);
  EXPECT_EQ(array.evaluate()->address, before->address);
}

}  // namespace
}  // namespace phalanx::arrays
