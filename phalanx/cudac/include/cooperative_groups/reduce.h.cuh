// Reductions of groups: cooperative_groups.h has them.
#pragma once
#include <cooperative_groups.h>
