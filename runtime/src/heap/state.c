/*===- state.c - the heap, as the runtime keeps it in memory ----------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "heap/state.h"
#include "base/pool.h"

struct nvmi_heap nvmi_heap;
void (*nvmi_heap_watch)(const void *block);

struct nvm_disk_heap *nvmi_heap_change(void)
{
    nvmi_heap.header_changed = true;
    return NVM_OBJ(nvmi_heap_header());
}
