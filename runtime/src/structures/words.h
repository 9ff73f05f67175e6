/*===- words.h - what is said of an object with versions in 8 bytes ---------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Which version was written last, in which batch, and whether the version before it is of
 * the batch before, which was not durable then.
 */
#ifndef NVMOVE_SRC_WORDS_H
#define NVMOVE_SRC_WORDS_H

#include <stdbool.h>
#include <stdint.h>

static inline uint64_t nvmi_word_of(uint64_t batch, bool pending, unsigned version)
{
    return batch << 3 | (uint64_t)pending << 2 | version;
}

static inline uint64_t nvmi_batch_of(uint64_t word)
{
    return word >> 3;
}

static inline bool nvmi_is_pending(uint64_t word)
{
    return word & 4;
}

static inline unsigned nvmi_version_of(uint64_t word)
{
    return word & 3;
}

/* The version that this word stood for when the batch `durable` ended. */
static inline unsigned nvmi_version_at(uint64_t word, uint64_t durable, unsigned versions)
{
    unsigned back = 0;
    if (nvmi_batch_of(word) > durable)
        back = nvmi_is_pending(word) && nvmi_batch_of(word) - 1 > durable ? 2 : 1;
    return (nvmi_version_of(word) + versions - back) % versions;
}

#endif /* NVMOVE_SRC_WORDS_H */
