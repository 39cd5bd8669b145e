// Which rows of passes.def run when.
#include "phalanx/passes/pipeline.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

#include "phalanx/ir/parser.h"

namespace phalanx::passes {
namespace {

using Names = std::set<std::string_view>;

Names left_out(const std::string& body, Checks checks) {
  const auto module = ir::parse("kernel @k(%mask: i32, %p: bool) {\n" + body + "}\n");
  Names names;
  for (const Pass& pass : pipeline()) {
    if (!pass.when(*module, checks))
      names.insert(pass.name);
  }
  return names;
}

TEST(Pipeline, LeavesOutCheckModeWhereNothingIsChecked) {
  const std::string local = "%l = local_array [2] : array<f32, 1, C, local>\n";
  const std::string text = local +
                           "%one = constant 1 : i32\n%n = negative no_wrap, %one : i32\n"
                           "%zero = constant 0 : i64\n%q = array_data %l : ptr<f32, local>\n"
                           "%g = pointer_offset %q, %zero : ptr<f32, generic>\n";
  const std::string pointers = "bound_pointers";  // no parameter has bounds here
  const std::string unassigned = "report_unassigned";
  const Names check_mode = {
      pointers,
      unassigned,
      "insert_end_barriers",
      "insert_checks",
      "instrument_accesses",
      "merge_tracked_reads"};
  EXPECT_EQ(left_out(text, {}), check_mode);
  EXPECT_EQ(left_out(text, {Check::barriers, Check::races}), Names({pointers, unassigned}));
  EXPECT_FALSE(left_out(text, {Check::unassigned}).contains(unassigned));
  EXPECT_EQ(
      left_out(text, {Check::bounds}),
      Names(
          {pointers,
           unassigned,
           "insert_end_barriers",
           "instrument_accesses",
           "merge_tracked_reads"}));
}

TEST(Pipeline, LeavesOutWhatHasNothingToWorkOn) {
  const Names left = left_out("", {Check::barriers, Check::races});
  EXPECT_TRUE(left.contains("promote_locals") && left.contains("widen_indices"));
  EXPECT_TRUE(left.contains("infer_spaces"));
}

TEST(Pipeline, KeepsReturnsWhereMasksAreChecked) {
  const std::string vote = "%v = vote \"any\", %mask, %p : bool\n";
  EXPECT_TRUE(left_out(vote, {Check::masks}).contains("early_returns"));
  EXPECT_FALSE(left_out(vote, {Check::bounds}).contains("early_returns"));
  EXPECT_FALSE(left_out("", {Check::masks}).contains("early_returns"));
}

TEST(Pipeline, FindsPassesByName) {
  for (const Pass& pass : pipeline()) {
    const Pass* found = find_pass(pass.name);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->name, pass.name);
  }
  EXPECT_EQ(find_pass("no such pass"), nullptr);
}

}  // namespace
}  // namespace phalanx::passes
