#include "float.h"
