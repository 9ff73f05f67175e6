/*===- text.c - text in blocks that the C library makes ---------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "base/pool.h"
#include "libc/alloc.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* In NVM_ALLOC a copy of the library's block. */
static char *taken(char *block, size_t size_bytes)
{
    if (!block || !nvmi_placing())
        return block;
    char *to = nvm_malloc(size_bytes);
    if (to)
        memcpy(nvm_store(to, size_bytes), block, size_bytes);
    free(block);
    return to;
}

int nvm_vasprintf(char **out, const char *format, va_list arguments)
{
    char *text;
    int length = vasprintf(&text, format, arguments);
    if (length < 0)
        return length;
    text = taken(text, (size_t)length + 1);
    if (!text)
        return -1;
    *(char **)nvm_store(out, sizeof(*out)) = text;
    return length;
}

int nvm_asprintf(char **out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = nvm_vasprintf(out, format, arguments);
    va_end(arguments);
    return length;
}

int nvm_vsprintf(char *dst, const char *format, va_list arguments)
{
    if (nvmi_in_heap(dst)) {
        va_list copy;
        va_copy(copy, arguments);
        int length = vsnprintf(NULL, 0, format, copy);
        va_end(copy);
        if (length >= 0)
            nvm_store(dst, (unsigned long)length + 1);
    }
    return vsprintf(dst, format, arguments);
}

int nvm_sprintf(char *dst, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = nvm_vsprintf(dst, format, arguments);
    va_end(arguments);
    return length;
}

/* The block that is there, if it is large enough and where it should be. */
static char *room_for(char *line, size_t size_bytes)
{
    bool stays = line && nvm_contains(line) && nvm_usable_size(line) >= size_bytes;
    return stays ? line : nvm_realloc(line, size_bytes);
}

long nvm_getdelim(char **line, size_t *size_bytes, int delimiter, void *stream)
{
    nvm_store(line, sizeof(*line));
    nvm_store(size_bytes, sizeof(*size_bytes));
    if (!nvmi_placing() && !nvm_contains(*line))
        return getdelim(line, size_bytes, delimiter, stream);
    char *text = NULL;
    size_t capacity = 0;
    long length = getdelim(&text, &capacity, delimiter, stream);
    char *to = length < 0 ? NULL : room_for(*line, (size_t)length + 1);
    if (to) {
        memcpy(nvm_store(to, (size_t)length + 1), text, (size_t)length + 1);
        *(char **)nvm_store(line, sizeof(*line)) = to;
        *(size_t *)nvm_store(size_bytes, sizeof(*size_bytes)) = nvm_usable_size(to);
    }
    free(text);
    return to ? length : -1;
}

long nvm_getline(char **line, size_t *size_bytes, void *stream)
{
    return nvm_getdelim(line, size_bytes, '\n', stream);
}

char *nvm_realpath(const char *path, char *resolved)
{
    char *found = realpath(path, NULL);
    if (!found || !resolved)
        return taken(found, found ? strlen(found) + 1 : 0);
    nvm_strcpy(resolved, found);
    free(found);
    return resolved;
}

char *nvm_getcwd(char *buf, size_t n)
{
    if (buf)
        return getcwd(nvm_store(buf, n), n);
    char *found = getcwd(NULL, n);
    return taken(found, found ? strlen(found) + 1 : 0);
}
