/*===- crc32c.c - CRC-32C ---------------------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "base/crc32c.h"
#include "base/layout.h"
#include <string.h>

static uint32_t table[8][256];

static uint32_t soft64(uint32_t crc, uint64_t word)
{
    word ^= crc;
    return table[7][word & 255] ^ table[6][word >> 8 & 255] ^ table[5][word >> 16 & 255] ^
           table[4][word >> 24 & 255] ^ table[3][word >> 32 & 255] ^ table[2][word >> 40 & 255] ^
           table[1][word >> 48 & 255] ^ table[0][word >> 56];
}

/* What a line is folded in as. A CRC is linear, so changes that are alike cancel out: of an epoch
 * and a counter in the last word of a line, of counters in two lines, of a record and its own
 * CRC-32C at the end of its line. The sum of the line's words, and the product, are not. */
static uint64_t folded(uint64_t line_crc, uint64_t sum)
{
    return (line_crc + sum) * 0x9e3779b97f4a7c15ull;
}

static uint32_t soft8(uint32_t crc, unsigned char byte)
{
    return crc >> 8 ^ table[0][(crc ^ byte) & 255];
}

static uint64_t soft_line(const unsigned char *line)
{
    uint32_t crc = ~0u;
    uint64_t sum = 0;
    for (int i = 0; i < 8; i++) {
        uint64_t word;
        memcpy(&word, line + 8 * i, 8);
        crc = soft64(crc, word);
        sum += word;
    }
    return folded(crc, sum);
}

static uint32_t soft_bytes(uint32_t crc, const unsigned char *p, size_t n)
{
    for (; n >= 8; p += 8, n -= 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        crc = soft64(crc, word);
    }
    for (; n; p++, n--)
        crc = soft8(crc, *p);
    return crc;
}

static uint32_t soft_lines(uint32_t crc, const unsigned char *p, size_t count)
{
    for (size_t i = 0; i < count; i++)
        crc = soft64(crc, soft_line(p + i * NVM_LINE_BYTES));
    return crc;
}

static uint32_t soft_gather(uint32_t crc, unsigned char *dst, const unsigned char *base,
                            const uint32_t *number, size_t count)
{
    for (size_t i = 0; i < count; i++, dst += NVM_LINE_BYTES) {
        /* The CRC is of the copy: another thread may be writing to the line. */
        memcpy(dst, base + (size_t)number[i] * NVM_LINE_BYTES, NVM_LINE_BYTES);
        crc = soft64(crc, soft_line(dst));
    }
    return crc;
}

#if defined(__x86_64__) && !defined(NVMI_PORTABLE)
#include <immintrin.h>
#define SSE42 __attribute__((target("sse4.2")))

SSE42 static uint32_t hard_bytes(uint32_t crc, const unsigned char *p, size_t n)
{
    uint64_t wide = crc;
    for (; n >= 8; p += 8, n -= 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        wide = _mm_crc32_u64(wide, word);
    }
    crc = (uint32_t)wide;
    for (; n >= 4; p += 4, n -= 4) {
        uint32_t word;
        memcpy(&word, p, 4);
        crc = _mm_crc32_u32(crc, word);
    }
    for (; n; p++, n--)
        crc = _mm_crc32_u8(crc, *p);
    return crc;
}

SSE42 static uint32_t hard_lines(uint32_t crc, const unsigned char *p, size_t count)
{
    uint64_t all = crc;
    const uint64_t *w = (const uint64_t *)(const void *)p;
    for (; count >= 4; count -= 4, w += 4 * 8) {
        uint64_t a = ~0u, b = ~0u, c = ~0u, d = ~0u, sa = 0, sb = 0, sc = 0, sd = 0;
        for (int i = 0; i < 8; i++) {
            a = _mm_crc32_u64(a, w[i]);
            b = _mm_crc32_u64(b, w[8 + i]);
            c = _mm_crc32_u64(c, w[16 + i]);
            d = _mm_crc32_u64(d, w[24 + i]);
            sa += w[i];
            sb += w[8 + i];
            sc += w[16 + i];
            sd += w[24 + i];
        }
        all = _mm_crc32_u64(_mm_crc32_u64(all, folded(a, sa)), folded(b, sb));
        all = _mm_crc32_u64(_mm_crc32_u64(all, folded(c, sc)), folded(d, sd));
    }
    for (; count; count--, w += 8) {
        uint64_t a = ~0u, sum = 0;
        for (int i = 0; i < 8; i++) {
            a = _mm_crc32_u64(a, w[i]);
            sum += w[i];
        }
        all = _mm_crc32_u64(all, folded(a, sum));
    }
    return (uint32_t)all;
}

/* The CRC is of the copied words: another thread may be writing to the line. */
SSE42 static inline uint64_t copy_line(__m128i *to, const unsigned char *line)
{
    const __m128i *from = (const __m128i *)(const void *)line;
    uint64_t crc = ~0u;
    __m128i sum = _mm_setzero_si128();
    for (int i = 0; i < 4; i++) {
        __m128i x = _mm_load_si128(from + i);
        _mm_store_si128(to + i, x);
        crc = _mm_crc32_u64(crc, (uint64_t)_mm_cvtsi128_si64(x));
        crc = _mm_crc32_u64(crc, (uint64_t)_mm_extract_epi64(x, 1));
        sum = _mm_add_epi64(sum, x);
    }
    return folded(crc, (uint64_t)_mm_cvtsi128_si64(sum) + (uint64_t)_mm_extract_epi64(sum, 1));
}

SSE42 static uint32_t hard_gather(uint32_t crc, unsigned char *dst, const unsigned char *base,
                                  const uint32_t *number, size_t count)
{
    uint64_t sum = crc;
    __m128i *to = (__m128i *)(void *)dst;
    /* Lines are independent chains: out-of-order execution overlaps them. */
    for (size_t i = 0; i < count; i++, to += 4) {
        if (i + 4 < count)
            __builtin_prefetch(base + (size_t)number[i + 4] * NVM_LINE_BYTES);
        sum = _mm_crc32_u64(sum, copy_line(to, base + (size_t)number[i] * NVM_LINE_BYTES));
    }
    return (uint32_t)sum;
}

static int have_sse42(void)
{
    static int known = -1;
    if (known < 0)
        known = __builtin_cpu_supports("sse4.2") != 0;
    return known;
}
#endif

static void make_table(void)
{
    for (uint32_t n = 0; n < 256; n++) {
        uint32_t crc = n;
        for (int k = 0; k < 8; k++)
            crc = crc & 1 ? crc >> 1 ^ 0x82f63b78u : crc >> 1;
        table[0][n] = crc;
    }
    for (uint32_t n = 0; n < 256; n++)
        for (int k = 1; k < 8; k++)
            table[k][n] = table[k - 1][n] >> 8 ^ table[0][table[k - 1][n] & 255];
}

__attribute__((constructor)) static void prepare(void)
{
    make_table();
}

uint32_t nvmi_crc32c(uint32_t crc, const void *data, size_t size_bytes)
{
#if defined(__x86_64__) && !defined(NVMI_PORTABLE)
    if (have_sse42())
        return ~hard_bytes(~crc, data, size_bytes);
#endif
    return ~soft_bytes(~crc, data, size_bytes);
}

uint32_t nvmi_crc32c_lines(uint32_t crc, const void *lines, size_t count)
{
#if defined(__x86_64__) && !defined(NVMI_PORTABLE)
    if (have_sse42())
        return hard_lines(crc, lines, count);
#endif
    return soft_lines(crc, lines, count);
}

uint32_t nvmi_crc32c_gather(uint32_t crc, void *dst, const unsigned char *base,
                            const uint32_t *number, size_t count)
{
#if defined(__x86_64__) && !defined(NVMI_PORTABLE)
    if (have_sse42())
        return hard_gather(crc, dst, base, number, count);
#endif
    return soft_gather(crc, dst, base, number, count);
}
