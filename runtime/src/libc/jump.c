/*===- jump.c - longjmp() leaves sections -----------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "base/pool.h"
#include "commit/section.h"
#include "libc/adopt.h"
#include "libc/alloc.h"

/* Which sections were open where setjmp() was called is not known here: the rewriter calls
 * this where none was. */
int nvm_jumped(int value)
{
    if (value == 0)
        return value;
    nvmi_places_left();
    nvmi_outs_left();
    if (!nvmi_pool.open)
        return value;
    while (nvmi_pool.start_up && nvmi_depth > 1)
        nvm_end();
    nvmi_section_leave();
    return value;
}
