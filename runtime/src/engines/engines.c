/*===- engines.c - the table of engines -------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "engines/engines.h"
#include <string.h>

extern const struct nvm_engine nvmi_engine_none, nvmi_engine_flush, nvmi_engine_tx,
    nvmi_engine_undo, nvmi_engine_redo, nvmi_engine_incll, nvmi_engine_dual, nvmi_engine_versions,
    nvmi_engine_checkpoint;

const struct nvm_engine *const nvmi_engines[] = {&nvmi_engine_redo,       &nvmi_engine_none,
                                                 &nvmi_engine_flush,      &nvmi_engine_tx,
                                                 &nvmi_engine_undo,       &nvmi_engine_incll,
                                                 &nvmi_engine_dual,       &nvmi_engine_versions,
                                                 &nvmi_engine_checkpoint, NULL};

const struct nvm_engine *nvmi_engine_by_name(const char *name)
{
    for (const struct nvm_engine *const *e = nvmi_engines; *e; e++)
        if (strcmp((*e)->name, name) == 0)
            return *e;
    return NULL;
}

const struct nvm_engine *nvmi_engine_by_number(uint32_t number)
{
    for (const struct nvm_engine *const *e = nvmi_engines; *e; e++)
        if ((*e)->number == number && (*e)->durable)
            return *e;
    return NULL;
}
