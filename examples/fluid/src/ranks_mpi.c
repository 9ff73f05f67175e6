/*===- ranks_mpi.c - links between ranks, and the monitor -------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * usage: mpirun -n N fluid-mpi TIMEOUT FOLDER PROGRAM OPTION .. STEPS IN
 *
 * N - 1 ranks, and the last process monitors them. A rank is a link, this process, and the program,
 * which it starts and, when that dies, starts again: MPI would end all if one of its own died. Of
 * rank R the files are FOLDER/exchange.R, pool.R (with NVM_ENGINE in the environment, else
 * checkpoint.R), pid.R and out.R. After each step a link sends a heartbeat. Where the monitor waits
 * for one for more than TIMEOUT it has all ranks killed and started again, together: milliseconds,
 *or "3x", three steps, by what one takes at the start.
 *
 * If all of it is killed, the same command goes on in the same folder.
 */
#define _GNU_SOURCE
#include "ranks.h"
#include "state.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum tag { TO_LOW, TO_HIGH, DONE, BEAT, FINISHED, RECOVER, STOP };
#define MOST_ARGUMENTS 32
#define MOST_IN_VAIN 3 /* time-outs without a heartbeat in between */
/* Of which steps the monitor learns how long one takes, and how long it waits until then. */
#define GAPS_OF_EACH 8
#define MOST_GAPS 256
#define UNKNOWN_STEP_MS 30000

static int rank, monitor; /* its rank, the last */
static const char *folder;

static void rest(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

static bool is_there(int source, int tag)
{
    int flag;
    MPI_Iprobe(source, tag, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    return flag;
}

/* A message without contents, or with a number. */
static uint64_t take(int source, int tag)
{
    uint64_t number = 0;
    MPI_Recv(&number, 1, MPI_UINT64_T, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return number;
}

static void tell(int target, int tag, uint64_t number)
{
    MPI_Send(&number, 1, MPI_UINT64_T, target, tag, MPI_COMM_WORLD);
}

static void stop_all(const char *why)
{
    failed("ranks", "rank %d: %s", rank, why);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/*===-- The link ------------------------------------------------------------===*/

static char *name(const char *what)
{
    char *text;
    if (asprintf(&text, "%s/%s.%d", folder, what, rank) < 0)
        stop_all("no memory");
    return text;
}

/* Of the run that FOLDER is of, which may be one that was killed. The program has the file open,
 * too, so it is locked until both have ended. */
static int open_exchange(void)
{
    const struct timespec moment = {.tv_nsec = 10000000};
    int file = open(name("exchange"), O_RDWR | O_CREAT, 0600);
    if (file < 0)
        stop_all(strerror(errno));
    for (int round = 0; flock(file, LOCK_EX | LOCK_NB) != 0; round++) {
        if (errno != EWOULDBLOCK || round == 3000)
            stop_all("another run uses the folder");
        nanosleep(&moment, NULL);
    }
    return file;
}

/* What it holds of steps that are committed is kept. */
static struct exchange *map_exchange(int file, uint32_t room)
{
    struct stat about;
    if (fstat(file, &about) != 0)
        stop_all(strerror(errno));
    size_t bytes = exchange_bytes(room);
    bool is_new = about.st_size == 0;
    if (!is_new && about.st_size != (off_t)bytes)
        stop_all("the folder is of a run with another input: begin with an empty folder");
    struct exchange *x = MAP_FAILED;
    if (!is_new || ftruncate(file, (off_t)bytes) == 0)
        x = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (x == MAP_FAILED)
        stop_all(strerror(errno));
    if (x->room != 0 && memcmp(x->magic, EXCHANGE, sizeof(x->magic)) != 0)
        stop_all("the folder is of another program: begin with an empty folder");
    memcpy(x->magic, EXCHANGE, sizeof(x->magic));
    x->room = room;
    x->is_ready = 0;
    x->sent = x->received = x->done = 0;
    return x;
}

static struct exchange *make_exchange(const char *first)
{
    static struct state_head head;
    int in = open(first, O_RDONLY | O_CLOEXEC);
    const char *wrong = in < 0 ? strerror(errno) : state_head_read(in, &head);
    if (wrong) {
        failed("load", "%s: %s", first, wrong);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    close(in);
    if (head.total > INT_MAX / sizeof(struct particle))
        stop_all("so many particles do not fit into one message");
    return map_exchange(open_exchange(), head.total);
}

/* The program's arguments: as ours, with what is this rank's. */
static void add_arguments(char *out[MOST_ARGUMENTS], char **given, int count)
{
    char which[32];
    int n = 0;
    snprintf(which, sizeof(which), "%d/%d", rank, monitor);
    out[n++] = given[0];
    out[n++] = "-r";
    out[n++] = strdup(which);
    out[n++] = "-x";
    out[n++] = name("exchange");
    if (getenv("NVM_ENGINE")) {
        setenv("NVM_POOL", name("pool"), 1);
        setenv("NVM_EPOCH_MS", "0", 1);
    } else {
        out[n++] = "-c";
        out[n++] = name("checkpoint");
    }
    for (int i = 1; i < count && n < MOST_ARGUMENTS - 2; i++)
        out[n++] = given[i];
    out[n++] = name("out");
    out[n] = NULL;
}

static pid_t start(char **arguments, struct exchange *x)
{
    x->sent = 0; /* what it sends, it sends itself */
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* without its link it would wait for ever */
        execv(arguments[0], arguments);
        failed("ranks", "%s: %s", arguments[0], strerror(errno));
        _exit(127);
    }
    if (pid < 0)
        stop_all(strerror(errno));
    char *path = name("pid"), *other = name("pid.new");
    FILE *file = fopen(other, "w");
    if (file)
        fprintf(file, "%d\n", (int)pid);
    if (!file || fclose(file) != 0 || rename(other, path) != 0)
        stop_all(strerror(errno));
    free(path);
    free(other);
    return pid;
}

/* What is on its way in one step, between this rank and its neighbours. */
struct transfer {
    MPI_Request request[4];
    uint64_t step;
    bool is_open;
};

static int neighbour(int side)
{
    int other = side == LOW ? rank - 1 : rank + 1;
    return other >= 0 && other < monitor ? other : MPI_PROC_NULL;
}

/* With one neighbour, or with both. */
static void begin_transfer(struct transfer *t, struct exchange *x, uint64_t step,
                           const bool with[2])
{
    const struct sending *sending = &x->sending[step % 2];
    for (int side = LOW; side <= HIGH; side++) {
        int other = with[side] ? neighbour(side) : MPI_PROC_NULL;
        bool has = other != MPI_PROC_NULL;
        if (has && sending->step != step)
            stop_all("the folder does not have what a neighbour lacks: begin with an empty one");
        MPI_Isend(exchange_send(x, step, (unsigned)side),
                  has ? (int)(sending->count[side] * sizeof(struct particle)) : 0, MPI_BYTE, other,
                  side == LOW ? TO_LOW : TO_HIGH, MPI_COMM_WORLD, &t->request[side]);
        MPI_Irecv(exchange_receive(x, (unsigned)side),
                  has ? (int)(x->room * sizeof(struct particle)) : 0, MPI_BYTE, other,
                  side == LOW ? TO_HIGH : TO_LOW, MPI_COMM_WORLD, &t->request[2 + side]);
    }
    t->step = step;
    t->is_open = true;
}

/* What comes for a step that is committed here is not looked at. */
static void end_transfer(struct transfer *t, struct exchange *x)
{
    MPI_Status status[4];
    int flag, count;
    MPI_Testall(4, t->request, &flag, status);
    if (!flag)
        return;
    t->is_open = false;
    if (t->step == x->received)
        return;
    for (int side = LOW; side <= HIGH; side++) {
        MPI_Get_count(&status[2 + side], MPI_BYTE, &count);
        x->receive_count[side] = (uint32_t)((size_t)count / sizeof(struct particle));
    }
    x->received = t->step;
}

/* How far this rank and its neighbours are when they begin. */
struct beginning {
    uint64_t done;
    uint64_t of[2]; /* neighbours that have said it */
    bool said[2];
    bool has_told, is_over;
};

static void tell_how_far(struct beginning *b, struct exchange *x)
{
    b->done = x->received = x->done;
    b->has_told = true;
    for (int side = LOW; side <= HIGH; side++)
        if (neighbour(side) != MPI_PROC_NULL)
            tell(neighbour(side), DONE, b->done);
    tell(monitor, BEAT, b->done);
}

/* When both have said it, who lacks a step gets it. */
static void begin(struct beginning *b, struct exchange *x, struct transfer *t)
{
    bool lacks[2] = {false, false};
    if (x->is_ready && !b->has_told)
        tell_how_far(b, x);
    for (int side = LOW; side <= HIGH; side++) {
        int other = neighbour(side);
        if (other != MPI_PROC_NULL && !b->said[side] && is_there(other, DONE)) {
            b->of[side] = take(other, DONE);
            b->said[side] = true;
        }
        if (other != MPI_PROC_NULL && !b->said[side])
            return;
    }
    if (!b->has_told)
        return;
    for (int side = LOW; side <= HIGH; side++) {
        if (b->said[side] && (b->of[side] + 1 < b->done || b->done + 1 < b->of[side]))
            stop_all("ranks have kept different steps: begin with an empty folder");
        lacks[side] = b->said[side] && b->of[side] < b->done;
    }
    if (lacks[LOW] || lacks[HIGH])
        begin_transfer(t, x, b->done, lacks);
    b->is_over = true;
}

/* Killed by a signal it is started again; what it says itself counts. True: it has ended. */
static bool look_after(pid_t *pid, char **arguments, struct exchange *x)
{
    int status;
    if (waitpid(*pid, &status, WNOHANG) != *pid)
        return false;
    if (WIFSIGNALED(status))
        *pid = start(arguments, x);
    else if (WEXITSTATUS(status) != 0)
        stop_all("the program has ended with an error");
    return WIFEXITED(status);
}

static void link_ranks(char **given, int count)
{
    static const bool both[2] = {true, true};
    char *arguments[MOST_ARGUMENTS];
    struct beginning beginning = {.done = 0};
    struct exchange *x = make_exchange(given[count - 1]);
    struct transfer transfer = {.is_open = false};
    add_arguments(arguments, given, count);
    pid_t pid = start(arguments, x);
    uint64_t beats = 0;
    bool is_running = true;
    while (!is_there(monitor, STOP)) {
        if (!beginning.is_over) {
            begin(&beginning, x, &transfer);
            beats = beginning.done;
        } else if (transfer.is_open) {
            end_transfer(&transfer, x);
        } else if (x->sent == x->received + 1) {
            begin_transfer(&transfer, x, x->sent, both);
        }
        if (beginning.is_over && x->done > beats)
            tell(monitor, BEAT, beats = x->done);
        if (is_there(monitor, RECOVER)) {
            take(monitor, RECOVER);
            if (is_running)
                kill(pid, SIGKILL);
        }
        if (is_running && look_after(&pid, arguments, x)) {
            is_running = false;
            tell(monitor, FINISHED, 0);
        }
        rest();
    }
    take(monitor, STOP);
}

/*===-- The monitor ---------------------------------------------------------===*/

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* How long a heartbeat is waited for: so many steps, once it is known how long one takes. */
struct patience {
    double steps; /* 0: milliseconds were given */
    double ms;
    double gaps[MOST_GAPS]; /* between heartbeats of one rank, at the start */
    int count;
};

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool is_learning(const struct patience *p)
{
    return p->steps > 0 && p->ms == UNKNOWN_STEP_MS;
}

/* The median, since the first steps wait for pages and for other ranks to begin. */
static void calibrate(struct patience *p, double gap)
{
    int enough = monitor * GAPS_OF_EACH < MOST_GAPS ? monitor * GAPS_OF_EACH : MOST_GAPS;
    if (!is_learning(p))
        return;
    p->gaps[p->count++] = gap;
    if (p->count < enough)
        return;
    qsort(p->gaps, (size_t)enough, sizeof(p->gaps[0]), compare_doubles);
    p->ms = p->steps * p->gaps[enough / 2];
}

static void watch(struct patience p)
{
    double *last = calloc((size_t)monitor, sizeof(*last)), /* heartbeat */
        *asked = calloc((size_t)monitor, sizeof(*asked)), longest = 0, steps = 0;
    bool *is_done = calloc((size_t)monitor, sizeof(*is_done)),
         *has_begun = calloc((size_t)monitor, sizeof(*has_begun));
    int done = 0, missed = 0, in_vain = 0;
    if (!last || !asked || !is_done || !has_begun)
        stop_all("no memory");
    while (done < monitor) {
        bool is_late = false;
        for (int r = 0; r < monitor; r++) {
            while (is_there(r, BEAT)) {
                take(r, BEAT);
                double now = now_ms(), gap = now - last[r];
                if (has_begun[r] && !is_learning(&p) && gap > longest)
                    longest = gap;
                if (has_begun[r])
                    calibrate(&p, gap);
                last[r] = asked[r] = now;
                has_begun[r] = true;
                in_vain = 0;
                steps++;
            }
            if (is_there(r, FINISHED)) {
                take(r, FINISHED);
                is_done[r] = true;
                done++;
            }
            /* Twice as long each time: who was started again for being late may need that time. */
            is_late = is_late || (has_begun[r] && !is_done[r] &&
                                  now_ms() - asked[r] > p.ms * (double)(1 << in_vain));
        }
        if (is_late) {
            missed++;
            if (++in_vain > MOST_IN_VAIN)
                stop_all("the ranks do not come back");
            printf("time-out: all ranks go on from the last good state\n");
            fflush(stdout);
            for (int r = 0; r < monitor; r++) {
                tell(r, RECOVER, 0);
                asked[r] = now_ms();
            }
        }
        rest();
    }
    for (int r = 0; r < monitor; r++)
        tell(r, STOP, 0);
    printf("beats: %.0f\nlongest: %.1f\nmissed: %d\nwaited: %.1f\n", steps, longest, missed, p.ms);
    free(last);
    free(asked);
    free(is_done);
    free(has_begun);
}

/* "3x": so many steps. False if it is neither that nor milliseconds. */
static bool read_patience(const char *text, struct patience *p)
{
    char *end;
    double value = strtod(text, &end);
    bool is_steps = !strcmp(end, "x");
    *p = (struct patience){.steps = is_steps ? value : 0, .ms = is_steps ? UNKNOWN_STEP_MS : value};
    return value > 0 && (is_steps || !*end);
}

int main(int argc, char **argv)
{
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    monitor = size - 1;
    struct patience patience;
    if (argc <= 5 || size < 2 || !read_patience(argv[1], &patience)) {
        if (rank == 0)
            fprintf(stderr,
                    "usage: mpirun -n N fluid-mpi TIMEOUT FOLDER PROGRAM OPTION .. STEPS IN\n");
        MPI_Finalize();
        return 2;
    }
    folder = argv[2];
    if (rank == monitor)
        watch(patience);
    else
        link_ranks(argv + 3, argc - 3);
    MPI_Finalize();
    return 0;
}
