#include "limits.h"
