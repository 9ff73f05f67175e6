/*===- log.c - records of the redo log --------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "medium/log.h"
#include "base/crc32c.h"
#include "medium/media.h"
#include <string.h>

uint64_t nvmi_record_bytes(uint64_t line_count, uint64_t zero_count)
{
    return sizeof(struct nvm_disk_record) + nvmi_line_up(line_count * sizeof(uint32_t)) +
           nvmi_line_up(zero_count * sizeof(struct nvm_disk_zero)) + line_count * NVM_LINE_BYTES;
}

const uint32_t *nvmi_record_numbers(const struct nvm_disk_record *record)
{
    return (const uint32_t *)(const void *)(record + 1);
}

const struct nvm_disk_zero *nvmi_record_zeros(const struct nvm_disk_record *record)
{
    const unsigned char *p = (const unsigned char *)(record + 1);
    return (const void *)(p + nvmi_line_up(record->line_count * sizeof(uint32_t)));
}

const unsigned char *nvmi_record_images(const struct nvm_disk_record *record)
{
    return (const unsigned char *)record + record->size_bytes -
           (uint64_t)record->line_count * NVM_LINE_BYTES;
}

uint32_t nvmi_record_crc(const struct nvm_disk_record *head, const uint32_t *numbers,
                         const struct nvm_disk_zero *zeros)
{
    uint32_t crc = nvmi_crc32c(0, head, offsetof(struct nvm_disk_record, crc));
    crc = nvmi_crc32c(crc, numbers, head->line_count * sizeof(*numbers));
    return nvmi_crc32c(crc, zeros, head->zero_count * sizeof(*zeros));
}

static bool parts_fit(const struct nvmi_log *log, const struct nvm_disk_record *r, uint64_t room)
{
    return r->line_count <= log->arena_size_bytes / NVM_LINE_BYTES * 2 &&
           r->zero_count <= log->size_bytes / sizeof(struct nvm_disk_zero) &&
           r->size_bytes == nvmi_record_bytes(r->line_count, r->zero_count) &&
           r->size_bytes <= room;
}

static bool content_valid(const struct nvmi_log *log, const struct nvm_disk_record *r)
{
    const uint32_t *numbers = nvmi_record_numbers(r);
    const struct nvm_disk_zero *zeros = nvmi_record_zeros(r);
    uint32_t crc = nvmi_record_crc(r, numbers, zeros);
    nvmi_media_was_read(r->size_bytes);
    if (nvmi_crc32c_lines(crc, nvmi_record_images(r), r->line_count) != r->crc)
        return false;
    for (uint32_t i = 0; i < r->line_count; i++)
        if (numbers[i] >= log->arena_size_bytes / NVM_LINE_BYTES)
            return false;
    for (uint32_t i = 0; i < r->zero_count; i++)
        if (zeros[i].offset > log->arena_size_bytes ||
            zeros[i].size_bytes > log->arena_size_bytes - zeros[i].offset)
            return false;
    return true;
}

static const struct nvm_disk_record *record_at(const struct nvmi_log *log, uint64_t offset)
{
    if (offset > log->data_bytes || log->data_bytes - offset < sizeof(struct nvm_disk_record))
        return NULL;
    const struct nvm_disk_record *r = (const void *)(log->base + offset);
    if (r->magic != NVM_RECORD_MAGIC || r->pool_tag != log->pool_tag || r->lap != log->lap)
        return NULL;
    return r;
}

const struct nvm_disk_record *nvmi_log_record(const struct nvmi_log *log, uint64_t offset,
                                              uint64_t epoch)
{
    const struct nvm_disk_record *r = record_at(log, offset);
    if (!r || r->epoch != epoch || !parts_fit(log, r, log->size_bytes - offset) ||
        !content_valid(log, r))
        return NULL;
    return r;
}

/* A later record can only exist if the one that should stand at `offset` was
 * written first. It is damage if that one is known to have been on the medium:
 * without waits (synced_epoch all ones) always, else if a later record says so. */
static bool later_record_exists(const struct nvmi_log *log, uint64_t offset, uint64_t epoch)
{
    uint64_t end = offset + NVMI_LOG_LOOK_AHEAD_BYTES;
    end = end < log->data_bytes ? end : log->data_bytes;
    for (uint64_t at = offset; at < end; at += NVM_LINE_BYTES) {
        const struct nvm_disk_record *r = record_at(log, at);
        if (r && r->epoch > epoch && r->synced_epoch >= epoch && nvmi_log_record(log, at, r->epoch))
            return true;
    }
    return false;
}

struct nvmi_log_end nvmi_log_scan(const struct nvmi_log *log, uint64_t base_epoch)
{
    struct nvmi_log_end end = {0, base_epoch, false};
    const struct nvm_disk_record *r;
    while ((r = nvmi_log_record(log, end.offset, end.next_epoch))) {
        end.offset += r->size_bytes;
        end.next_epoch++;
    }
    end.damaged = later_record_exists(log, end.offset, end.next_epoch);
    return end;
}

static void replay(const struct nvm_disk_record *record, unsigned char *arena, uint64_t limit_bytes)
{
    const uint32_t *numbers = nvmi_record_numbers(record);
    const struct nvm_disk_zero *zeros = nvmi_record_zeros(record);
    const unsigned char *image = nvmi_record_images(record);
    for (uint32_t i = 0; i < record->zero_count; i++)
        if (zeros[i].offset < limit_bytes)
            memset(arena + zeros[i].offset, 0, zeros[i].size_bytes);
    for (uint32_t i = 0; i < record->line_count; i++, image += NVM_LINE_BYTES) {
        uint64_t offset = (uint64_t)numbers[i] * NVM_LINE_BYTES;
        if (offset < limit_bytes)
            memcpy(arena + offset, image, NVM_LINE_BYTES);
    }
}

void nvmi_log_replay(const struct nvmi_log *log, uint64_t end_offset, unsigned char *arena,
                     uint64_t limit_bytes)
{
    for (uint64_t at = 0; at < end_offset;) {
        const struct nvm_disk_record *r = (const void *)(log->base + at);
        replay(r, arena, limit_bytes);
        at += r->size_bytes;
    }
}

uint32_t nvmi_control_crc(const struct nvm_disk_control *slot)
{
    return nvmi_crc32c(0, slot, offsetof(struct nvm_disk_control, crc));
}

int nvmi_control_choose(const void *slots, struct nvm_disk_control *out)
{
    struct nvm_disk_control slot[2];
    memcpy(slot, slots, sizeof(slot));
    int valid[2];
    for (unsigned i = 0; i < 2; i++)
        valid[i] = slot[i].crc == nvmi_control_crc(&slot[i]) && slot[i].sequence % 2 == i &&
                   (slot[i].state == NVM_STATE_IMPORTING || slot[i].state == NVM_STATE_WRITING ||
                    slot[i].state == NVM_STATE_VALID);
    if (!valid[0] && !valid[1])
        return -1;
    unsigned best = !valid[0] ? 1 : !valid[1] ? 0 : slot[1].sequence > slot[0].sequence;
    *out = slot[best];
    return valid[0] && valid[1];
}
