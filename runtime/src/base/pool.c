/*===- pool.c - the open pool, and the locks --------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "base/pool.h"

struct nvmi_pool nvmi_pool = {.fd = -1};
pthread_mutex_t nvmi_section_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t nvmi_heap_lock = PTHREAD_MUTEX_INITIALIZER;
struct nvmi_owner_lock nvmi_engine_lock = NVMI_OWNER_LOCK_INITIALIZER;
pthread_mutex_t nvmi_orphan_lock = PTHREAD_MUTEX_INITIALIZER;
_Thread_local unsigned nvmi_depth, nvmi_locks_held;
_Thread_local bool nvmi_takes_part;
unsigned nvmi_members;
