/*===- intercept.h - what the wrappers call -------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * A link with --wrap=NAME for the names in wrapped.txt sends the calls of libc's
 * functions that write through a pointer to the wrappers in wrap_*.c. Each says
 * what is about to be written before it is; bytes of unknown number arrive in a
 * buffer outside the heap first. What happens then is up to the library that is
 * linked: nvmove_wrap announces, nvmove_audit checks.
 */
#ifndef NVMOVE_AUDIT_INTERCEPT_H
#define NVMOVE_AUDIT_INTERCEPT_H

#include "nvmove/nvm.h"
#include <stdbool.h>
#include <stddef.h>

/* The function and its wrapper. */
#define WRAPS(name) extern __typeof__(name) __real_##name, __wrap_##name
/* In a wrapper: where the program called it. */
#define CALLER __builtin_return_address(0)

/* [p, p + size_bytes) of the heap is about to be written by a function that was
 * called at `caller`. */
void nvmi_intercept(const void *p, size_t size_bytes, const void *caller);

static inline bool in_heap(const void *p)
{
    return (unsigned long)p - nvm_hot.base < nvm_hot.size_bytes;
}

/* Any address; returns p. NULL is allowed. */
static inline void *to(const volatile void *p, size_t size_bytes, const void *caller)
{
    if (in_heap((const void *)p) && size_bytes)
        nvmi_intercept((const void *)p, size_bytes, caller);
    return (void *)p;
}

#endif /* NVMOVE_AUDIT_INTERCEPT_H */
