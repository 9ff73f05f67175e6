/*===- line_logs.h - pages whose records have logs in their lines -----------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * What a log is says hook/logged_words.h; which types have any is read from the tables of the
 * pool by named/line_log_types.h.
 */
#ifndef NVMOVE_SRC_HEAP_LINE_LOGS_H
#define NVMOVE_SRC_HEAP_LINE_LOGS_H

#include "base/layout.h"
#include <stdbool.h>
#include <stdint.h>

/* No type has logs, in the pool that is open. */
void nvmi_line_logs_reset(void);
/* Blocks of the type are arrays of units of so many bytes, which end with a log; `begins`: no
 * block has been seen that begins with something else than its object. Under the heap lock. */
void nvmi_line_logs_set_type(unsigned type, unsigned unit, bool begins);
/* If the engine logs in lines: finds the pages of such types. */
void nvmi_line_logs_open(void);
/* A block of the type does not begin with its record after all. Under the heap lock. */
void nvmi_line_logs_drop_type(unsigned type);
/* Bytes of a unit of this page's blocks; 0: they have no logs. */
unsigned nvmi_log_unit(const struct nvm_disk_page *page);
/* The page has just become a slab. */
void nvmi_line_logs_new_slab(uint32_t page);

/* Does `place`, 8 bytes of the heap as this process sees it, reach into a log that was written?
 * Then they are not pointers of the program. */
bool nvmi_is_in_line_log(const unsigned char *place);

#endif /* NVMOVE_SRC_HEAP_LINE_LOGS_H */
