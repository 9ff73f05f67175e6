/*===- compiled.c - what the compiler calls before stores -------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * gcc -fsanitize=kernel-address, all checks by call, no reads. For the libraries of
 * --audit and of --observe.
 */
#include "intercept.h"

#define STORE(size_bytes)                                                                          \
    void __asan_store##size_bytes##_noabort(const void *p);                                        \
    void __asan_store##size_bytes##_noabort(const void *p)                                         \
    {                                                                                              \
        if (in_heap(p))                                                                            \
            nvmi_intercept(p, size_bytes, CALLER);                                                 \
    }
STORE(1)
STORE(2)
STORE(4)
STORE(8)
STORE(16)

void __asan_storeN_noabort(const void *p, size_t size_bytes);
void __asan_storeN_noabort(const void *p, size_t size_bytes)
{
    if (in_heap(p))
        nvmi_intercept(p, size_bytes, CALLER);
}

/* Would mark the stack as usable; nothing is marked here. */
void __asan_handle_no_return(void);
void __asan_handle_no_return(void) {}
