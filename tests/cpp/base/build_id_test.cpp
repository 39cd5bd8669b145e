#include "phalanx/base/build_id.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

namespace phalanx {
namespace {

TEST(BuildId, IsSixteenHexDigits) {
  EXPECT_EQ(build_id().size(), 16U);
  EXPECT_EQ(build_id().find_first_not_of("0123456789abcdef"), std::string_view::npos);
}

TEST(BuildId, VersionHasThreeParts) {
  EXPECT_EQ(std::count(version().begin(), version().end(), '.'), 2);
}

}  // namespace
}  // namespace phalanx
