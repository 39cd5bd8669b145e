#include "phalanx/frontend/python/names.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tree_builder.h"

namespace phalanx::frontend::python {
namespace {

using namespace tree;  // NOLINT(google-build-using-namespace): the short spellings

std::vector<std::string> texts(const Names& names, const NameSet& set) {
  std::vector<std::string> made;
  for (const NameId id : set.members()) made.push_back(names.locals[id]);
  return made;
}

const Statement* last(const Function& function) { return function.body.back().get(); }

using Texts = std::vector<std::string>;

TEST(TreeNames, AfterAnIfOnlyWhatIsReadLaterIsLive) {
  // if c: x = 1; y = 2
  // out[0] = x
  Function made = function(
      "f",
      {"c", "out"},
      body(
          statement(If{
              name("c"), body(assign(name("x"), integer(1)), assign(name("y"), integer(2))), {}}),
          assign(item(name("out"), integer(0)), name("x"))));
  const Names names = analyze_names(made);
  const JoinNames& join = names.joins.at(made.body.front().get());
  EXPECT_EQ(texts(names, join.assigned), (Texts{"x", "y"}));
  EXPECT_TRUE(join.live_after.contains(*names.find("x")));
  EXPECT_FALSE(join.live_after.contains(*names.find("y")));
}

TEST(TreeNames, ALoopCarriesWhatTheNextIterationReads) {
  // while c: x = x + y; z = x
  Function made = function(
      "f",
      {"c", "x", "y"},
      body(statement(While{
          name("c"),
          body(
              assign(name("x"), binary(ir::Op::add, name("x"), name("y"))),
              assign(name("z"), name("x"))),
          {}})));
  const Names names = analyze_names(made);
  const JoinNames& join = names.joins.at(last(made));
  EXPECT_TRUE(join.live_head.contains(*names.find("x")));
  EXPECT_FALSE(join.live_head.contains(*names.find("z")));
  EXPECT_FALSE(join.live_after.contains(*names.find("x")));
}

TEST(TreeNames, AForLoopsTargetIsNotLiveAtItsHeadUnlessReadAfterIt) {
  const auto loop = [](Body after) {
    Body statements =
        body(statement(For{name("i"), name("a"), body(assign(name("s"), name("i"))), {}}));
    for (auto& each : after) statements.push_back(std::move(each));
    return function("f", {"a", "out"}, std::move(statements));
  };
  Function without = loop({});
  Names names = analyze_names(without);
  EXPECT_FALSE(names.joins.at(without.body[0].get()).live_head.contains(*names.find("i")));
  Function with = loop(body(assign(item(name("out"), integer(0)), name("i"))));
  names = analyze_names(with);
  EXPECT_TRUE(names.joins.at(with.body[0].get()).live_head.contains(*names.find("i")));
}

TEST(TreeNames, WhatABreakCarriesIsLiveBeforeIt) {
  // while True: x = 1; if c: break; x = 2
  // out[0] = x
  Function made = function(
      "f",
      {"c", "out"},
      body(
          statement(While{
              make(Constant{true}),
              body(
                  assign(name("x"), integer(1)),
                  statement(If{name("c"), body(statement(Break{})), {}}),
                  assign(name("x"), integer(2))),
              {}}),
          assign(item(name("out"), integer(0)), name("x"))));
  const Names names = analyze_names(made);
  const auto& loop = std::get<While>(made.body[0]->node);
  EXPECT_TRUE(names.joins.at(made.body[0].get()).live_after.contains(*names.find("x")));
  EXPECT_FALSE(names.joins.at(loop.body[1].get()).live_after.contains(*names.find("x")));
}

TEST(TreeNames, FreeNamesAreThoseThatNothingInsideBinds) {
  auto inner = std::make_shared<Function>(
      function("inner", {"p"}, body(statement(Return{binary(ir::Op::add, name("p"), name("n"))}))));
  Function made =
      function("f", {"a"}, body(statement(Define{inner}), assign(name("x"), name("scale"))));
  EXPECT_EQ(free_names(*inner), (Texts{"n"}));
  EXPECT_EQ(free_names(made), (Texts{"n", "scale"}));
}

}  // namespace
}  // namespace phalanx::frontend::python
