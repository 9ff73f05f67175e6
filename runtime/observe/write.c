/*===- write.c - what was observed, as a file ---===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * JSON, in the file that NVM_OBSERVE names, else nvmove-observed.PID.json in the
 * folder where the program began; it is replaced as a whole. Addresses become lines by
 * addr2line, which is there wherever the compiler is: all that are new at once.
 * Nothing here allocates from the arena: the sites would be this library's.
 */
#define _GNU_SOURCE
#include "observe.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define EXIT_USAGE 64 /* as in sysexits.h */
#define MOST_PLACES (1u << 16)
#define TEXT_BYTES (1ull << 30)
#define BATCH 500u

struct place {
    uintptr_t address;
    const char *json; /* of the list: "{..},{..}"; NULL: not asked for yet */
};

static struct place *places;
static uint32_t place_count;
static char *texts; /* of places */
static size_t text_bytes;
static char path[PATH_MAX], program[PATH_MAX];
static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;
static uint64_t waits;
static double next_look;
extern char **environ;

void nvmi_observe_fail(const char *id, const char *text, const char *what)
{
    char line[512];
    int n = snprintf(line, sizeof(line), "nvmove: observe: %s%s [%s]\n", text, what, id);
    ssize_t written = write(STDERR_FILENO, line, (size_t)n);
    (void)written;
    _exit(EXIT_USAGE);
}

static void *obtain(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

void *nvmi_obtain(size_t bytes)
{
    void *p = obtain(bytes ? bytes : 1);
    if (!p)
        nvmi_observe_fail("no-memory", "no address space for what is observed: raise ulimit -v",
                          "");
    return p;
}

/*===-- the file, through a buffer of its own -------------------------------===*/

static int out = -1;
static char buffer[1 << 16];
static size_t buffered;
static bool out_failed;

static void flush(void)
{
    for (size_t done = 0; done < buffered && !out_failed;) {
        ssize_t n = write(out, buffer + done, buffered - done);
        if (n < 0 && errno != EINTR)
            out_failed = true;
        done += n > 0 ? (size_t)n : 0;
    }
    buffered = 0;
}

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...)
{
    va_list arguments;
    if (sizeof(buffer) - buffered < 8192)
        flush();
    va_start(arguments, format);
    int n = vsnprintf(buffer + buffered, sizeof(buffer) - buffered, format, arguments);
    va_end(arguments);
    buffered += n > 0 && (size_t)n < sizeof(buffer) - buffered ? (size_t)n : 0;
}

/* As JSON needs it; returns how many bytes `to` has then. */
static size_t escape(const char *text, char *to, size_t room)
{
    size_t n = 0;
    for (; *text && n + 8 < room; text++)
        if (*text == '"' || *text == '\\') {
            to[n++] = '\\';
            to[n++] = *text;
        } else if ((unsigned char)*text >= ' ') {
            to[n++] = *text;
        } else {
            n += (size_t)snprintf(to + n, room - n, "\\u%04x", (unsigned char)*text);
        }
    to[n] = 0;
    return n;
}

/*===-- lines of addresses --------------------------------------------------===*/

static struct place *place_of(uintptr_t address)
{
    if (!places) {
        places = obtain(MOST_PLACES * sizeof(*places));
        texts = obtain(TEXT_BYTES);
        if (!places || !texts)
            nvmi_observe_fail("no-memory", "no address space for what is observed", "");
    }
    uint32_t at = (uint32_t)(address * 0x9e3779b97f4a7c15u >> 48) % MOST_PLACES;
    for (; places[at].address; at = (at + 1) % MOST_PLACES)
        if (places[at].address == address)
            return &places[at];
    if (place_count == MOST_PLACES / 2)
        return NULL;
    place_count++;
    places[at].address = address;
    return &places[at];
}

/* One function and its line, and the functions that it is inlined into. */
static void add_place(struct place *place, char *lines)
{
    char function[4096], file[4096];
    char *begin = texts + text_bytes, *to = begin, *save = NULL;
    for (char *name = strtok_r(lines, "\n", &save), *line; name;
         name = strtok_r(NULL, "\n", &save)) {
        if (!(line = strtok_r(NULL, "\n", &save)) || *line == '?')
            break;
        char *discriminator = strstr(line, " (discriminator"), *colon;
        if (discriminator)
            *discriminator = 0;
        if (!(colon = strrchr(line, ':')))
            break;
        *colon = 0;
        escape(name, function, sizeof(function));
        escape(line, file, sizeof(file));
        to += sprintf(to, "%s{\"function\": \"%s\", \"file\": \"%s\", \"line\": %lu}",
                      to == begin ? "" : ", ", function, file, strtoul(colon + 1, NULL, 10));
    }
    place->json = begin;
    text_bytes += (size_t)(to - begin) + 1;
}

static char *run_addr2line(char *const *arguments, size_t room)
{
    posix_spawn_file_actions_t actions;
    int ends[2];
    pid_t child;
    size_t n = 0;
    char *text = obtain(room);
    if (!text || pipe2(ends, O_CLOEXEC))
        return NULL;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    int error = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    for (ssize_t got = 1; !error && (got > 0 || (got < 0 && errno == EINTR)) && n < room - 1;
         n += got > 0 ? (size_t)got : 0)
        got = read(ends[0], text + n, room - 1 - n);
    close(ends[0]);
    if (error)
        nvmi_observe_fail("no-addr2line", "cannot run addr2line: install binutils", "");
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
    return text;
}

/* Each answer begins with its address: 0x0000000000001234. */
static void find_lines(struct place **asked, unsigned count)
{
    static char hex[BATCH][24];
    static char *arguments[BATCH + 8];
    const size_t room = 1u << 26;
    unsigned n = 0;
    for (const char *const *option =
             (const char *const[]){"addr2line", "-a", "-f", "-i", "-e", program, NULL};
         *option; option++)
        arguments[n++] = (char *)*option;
    for (unsigned i = 0; i < count; i++) {
        snprintf(hex[i], sizeof(hex[i]), "%#" PRIxPTR, asked[i]->address - 1 - nvmi_slide);
        arguments[n++] = hex[i];
    }
    arguments[n] = NULL;
    char *text = run_addr2line(arguments, room), *at = text;
    for (unsigned i = 0; text && i < count; i++) {
        char *lines = strchr(at, '\n'), *next = lines ? strstr(lines, "\n0x") : NULL;
        if (next)
            *next = 0;
        add_place(asked[i], lines ? lines + 1 : (char[]){""});
        if (!next)
            break;
        at = next + 1;
    }
    if (text)
        munmap(text, room);
}

static void find_all_lines(void)
{
    static struct place *asked[BATCH];
    unsigned count = 0;
    for (uint32_t i = 0; i < nvmi_site_count; i++) {
        const struct nvmi_site *s = &nvmi_sites[i];
        if (!s->made && !s->filled && !s->later)
            continue;
        for (unsigned k = 0; k < NVMI_MOST_FRAMES && s->frames[k]; k++) {
            struct place *place = place_of(s->frames[k]);
            if (!place || place->json || !nvmi_is_text(s->frames[k]))
                continue;
            place->json = ""; /* asked for */
            asked[count++] = place;
            if (count == BATCH) {
                find_lines(asked, count);
                count = 0;
            }
        }
    }
    if (count)
        find_lines(asked, count);
}

/*===-- the parts of the file -----------------------------------------------===*/

static void put_bits(const char *name, const uint64_t *bits)
{
    const char *comma = "";
    put(", \"%s\": [", name);
    for (unsigned i = 0; i < NVMI_WORDS; i++)
        if (bits[i / 64] >> i % 64 & 1) {
            put("%s%u", comma, i * 8);
            comma = ", ";
        }
    put("]");
}

static void put_site(const struct nvmi_site *s, const char *comma)
{
    put("%s\n  {\"made\": %" PRIu64 ", \"kept\": %" PRIu64 ", \"returned\": %" PRIu64
        ", \"ended\": %" PRIu64 ", \"filled\": %" PRIu64 ", \"leading\": %" PRIu64
        ", \"later\": %" PRIu64 ", \"bytes\": %" PRIu64 ",\n   \"calls\": [",
        comma, s->made, s->kept, s->returned, s->ended, s->filled, s->leading, s->later, s->bytes);
    comma = "";
    for (unsigned k = 0; k < NVMI_MOST_FRAMES && s->frames[k]; k++) {
        const struct place *place = place_of(s->frames[k]);
        if (!place || !place->json || !*place->json)
            continue;
        put("%s%s", comma, place->json);
        comma = ", ";
    }
    put("]");
    put_bits("written", s->written);
    put_bits("changed", s->changed);
    put("}");
}

static void put_marks(const unsigned char *marks, size_t first, size_t end, const char *name)
{
    const char *comma = "";
    put(", \"%s\": [", name);
    for (size_t i = first; i < end; i++)
        if (marks[i]) {
            put("%s%zu", comma, (i - first) * 8);
            comma = ", ";
        }
    put("]");
}

static bool is_marked(const struct nvmi_statics *s, size_t i)
{
    return s->written[i] || s->leads[i] || s->fills[i] || s->changed[i];
}

/* One entry for a variable with words that the load wrote, that changed since, or that
 * lead to what is kept. Words between variables have no name, and are left out. */
static void put_statics(const struct nvmi_statics *s, const char **comma)
{
    char name[1024];
    for (size_t i = 0; i < (s->end - s->begin) / 8; i++) {
        uintptr_t start;
        if (!is_marked(s, i))
            continue;
        const char *variable = nvmi_variable_at(s->begin + i * 8, &start);
        if (!variable)
            continue;
        size_t first = start < s->begin ? 0 : (start - s->begin) / 8, end = i;
        uintptr_t other = start;
        while (end < (s->end - s->begin) / 8 &&
               (end == i || (nvmi_variable_at(s->begin + end * 8, &other) && other == start)))
            end++;
        escape(variable, name, sizeof(name));
        put("%s\n  {\"name\": \"%s\"", *comma, name);
        put_marks(s->leads, first, end, "leads");
        put_marks(s->fills, first, end, "fills");
        put_marks(s->written, first, end, "written");
        put_marks(s->changed, first, end, "changed");
        put("}");
        *comma = ",";
        i = end - 1;
    }
}

static const char *ran_comma;

static void put_ran(const char *function, uintptr_t address)
{
    char name[1024];
    if (!nvmi_ran_in_load(address))
        return;
    escape(function, name, sizeof(name));
    put("%s\"%s\"", ran_comma, name);
    ran_comma = ", ";
}

static void put_all(void)
{
    char name[PATH_MAX * 2];
    const char *comma = "";
    escape(program, name, sizeof(name));
    put("{\"nvmoveObserved\": 1,\n \"program\": \"%s\",\n \"load\": [", name);
    for (const char *load = nvmi_observed; *load; load += strlen(load) + 1) {
        put("%s\"%s\"", comma, load);
        comma = ", ";
    }
    put("],\n \"loadEnded\": %s,\n \"waits\": %" PRIu64 ",\n \"sites\": [",
        nvmi_phase == NVMI_AFTER ? "true" : "false", waits);
    comma = "";
    for (uint32_t i = 0; i < nvmi_site_count; i++)
        if (nvmi_sites[i].made || nvmi_sites[i].filled || nvmi_sites[i].later) {
            put_site(&nvmi_sites[i], comma);
            comma = ",";
        }
    put("],\n \"ran\": [");
    ran_comma = "";
    nvmi_each_function(put_ran);
    put("],\n \"statics\": [");
    comma = "";
    for (unsigned i = 0; i < nvmi_statics_count; i++)
        put_statics(&nvmi_statics[i], &comma);
    put("]}\n");
    flush();
}

static void write_file(void)
{
    char draft[PATH_MAX + 8];
    snprintf(draft, sizeof(draft), "%s.new", path);
    out = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    out_failed = out < 0;
    if (!out_failed) {
        put_all();
        out_failed |= close(out) != 0;
    }
    if (!out_failed && rename(draft, path) == 0)
        return;
    fprintf(stderr, "nvmove: observe: cannot write %s: %s [cannot-write]\n", path, strerror(errno));
    unlink(draft);
}

void nvmi_write(void)
{
    int error = errno;
    if (nvmi_is_child)
        return;
    pthread_mutex_lock(&writing);
    find_all_lines();
    write_file();
    pthread_mutex_unlock(&writing);
    errno = error;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void look_and_write(void)
{
    pthread_mutex_lock(&nvmi_observe_lock);
    nvmi_look_again();
    pthread_mutex_unlock(&nvmi_observe_lock);
    nvmi_write();
}

/* A look costs as much as the state is large: it gets a twentieth of the time. */
void nvmi_waits(void)
{
    if (nvmi_phase != NVMI_AFTER || nvmi_is_child)
        return;
    waits++;
    double begin = now();
    if (begin < next_look)
        return;
    look_and_write();
    double end = now();
    next_look = end + (end - begin) * 20 + 0.05;
}

static void at_exit(int status, void *unused)
{
    (void)status;
    (void)unused;
    if (nvmi_is_child)
        return;
    if (nvmi_phase == NVMI_AFTER)
        look_and_write();
    else
        nvmi_write(); /* the load has not ended: nvmove says so */
}

static void in_child(void)
{
    nvmi_is_child = true;
    pthread_mutex_unlock(&nvmi_observe_lock);
}

static void before_fork(void)
{
    pthread_mutex_lock(&nvmi_observe_lock);
}

static void in_parent(void)
{
    pthread_mutex_unlock(&nvmi_observe_lock);
}

__attribute__((constructor(102))) static void begin(void)
{
    char folder[PATH_MAX];
    const char *name = getenv("NVM_OBSERVE");
    ssize_t n = readlink("/proc/self/exe", program, sizeof(program) - 1);
    program[n > 0 ? n : 0] = 0;
    if (!getcwd(folder, sizeof(folder)))
        *folder = 0;
    if (!name || !*name)
        snprintf(path, sizeof(path), "%.3900s/nvmove-observed.%d.json", folder, (int)getpid());
    else if (*name == '/')
        snprintf(path, sizeof(path), "%.4000s", name);
    else
        snprintf(path, sizeof(path), "%.2000s/%.2000s", folder, name);
    pthread_atfork(before_fork, in_parent, in_child);
    on_exit(at_exit, NULL);
}
