/*===- line_log_types.c - which types have logs in their lines --------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "named/line_log_types.h"
#include "heap/line_logs.h"
#include "hook/logged_words.h"
#include "named/table.h"

unsigned nvmi_log_unit_of(const struct nvm_disk_entry *layout)
{
    struct nvmi_entry_field at = {0};
    for (unsigned i = 0; i < layout->field_count; i++) {
        at = nvmi_entry_field(layout, i ? &at : NULL);
        const struct nvm_field *f = &at.field;
        if (nvmi_is_kind(f, NVM_KIND_LINE_LOG) && (layout->a == 32 || layout->a == 64) &&
            f->size_bytes >= sizeof(struct nvmi_line_log) && f->offset + f->size_bytes == layout->a)
            return (unsigned)layout->a;
    }
    return 0;
}

void nvmi_line_logs_read(void)
{
    nvmi_line_logs_reset();
    for (struct nvm_disk_entry *e = nvmi_entry_first(); e; e = nvmi_entry_next(e)) {
        unsigned unit = e->kind == NVM_ENTRY_LAYOUT ? nvmi_log_unit_of(e) : 0;
        struct nvm_disk_entry *type =
            unit ? nvmi_entry_find(NVM_ENTRY_TYPE, nvmi_entry_name(e)) : NULL;
        if (type)
            nvmi_line_logs_set_type((unsigned)type->a, unit, /*begins=*/type->b <= 1);
    }
}

void nvmi_line_logs_add_type(unsigned type, const char *name)
{
    const struct nvm_disk_entry *layout = nvmi_entry_find(NVM_ENTRY_LAYOUT, name);
    if (layout && nvmi_log_unit_of(layout))
        nvmi_line_logs_set_type(type, nvmi_log_unit_of(layout), /*begins=*/true);
}
