/*===- main.c - a Scheme process that goes on where it was ------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * The main program of TinyScheme, written so that all it does is kept: nothing of a run lies on
 * the stack of main(). The input is read when the run begins and belongs to its state; what it
 * prints is state, too, until it has left.
 *
 * Without nvmove it is an interpreter like any other. `nvmove --load begin --section proceed`.
 */
#include "scheme-private.h"

#include <errno.h>
#include <nvmove/restart.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SCREEN_BYTES = 256 };

struct run {
    scheme *sc;
    char *command_line;
    long first_byte; /* of what it prints, in stdout if that is a file; else -1 */
    long printed;    /* so many bytes have left */
    int ended;
};

static struct run *run;
static int operations = 1; /* that are done or undone together */

static port *screen(void)
{
    return run->sc->screen->_object._port;
}

/*===-- The run's beginning --------------------------------------------------===*/

static long stdout_size(void)
{
    struct stat about;
    return fstat(STDOUT_FILENO, &about) == 0 && S_ISREG(about.st_mode) ? about.st_size : -1;
}

/* With a pool, output that is there already may be that of a run whose pool was lost. */
static void check_beginning(void)
{
    const char *pool = getenv("NVM_POOL");
    if (!pool || !*pool || stdout_size() <= 0)
        return;
    fprintf(
        stderr,
        "scheme: error: stdout is a file with %ld bytes, but the pool is new: if they are of a run "
        "whose pool is lost, empty the file; else print to another [scheme-output-before]\n",
        stdout_size());
    exit(2);
}

/* What has no beginning leaves nothing in a pool. */
static void no_memory(void)
{
    fprintf(stderr, "scheme: error: no memory [scheme-memory]\n");
    exit(2);
}

static char *joined(int count, char **words)
{
    size_t size = 1;
    for (int i = 1; i < count; i++)
        size += strlen(words[i]) + 1;
    char *text = malloc(size);
    if (!text)
        no_memory();
    text[0] = '\0';
    for (int i = 1; i < count; i++) {
        if (i > 1)
            strcat(text, " ");
        strcat(text, words[i]);
    }
    return text;
}

static void push_file(scheme *sc, const char *name)
{
    FILE *file = strcmp(name, "-") ? fopen(name, "r") : stdin;
    char *text = file ? scheme_read_text(file) : NULL;
    if (file && file != stdin)
        fclose(file);
    if (scheme_push_text(sc, text))
        return;
    fprintf(stderr, "scheme: error: cannot read %s [scheme-input]\n", name);
    exit(2);
}

/* The last file comes first: each is read when those above it have ended. */
static void push_files(scheme *sc, int count, char **names)
{
    const char *own = getenv("TINYSCHEMEINIT");
    for (int i = count - 1; i > 0; i--)
        push_file(sc, names[i]);
    push_file(sc, own ? own : "init.scm");
}

static void open_screen(scheme *sc)
{
    char *room = malloc(SCREEN_BYTES);
    if (!room)
        no_memory();
    memset(room, ' ', SCREEN_BYTES - 1);
    room[SCREEN_BYTES - 1] = '\0';
    scheme_set_output_port_string(sc, room, room + SCREEN_BYTES - 1);
    sc->screen = sc->outport;
    if (!is_port(sc->screen))
        no_memory();
    sc->screen->_object._port->kind |= port_srfi6; /* it grows */
}

/* The interpreter keeps their addresses, which those of a library would not be the next time. */
static void *allocate(size_t size)
{
    return malloc(size);
}

static void release(void *p)
{
    free(p);
}

static scheme *new_interpreter(void)
{
    scheme *sc = calloc(1, sizeof *sc);
    char *empty = calloc(1, 1);
    if (!sc || !empty || !scheme_init_custom_alloc(sc, allocate, release))
        no_memory();
    open_screen(sc);
    scheme_start_reading(sc, empty);
    return sc;
}

static void begin(int argc, char **argv)
{
    check_beginning();
    run = calloc(1, sizeof *run);
    if (!run)
        no_memory();
    run->command_line = joined(argc, argv);
    run->sc = new_interpreter();
    run->first_byte = stdout_size();
    push_files(run->sc, argc, argv);
}

/*===-- Steps ----------------------------------------------------------------===*/

static long waiting(void)
{
    return screen()->rep.string.curr - screen()->rep.string.start;
}

/* Some operations, up to the end of a printed line. `left`: bytes of what was printed before
 * that have left. */
static void proceed(long left)
{
    if (left) {
        run->printed += left;
        screen()->rep.string.curr = screen()->rep.string.start;
    }
    for (int i = 0; i < operations && !run->ended; i++) {
        long before = waiting();
        run->ended = !scheme_operation(run->sc);
        if (waiting() > before && screen()->rep.string.curr[-1] == '\n')
            return;
    }
}

static void write_out(const char *text, long size)
{
    while (size > 0) {
        long written = write(STDOUT_FILENO, text, size);
        if (written < 0 && errno != EINTR) {
            perror("scheme: error: stdout [scheme-output]");
            exit(1);
        }
        if (written > 0) {
            text += written;
            size -= written;
        }
    }
}

/* A file tells how much of what waits has left before the process was killed. */
static long left_before(void)
{
    long size = stdout_size(), least = run->first_byte + run->printed;
    bool is_over = run->ended && waiting() == 0;
    if (run->first_byte < 0 || size < 0 || is_over)
        return 0;
    if (size < least || size > least + waiting()) {
        fprintf(stderr,
                "scheme: error: stdout is a file with %ld bytes, where the run has printed %ld to "
                "%ld: it "
                "was changed, or is another file; bring it back, or begin with a new pool "
                "[scheme-output-changed]\n",
                size, least, least + waiting());
        exit(2);
    }
    lseek(STDOUT_FILENO, 0, SEEK_END);
    return size - least;
}

/* What has been printed leaves when the operation that has printed it is durable. */
static long deliver(long already)
{
    long size = waiting();
    if (size == 0 || (!run->ended && screen()->rep.string.start[size - 1] != '\n'))
        return 0;
    nvm_checkpoint();
    write_out(screen()->rep.string.start + already, size - already);
    return size;
}

static void read_options(void)
{
    const char *text = getenv("SCHEME_OPERATIONS");
    char *end;
    if (!text)
        return;
    errno = 0;
    long count = strtol(text, &end, 10);
    if (errno || *end || end == text || count < 1 || count > 1000000) {
        fprintf(
            stderr,
            "scheme: error: SCHEME_OPERATIONS=%s: a number from 1 to 1000000 [scheme-operations]\n",
            text);
        exit(2);
    }
    operations = (int)count;
}

/* A pool goes on with its own run. */
static void check_run(int argc, char **argv)
{
    char *now = joined(argc, argv);
    if (strcmp(now, run->command_line) != 0) {
        fprintf(stderr,
                "scheme: error: the pool has a run of \"%s\": take another pool for another "
                "[scheme-other-run]\n",
                run->command_line);
        exit(2);
    }
    free(now);
}

int main(int argc, char **argv)
{
    long left = 0, already;
    read_options();
    begin(argc, argv);
    check_run(argc, argv);
    already = left_before();
    do {
        proceed(left);
        left = deliver(already);
        if (left)
            already = 0;
    } while (left || !run->ended);
    return run->sc->retcode;
}
