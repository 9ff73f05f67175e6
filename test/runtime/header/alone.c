/* The header with nothing before and after it. */
#include "nvmove/nvm.h"
