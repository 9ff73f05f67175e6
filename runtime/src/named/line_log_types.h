/*===- line_log_types.h - which types have logs in their lines --------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_NAMED_LINE_LOG_TYPES_H
#define NVMOVE_SRC_NAMED_LINE_LOG_TYPES_H

#include "base/layout.h"

/* Bytes of a unit of a type with this layout, whose blocks are arrays of it then; 0: it has no
 * logs. */
unsigned nvmi_log_unit_of(const struct nvm_disk_entry *layout);

/* From the tables as of a commit: which types have logs. */
void nvmi_line_logs_read(void);
/* A type that this process has entered. Under the heap lock. */
void nvmi_line_logs_add_type(unsigned type, const char *name);

#endif /* NVMOVE_SRC_NAMED_LINE_LOG_TYPES_H */
