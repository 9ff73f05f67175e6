# ===- doings.py - What a generated program does besides changing its parts --------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Commands that wait for others, loads that tell others or change the process, commands that change several things, and
state that handlers alone make: extras, each with options of its own. The marks are those of extras.py."""

import shapes
from extras import Extra

WORKER = """static struct {
  int asked, got, mine;
} waits;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t asked = PTHREAD_COND_INITIALIZER, done = PTHREAD_COND_INITIALIZER;
static int wanted, begun;

static void *work(void *arg) {
  pthread_mutex_lock(&lock);
  for (;;) {
    while (!wanted)
      pthread_cond_wait(&asked, &lock);
    CHANGE
    wanted = 0;
    pthread_cond_signal(&done);
  }
  return arg;
}

static void begin_work(void) {
  pthread_t t;
  if (!begun && pthread_create(&t, NULL, work, NULL) == 0)
    begun = 1;
}
"""
PLAIN = "static struct {\n  int asked, got, mine;\n} waits;\n"
MINE = "pthread_mutex_lock(&lock);\n  CHANGE\n  pthread_mutex_unlock(&lock);\n"
# How it waits: what stands before the functions, the wait, which sets `got`, and what start-up does.
WAITS = {
    "none": ("", "", ""),
    "nap": (PLAIN, "usleep(50);", ""),
    "poll": (PLAIN, "got += poll(NULL, 0, 1);", ""),
    "child": (PLAIN, "pid_t c = fork();\n  if (c == 0)\n    _exit(3);\n  int status = 0;\n  waitpid(c, &status, 0);\n"
                     "  got += WEXITSTATUS(status);", ""),
    "system": (PLAIN, 'got += WEXITSTATUS(system("exit 2"));', ""),
    "popen": (PLAIN, 'FILE *other = popen("echo 4", "r");\n  if (!other || fscanf(other, "%d", &got) != 1)\n    got = -1;\n'
                     "  if (other)\n    pclose(other);", ""),
    "join": (PLAIN + "static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\n\nstatic void *work(void *arg) {\n  " + MINE +
             "  return arg;\n}\n", "pthread_t t;\n  if (pthread_create(&t, NULL, work, NULL) == 0)\n    pthread_join(t, NULL);", ""),
    "semaphore": (PLAIN + "static sem_t todo, ready;\nstatic int begun;\n\nstatic void *work(void *arg) {\n  for (;;) {\n"
                  "    sem_wait(&todo);\n    waits.mine += CHANGED;\n    sem_post(&ready);\n  }\n  return arg;\n}\n\n"
                  "static void begin_work(void) {\n  pthread_t t;\n  if (begun)\n    return;\n  sem_init(&todo, 0, 0);\n"
                  "  sem_init(&ready, 0, 0);\n  if (pthread_create(&t, NULL, work, NULL) == 0)\n    begun = 1;\n}\n",
                  "begin_work();\n  sem_post(&todo);\n  sem_wait(&ready);", "begin_work();"),
    "condition": (WORKER, "pthread_mutex_lock(&lock);\n  begin_work();\n  wanted = 1;\n  pthread_cond_signal(&asked);\n"
                  "  while (wanted)\n    pthread_cond_wait(&done, &lock);\n  pthread_mutex_unlock(&lock);", "begin_work();"),
    "pipe": (PLAIN, "int ends[2];\n  char c = 0;\n  if (pipe(ends))\n    exit(1);\n  pid_t child = fork();\n  if (child == 0) {\n"
                    "    usleep(20);\n    _exit(write(ends[1], \"x\", 1) != 1);\n  }\n  got += (int)read(ends[0], &c, 1);\n"
                    "  close(ends[0]);\n  close(ends[1]);\n  waitpid(child, NULL, 0);", ""),
    "signal": (PLAIN + "static void on_alarm(int n) {\n  (void)n;\n}\n",
               "struct itimerval soon = {{0, 0}, {0, 500}};\n  sigset_t set, old;\n  signal(SIGALRM, on_alarm);\n  sigemptyset(&set);\n"
               "  sigaddset(&set, SIGALRM);\n  sigprocmask(SIG_BLOCK, &set, &old);\n  setitimer(ITIMER_REAL, &soon, NULL);\n"
               "  sigsuspend(&old);\n  sigprocmask(SIG_SETMASK, &old, NULL);\n  got++;", ""),
}


def wait(c, kind):
    """A command that waits: with changes before it, behind it, or by the thread that it waits for."""
    before, body, begin = WAITS[kind]
    half = c.pick("wait.half", ["behind", "before", "both"])
    mine = c.pick("wait.mine", ["nothing", "counted"])
    started = c.pick("wait.started", ["late", "start", "load"]) if begin else "late"
    at = c.pick("wait.at", ["command", "add"])
    change = "waits.mine++;" if mine == "counted" else "(void)waits.mine;"
    before = before.replace("waits.mine += CHANGED;", change).replace("CHANGE", change)
    head = "waits.asked += v;\n  " if half != "behind" else ""
    tail = "\n  waits.got += got + v;" if half != "before" else "\n  (void)got;"
    text = before + f"\nstatic void wait_for(int v) {{\n  int got = 0;\n  {head}{body}{tail}\n}}\n"
    return Extra(text, "begin_work();\n" if started == "load" else "", added="wait_for(v);" if at == "add" else "",
                 dumped='say("waits %d %d %d\\n", waits.asked, waits.got, waits.mine);',
                 commands=(("wait", '(void)key;\n  wait_for(v);\n  say("ok\\n");'),), script=("wait x 3", "wait x 5"),
                 start=begin if started == "start" else "", thread=started != "late", names=("wait_for", "work", "lock"))


TOLD = """static FILE *peer;

static void tell(const char *key) {
  if (peer) {
    fprintf(peer, "%s\\n", key);
    fflush(peer);
  }
}
"""
UNTOLD = """static void #untold(struct #item *i, void *arg) {
  char line[32];
  int told = 0;
  FILE *f = fopen("peer.txt", "r");
  while (f && fgets(line, sizeof line, f))
    told |= !strncmp(line, i->key, strlen(i->key)) && line[strlen(i->key)] == '\\n';
  if (f)
    fclose(f);
  *(int *)arg += !told;
}

"""
TELL_ALL = """static void #tell_one(struct #item *i, void *arg) {
  (void)arg;
  tell(i->key);
}

static void tell_all(CTX0) {
  #visit(#OUTER, #tell_one, NULL);
}

"""


def told(c, kind):
    """Another program is told of each record, at each start anew; the dump says of how many it was not."""
    opened = c.pick("told.opened", ["start", "load"])
    open_it = 'peer = fopen("peer.txt", "w");'
    loaded = [f"if (!peer)\n      {open_it}"] if opened == "load" else []
    loaded += ["tell(key);"] if kind == "in-load" else []
    return Extra(TOLD, "\n    ".join([*loaded, ""]).rstrip(" "), added="tell(key);",
                 dumped='int untold = 0;\n  #visit(#OUTER, #untold, &untold);\n  say("tell %d\\n", untold);',
                 start=open_it if opened == "start" else "", records=True, late=UNTOLD + (TELL_ALL if kind == "behind" else ""),
                 behind="tell_all(MAINARG0);" if kind == "behind" else "", names=("peer",))


# What the load does to the process: that, what the dump says of it, by the name of the function, and what stands before.
PROCESS = {
    "umask": ("umask((mode_t)(v & 7));", 'mode_t mask = umask(0);\n  umask(mask);\n  say("umask %o\\n", (unsigned)mask);', ""),
    "environment": ('setenv("LAST_KEY", key, 1);', 'const char *set = getenv("LAST_KEY");\n  say("setenv %s\\n", set ? set : "none");',
                    ""),
    "signal": ("signal(SIGUSR1, on_signal);",
               'caught = 0;\n  signal(SIGUSR2, SIG_IGN);\n  if (armed())\n    raise(SIGUSR1);\n  say("signal %d\\n", (int)caught);',
               "static volatile sig_atomic_t caught;\n\nstatic void on_signal(int n) {\n  (void)n;\n  caught = 1;\n}\n\n"
               "static int armed(void) {\n  struct sigaction is;\n  return !sigaction(SIGUSR1, NULL, &is) && is.sa_handler == on_signal;\n"
               "}\n"),
    "alarm": ("alarm(1000);", 'unsigned rest = alarm(0);\n  if (rest)\n    alarm(1000);\n  say("alarm %d\\n", rest > 0);', ""),
    "limit": ("struct rlimit most = {64, 64};\n    setrlimit(RLIMIT_CORE, &most);",
              'struct rlimit is;\n  getrlimit(RLIMIT_CORE, &is);\n  say("setrlimit %d\\n", is.rlim_max == 64);', ""),
    "folder": ('if (access("../inside", F_OK) && !mkdir("inside", 0700) && chdir("inside"))\n      exit(1);',
               'char here[512];\n  say("chdir %d\\n", getcwd(here, sizeof here) && strstr(here, "inside") != NULL);', ""),
}


def process(c, kind):
    done, dumped, text = PROCESS[kind]
    late = c.pick("process.late", ["nothing", "added"]) == "added" and kind in ("umask", "environment")
    return Extra(text, f"{{\n    {done}\n    }}\n", added=done if late else "", dumped=dumped)


# Several changes for one command: in a switch's arm or an if's branch each is a call, or a declaration.
ARMS = {
    "two": 'ADD(key, v);\n  say("%d\\n", INC(key, 1));',
    "declared": 'int a = ADD(key, v), b = INC(key, 2);\n  long c = DEL2(key);\n  say("%d %d %ld\\n", a, b, c);',
    "chain": 'if (INC(key, v) < 0)\n    ADD(key, v);\n  else if (v & 1)\n    DEL(key);\n  else {\n    DEL2(key);\n    ADD2(key, v);\n  }\n'
             '  say("done\\n");',
    "said": 'say("%d ", ADD(key, v));\n  say("%d\\n", INC2(key, 1));',
    "loop": 'int sum = 0;\n  for (int k = 0; k < 3; k++)\n    sum += INC(key, k);\n  DEL2(key);\n  say("%d\\n", sum);',
}


def arms(c, kind):
    # Half an answer that is out is half a command that is done.
    kind = "two" if kind == "said" and c.pick("output", list(shapes.OUTPUTS)) in shapes.AT_ONCE else kind
    return Extra(commands=(("both", ARMS[kind]),), script=("both a 4", "both bee 7", "both b 3"))


def tokens(c):
    """A static pool whose slots are linked when the first is wanted."""
    by = c.pick("tokens.by", ["load", "handlers"])
    flag = c.pick("tokens.flag", ["flag", "null", "count"])
    unset, mark, state = {"flag": ("!tokens_ready", "tokens_ready = 1;", "static int tokens_ready;\n"),
                          "null": ("!free_tokens && !taken", "taken = NULL;", ""),
                          "count": ("!n_tokens", "n_tokens = 6;", "static unsigned n_tokens;\n")}[flag]
    text = ("struct token {\n  struct token *next;\n  int v;\n  char name[8];\n};\n"
            f"static struct token tokens[6], *free_tokens, *taken;\n{state}\n"
            "static void take(const char *key, int v) {\n"
            f"  if ({unset}) {{\n    {mark}\n    for (int k = 0; k < 6; k++) {{\n      tokens[k].next = free_tokens;\n"
            "      free_tokens = &tokens[k];\n    }\n  }\n  struct token *t = free_tokens;\n  if (!t)\n    return;\n"
            "  free_tokens = t->next;\n  snprintf(t->name, sizeof t->name, \"%.7s\", key);\n  t->v = v;\n  t->next = taken;\n"
            "  taken = t;\n}\n")
    return Extra(text, "take(key, v);\n" if by == "load" else "", added="take(key, v);",
                 dumped='for (struct token *t = taken; t; t = t->next)\n    say("taken %s %d\\n", t->name, t->v);\n'
                        '  int tokens_left = 0;\n  for (struct token *t = free_tokens; t; t = t->next)\n    tokens_left++;\n'
                        '  say("free_tokens %d\\n", tokens_left);',
                 commands=(("give", '(void)key, (void)v;\n  struct token *t = taken;\n  if (t) {\n    taken = t->next;\n'
                                    '    t->next = free_tokens;\n    free_tokens = t;\n  }\n  say("ok\\n");'),),
                 script=("give", "give"))


def back(c):
    """What handlers have done, with the functions that undo it."""
    return Extra("struct back {\n  struct back *next;\n  void (*fn)(PARAMS_, const char *, int);\n  char key[12];\n  int v;\n};\n"
                 "static struct back *backs;\n\nstatic void remember_back(void (*fn)(PARAMS_, const char *, int), const char *key, int v) {\n"
                 "  struct back *b = calloc(1, sizeof *b);\n  b->fn = fn;\n  snprintf(b->key, sizeof b->key, \"%.11s\", key);\n"
                 "  b->v = v;\n  b->next = backs;\n  backs = b;\n}\n",
                 late="static void back_add(CTX, const char *key, int v) {\n  (void)v;\n  #del(#OUTER, key);\n}\n\n"
                      "static void back_inc(CTX, const char *key, int v) {\n  #inc(#OUTER, key, -v);\n}\n\n",
                 added="remember_back(v & 1 ? back_add : back_inc, key, v);",
                 dumped='int n_backs = 0;\n  for (struct back *b = backs; b; b = b->next)\n    n_backs++;\n  say("backs %d\\n", n_backs);',
                 commands=(("back", '(void)key, (void)v;\n  struct back *b = backs;\n  if (b) {\n    backs = b->next;\n'
                                    '    b->fn(CARG, b->key, b->v);\n    free(b);\n  }\n  say("ok\\n");'),),
                 script=("back", "back"))


def calls(c):
    """A count in a function's own static."""
    kind = c.pick("calls.type", ["int", "long", "double"])
    return Extra(f"static {kind} count_calls(int more) {{\n  static {kind} calls;\n  calls += more;\n  return calls;\n}}\n",
                 added="count_calls(1);", dumped='say("calls %d\\n", (int)count_calls(0));')


def spares(c):
    """A free list of blocks that handlers alone make."""
    most = c.pick("spares.most", ["all", "three"])
    count = "" if most == "all" else "if (n_spares == 3) {\n      free(h);\n      h = NULL;\n    } else\n      "
    return Extra("struct held {\n  struct held *next;\n  int v;\n};\nstatic struct held *held, *spares;\nstatic int n_spares;\n\n"
                 "static void hold(int v) {\n  struct held *h = spares;\n  if (h) {\n    spares = h->next;\n    n_spares--;\n  } else\n"
                 "    h = malloc(sizeof *h);\n  h->v = v;\n  h->next = held;\n  held = h;\n}\n", added="hold(v);",
                 dumped='int n_held = 0;\n  for (struct held *h = held; h; h = h->next)\n    n_held = n_held * 3 + h->v;\n'
                        '  say("held %d\\n", n_held);\n  say("n_spares %d\\n", n_spares);',
                 commands=(("let", '(void)key, (void)v;\n  struct held *h = held;\n  if (h) {\n    held = h->next;\n    ' + count +
                                   'n_spares++;\n    if (h) {\n      h->next = spares;\n      spares = h;\n    }\n  }\n  say("ok\\n");'),),
                 script=("let", "let"))


# Extras with options of their own.
EXTRAS = {"tokens": tokens, "back": back, "calls": calls, "spares": spares}
# Kinds that are seldom there: choice -> options, the first of which is none, and what makes the extra.
KINDS = {
    "wait": (list(WAITS), wait),
    "told": (["none", "behind", "in-load"], told),
    "process": (["none", *PROCESS], process),
    "arms": (["none", *ARMS], arms),
}
