/*===- image.c - a program or library as it lies in memory ------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "base/image.h"
#include "base/crc32c.h"
#include <link.h>
#include <stdio.h>
#include <string.h>

static bool holds(const struct dl_phdr_info *info, uint64_t address)
{
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && address - (info->dlpi_addr + part->p_vaddr) < part->p_memsz)
            return true;
    }
    return false;
}

struct search {
    uint64_t inside;
    struct nvmi_image *image;
};

static int see_image(struct dl_phdr_info *info, size_t size, void *context)
{
    const struct search *search = context;
    struct nvmi_image *image = search->image;
    (void)size;
    if (!holds(info, search->inside))
        return 0;
    image->from = UINT64_MAX;
    image->end = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uint64_t at = info->dlpi_addr + part->p_vaddr;
        if (part->p_type != PT_LOAD)
            continue;
        image->from = at < image->from ? at : image->from;
        image->end = at + part->p_memsz > image->end ? at + part->p_memsz : image->end;
    }
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && (part->p_flags & (PF_R | PF_W)) == PF_R)
            image->crc =
                nvmi_crc32c(image->crc, (const void *)(uintptr_t)(info->dlpi_addr + part->p_vaddr),
                            part->p_filesz);
    }
    const char *slash = strrchr(info->dlpi_name, '/');
    const char *name = slash ? slash + 1 : info->dlpi_name;
    snprintf(image->name, sizeof(image->name), "literals%s%s", *name ? " of " : "", name);
    return 1;
}

static int see_holder(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    return holds(info, *(const uint64_t *)context);
}

bool nvmi_image_holds(const void *address)
{
    uint64_t inside = (uintptr_t)address;
    return dl_iterate_phdr(see_holder, &inside);
}

static int see_base(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    return info->dlpi_addr != 0 && holds(info, *(const uint64_t *)context);
}

bool nvmi_image_moves(const void *address)
{
    uint64_t inside = (uintptr_t)address;
    return dl_iterate_phdr(see_base, &inside);
}

bool nvmi_image_of(const void *address, struct nvmi_image *image)
{
    struct search search = {(uintptr_t)address, image};
    image->crc = 0;
    return dl_iterate_phdr(see_image, &search);
}
