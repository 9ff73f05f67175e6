/*===- logged_words.c - words with a log in their line ----------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "hook/logged_words.h"
#include "base/memory.h"
#include <string.h>

uint64_t nvmi_log_seed;
struct nvmi_log_pages nvmi_log_pages;

bool nvmi_log_pages_open(uint32_t count)
{
    nvmi_log_pages.unit = nvmi_reserve(count);
    nvmi_log_pages.count = nvmi_log_pages.unit ? count : 0;
    return nvmi_log_pages.unit != NULL;
}

void nvmi_log_pages_close(void)
{
    nvmi_release(nvmi_log_pages.unit, nvmi_log_pages.count);
    nvmi_log_pages = (struct nvmi_log_pages){0};
}

bool nvmi_line_logs_undo(unsigned char *line, uint64_t line_offset, unsigned unit, uint64_t epoch)
{
    bool any = false;
    for (uint64_t at = 0; at < NVM_LINE_BYTES; at += unit) {
        struct nvmi_line_log log;
        memcpy(&log, line + at + unit - sizeof(log), sizeof(log));
        uint64_t number = (log.tag ^ nvmi_log_key(line_offset + at)) & 7;
        if (nvmi_log_epoch(line_offset + at, log.tag) != epoch || number >= unit / 8 - 2)
            continue;
        memcpy(line + at + number * 8, &log.old, sizeof(log.old));
        any = true;
    }
    return any;
}
