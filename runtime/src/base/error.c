/*===- error.c - messages ---------------------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "base/error.h"
#include "nvmove/nvm.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Thread_local char last_message[1024];

const char *nvm_errormsg(void)
{
    return last_message;
}

static void put(char *text, size_t size_bytes, const char *format, va_list list, const char *id)
{
    int n = vsnprintf(text, size_bytes, format, list);
    if (n < 0)
        n = 0;
    size_t used = (size_t)n < size_bytes ? (size_t)n : size_bytes - 1;
    if (id)
        snprintf(text + used, size_bytes - used, " [%s]", id);
}

/* One write, so that lines of several processes do not mix. */
static void print(const char *prefix, const char *text)
{
    char line[1200];
    int n = snprintf(line, sizeof(line), "nvmove: %s%s\n", prefix, text);
    if (n > 0 &&
        write(STDERR_FILENO, line, (size_t)n < sizeof(line) ? (size_t)n : sizeof(line) - 1) < 0)
        return; /* nowhere left to complain */
}

int nvmi_fail(int error, const char *id, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    char text[sizeof(last_message)];
    put(text, sizeof(text), format, list, id);
    memcpy(last_message, text, sizeof(text));
    va_end(list);
    return error;
}

int nvmi_fail_said(int error, const char *text)
{
    snprintf(last_message, sizeof(last_message), "%s", text);
    return error;
}

void nvmi_die(int status, const char *id, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    put(last_message, sizeof(last_message), format, list, id);
    va_end(list);
    print("error: ", last_message);
    _exit(status);
}

void nvmi_bug(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    put(last_message, sizeof(last_message), format, list, NULL);
    va_end(list);
    print("bug: ", last_message);
    abort();
}

void nvmi_note(const char *format, ...)
{
    char text[sizeof(last_message)];
    va_list list;
    va_start(list, format);
    put(text, sizeof(text), format, list, NULL);
    va_end(list);
    print("", text);
}
