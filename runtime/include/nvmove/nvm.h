/*===- nvmove/nvm.h - what a rewritten program calls ------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * The only contract between the nvmove tool and its runtime. Every symbol that
 * the rewriter can emit is declared here and nowhere else.
 *
 * This header includes no libc header, so that it may stand first in any file
 * without disturbing feature-test macros. It is C89 with the GNU keywords
 * __typeof__ and __attribute__. What compiles without a warning goes on to do so
 * with it, whatever warnings are asked for (test/runtime/header/matrix.sh).
 *
 * When NVM_POOL is not set in the environment no pool is opened, every hook is
 * one failing comparison, every allocation is malloc's: the plain program.
 *
 * Vocabulary. Pool: the file that holds the state. Heap: the objects in it,
 * always mapped at the same address. Section: stores that become durable
 * together or not at all; sections nest flat (the outermost one commits).
 * Orphan: a store to the heap made outside every section; it becomes durable
 * with the next commit.
 *
 * Threads. Any thread may allocate, free and store. Where each outermost section
 * commits at its end, one thread at a time runs one: nvm_begin() of another thread
 * waits. Where commits are apart in time, or come before outputs, and a lock has
 * made a section (nvm_pthread_mutex_lock() and its kin), they run beside each other,
 * and the program's own locks keep them apart.
 *
 * Crashes. Unless stated otherwise a crash at any instruction leaves the pool
 * as of the last completed commit. exit() commits what an outermost section did
 * so far; inside a nested one, and before nvm_ready(), it commits nothing.
 * A program that frees its state before it ends calls nvm_detach() before that.
 *
 * Children. fork() before nvm_restore() is taken for a daemon's. After it the
 * child has a frozen view: it may read, store and allocate, and nothing of that
 * reaches the pool.
 *
 * Signal handlers must not store to the heap, allocate or free.
 */
#ifndef NVMOVE_NVM_H
#define NVMOVE_NVM_H

/* Compilers leave out their warnings about this text and what its macros expand to. */
#pragma GCC system_header

#ifdef __cplusplus
extern "C" {
#endif

/*===-- Announcing stores ---------------------------------------------------===*/

/* What the inline part of the hook reads. Private: use NVM(). */
struct nvm_hot {
    unsigned long base;       /* first byte of the heap */
    unsigned long size_bytes; /* 0 when nothing has to be announced */
    unsigned char *touched;   /* one byte per 64-byte line; 1: announced since the last commit */
};
extern struct nvm_hot nvm_hot;

/* The branch orders the program's store behind the load of the mark, on any processor; but
 * ThreadSanitizer knows no order by branches. */
#ifdef __SANITIZE_THREAD__
#define NVM_MARK_ORDER __ATOMIC_ACQUIRE
#else
#define NVM_MARK_ORDER __ATOMIC_RELAXED
#endif

/* Slow path: [offset, offset + size) of the heap is about to be written. */
void nvm_touch(unsigned long offset, unsigned long size_bytes);

/* Announces that [p, p + size_bytes) is about to be written; gives back p.
 * Any address is allowed; outside the heap it does nothing. Never commits. */
extern __inline__ __attribute__((gnu_inline, always_inline)) void *
nvm_store(const volatile void *p, unsigned long size_bytes) /* in inline functions, too */
{
    unsigned long offset = (unsigned long)p - nvm_hot.base;
    if (__builtin_expect(offset < nvm_hot.size_bytes, 0)) {
        unsigned long first = offset >> 6, last = (offset + size_bytes - 1) >> 6;
        if (!(last - first <= 1 && __atomic_load_n(&nvm_hot.touched[first], NVM_MARK_ORDER) == 1 &&
              __atomic_load_n(&nvm_hot.touched[last], NVM_MARK_ORDER) == 1))
            nvm_touch(offset, size_bytes);
    }
    return (void *)p;
}

/* An lvalue that is about to be written: NVM(entry->next) = x; NVM(o->n)++.
 * The lvalue is evaluated once. */
#define NVM(lvalue) (*(__typeof__(lvalue) *)nvm_store(&(lvalue), sizeof(lvalue)))

/* An assignment whose value is computed by code that may commit, since it writes
 * to a file: NVM_SET(entry->next, make(file)). The value is computed first, then
 * the lvalue is announced; each is evaluated once. Gives back the new value. */
#define NVM_SET(lvalue, ...)                                                                       \
    __extension__({                                                                                \
        __typeof__(lvalue) nvm_value = (__VA_ARGS__);                                              \
        NVM(lvalue) = nvm_value;                                                                   \
    })
/* The same for another operator: NVM_CHANGE(o->price, +=, ask(file)). */
#define NVM_CHANGE(lvalue, sign, ...)                                                              \
    __extension__({                                                                                \
        __typeof__((__VA_ARGS__) + 0) nvm_value = (__VA_ARGS__);                                   \
        _Pragma("GCC diagnostic push")                                                             \
            _Pragma("GCC diagnostic ignored \"-Wconversion\"") __typeof__(lvalue) nvm_new =        \
                (NVM(lvalue) sign nvm_value);                                                      \
        _Pragma("GCC diagnostic pop") nvm_new;                                                     \
    })

/* A pointer to an object that is about to be written as a whole; for bit-fields:
 * NVM_OBJ(o)->lru = x. The pointer is evaluated once. */
#define NVM_OBJ(pointer) ((__typeof__(&*(pointer)))nvm_store((pointer), sizeof(*(pointer))))

/* A buffer that a function is about to fill: vsnprintf(NVM_BUF(b, n), n, ..). */
#define NVM_BUF(pointer, size_bytes) ((__typeof__(&*(pointer)))nvm_store((pointer), (size_bytes)))

/* The same of a buffer of unknown size: all from there to the end of its block in the heap.
 * swab(a, NVM_REST(b), n). */
#define NVM_REST(pointer) ((__typeof__(&*(pointer)))nvm_rest((pointer)))
void *nvm_rest(const volatile void *p);
/* The same of a pointer, and of what it leads to: iconv(c, &from, &n, NVM_BEHIND(&to), &m). */
#define NVM_BEHIND(pointer) ((__typeof__(&*(pointer)))nvm_behind((pointer)))
void *nvm_behind(const volatile void *p);

/* mem* and str* that announce their destination first. As the libc functions. */
void *nvm_memcpy(void *dst, const void *src, __SIZE_TYPE__ n);
void *nvm_memmove(void *dst, const void *src, __SIZE_TYPE__ n);
void *nvm_memset(void *dst, int c, __SIZE_TYPE__ n);
char *nvm_strcpy(char *dst, const char *src);
char *nvm_strncpy(char *dst, const char *src, __SIZE_TYPE__ n);
char *nvm_strcat(char *dst, const char *src);
char *nvm_strncat(char *dst, const char *src, __SIZE_TYPE__ n);
char *nvm_stpcpy(char *dst, const char *src);
void nvm_bzero(void *dst, __SIZE_TYPE__ n);
void nvm_bcopy(const void *src, void *dst, __SIZE_TYPE__ n);
void *nvm_mempcpy(void *dst, const void *src, __SIZE_TYPE__ n);
int nvm_sprintf(char *dst, const char *format, ...) __attribute__((format(printf, 2, 3)));
int nvm_vsprintf(char *dst, const char *format, __builtin_va_list arguments)
    __attribute__((format(printf, 2, 0)));
/* strtok() ends a part of what an earlier call was handed: where one of a
 * program's calls is replaced, all are. */
char *nvm_strtok(char *s, const char *separators);
char *nvm_strtok_r(char *s, const char *separators, char **rest);
char *nvm_strsep(char **rest, const char *separators);
void nvm_qsort(void *base, __SIZE_TYPE__ n, __SIZE_TYPE__ size_bytes,
               int (*compare)(const void *, const void *));

/* Input that lands in the heap: read into a bounce buffer, so that only the
 * bytes that arrived are announced, and a fault in the kernel cannot occur. */
long nvm_read(int fd, void *buf, __SIZE_TYPE__ n);
long nvm_pread(int fd, void *buf, __SIZE_TYPE__ n, long offset);
long nvm_recv(int fd, void *buf, __SIZE_TYPE__ n, int flags);
/* `from`: a struct sockaddr, `from_size_bytes`: its socklen_t; or null. */
long nvm_recvfrom(int fd, void *buf, __SIZE_TYPE__ n, int flags, void *from, void *from_size_bytes);
/* `places`: of struct iovec; `message`: a struct msghdr. Announce all that may be filled. */
long nvm_readv(int fd, const void *places, int n);
long nvm_preadv(int fd, const void *places, int n, long offset);
long nvm_recvmsg(int fd, void *message, int flags);
__SIZE_TYPE__ nvm_fread(void *buf, __SIZE_TYPE__ size_bytes, __SIZE_TYPE__ n, void *stream);
char *nvm_fgets(char *buf, int n, void *stream);

/*===-- Allocation ----------------------------------------------------------===*/

/* A type of object in the heap. One per persistent type; NVM_TYPE makes it. */
struct nvm_type {
    const char *name;
    unsigned long size_bytes;       /* 0 until nvm_layout() */
    const struct nvm_field *fields; /* NULL until nvm_layout() */
    unsigned field_count;
    unsigned id; /* number in the pool; set by the runtime */
};
struct nvm_field {
    const char *name;
    unsigned long offset, size_bytes; /* size 0: flexible array member */
    unsigned kind;                    /* NVM_KIND_*, and the class of its C type; 0: unknown */
    const char *record;               /* NVM_KIND_RECORD: name of that type */
};
#define NVM_KIND_POINTER 0x100u
#define NVM_KIND_COUNT 0x200u
#define NVM_KIND_RECORD 0x300u
#define NVM_KIND_COMPUTED 0x400u
#define NVM_KIND_VOLATILE 0x500u
#define NVM_KIND_DESCRIPTOR 0x600u
#define NVM_KIND_COMPUTED_IN_HEAP 0x700u
#define NVM_KIND_LINE_LOG 0x800u

/* At file scope, in every file that allocates the type. */
#define NVM_TYPE(name) __attribute__((weak)) struct nvm_type nvm_type_##name = {#name, 0, 0, 0, 0}
/* Objects without a record type: strings, packed bytes, tables of pointers. */
extern struct nvm_type nvm_type_bytes;
/* Objects that are tables of pointers and nothing else. */
extern struct nvm_type nvm_type_pointers;

/* Members that are deprecated are fields all the same. */
#define NVM_FIELDS(fields, ...)                                                                    \
    _Pragma("GCC diagnostic push") _Pragma(                                                        \
        "GCC diagnostic ignored \"-Wdeprecated-declarations\"") static const struct nvm_field      \
        fields[] = {__VA_ARGS__};                                                                  \
    _Pragma("GCC diagnostic pop")

/* In one file per type, at file scope: what the type looks like. The pool
 * remembers it and is refused when a rebuilt program has another layout. */
#define NVM_LAYOUT(name, type, ...)                                                                \
    NVM_FIELDS(nvm_fields_##name, __VA_ARGS__)                                                     \
    __attribute__((constructor)) static void nvm_layout_##name(void)                               \
    {                                                                                              \
        nvm_layout(&nvm_type_##name, sizeof(type), nvm_fields_##name,                              \
                   sizeof(nvm_fields_##name) / sizeof(nvm_fields_##name[0]));                      \
    }                                                                                              \
    struct nvm_type
#define NVM_FIELD(type, field)                                                                     \
    {#field, __builtin_offsetof(type, field), NVM_SIZE(type, field), NVM_CLASS(type, field), 0}
#define NVM_FLEXIBLE(type, field)                                                                  \
    {#field, __builtin_offsetof(type, field), 0, NVM_CLASS(type, field), 0}
/* Fields of which more is known. They hold:
 * pointers, one or an array, never integers in disguise: what relocation needs; */
#define NVM_POINTER(type, field)                                                                   \
    {#field, __builtin_offsetof(type, field), NVM_SIZE(type, field),                               \
     NVM_CLASS(type, field) | NVM_KIND_POINTER, 0}
/* pointers as well, that may lead to what ends with the process (a block that is not of
 * the heap, a library's): those that do are null in the next run. nvm_start() looks
 * for them in all that is reached: it takes time in proportion to the heap; */
#define NVM_VOLATILE(type, field)                                                                  \
    {#field, __builtin_offsetof(type, field), NVM_SIZE(type, field),                               \
     NVM_CLASS(type, field) | NVM_KIND_VOLATILE, 0}
/* descriptors of open files, int, one or an array: -1 in the next run, but for 0; or an
 * fd_set: empty then; or a lock of pthreads: zero then, as its initialiser makes it, and
 * held by nobody; as above; */
#define NVM_DESCRIPTOR(type, field)                                                                \
    {#field, __builtin_offsetof(type, field), NVM_SIZE(type, field),                               \
     NVM_CLASS(type, field) | NVM_KIND_DESCRIPTOR, 0}
/* records, one or an array, of a type with a layout of its own; */
#define NVM_RECORD(type, field, name)                                                              \
    {#field, __builtin_offsetof(type, field), NVM_SIZE(type, field),                               \
     NVM_CLASS(type, field) | NVM_KIND_RECORD, #name}
#define NVM_FLEXIBLE_RECORD(type, field, name)                                                     \
    {#field, __builtin_offsetof(type, field), 0, NVM_CLASS(type, field) | NVM_KIND_RECORD, #name}
#define NVM_FLEXIBLE_POINTERS(type, field)                                                         \
    {#field, __builtin_offsetof(type, field), 0, NVM_CLASS(type, field) | NVM_KIND_POINTER, 0}
/* what is computed from addresses (a hash, a difference, links that are XORed): a pool
 * in which one is not zero cannot be moved, nor opened where statics that objects point
 * to lie elsewhere; */
#define NVM_COMPUTED(type, field)                                                                  \
    {#field, __builtin_offsetof(type, field), NVM_SIZE(type, field),                               \
     NVM_CLASS(type, field) | NVM_KIND_COMPUTED, 0}
#define NVM_FLEXIBLE_COMPUTED(type, field)                                                         \
    {#field, __builtin_offsetof(type, field), 0, NVM_CLASS(type, field) | NVM_KIND_COMPUTED, 0}
/* the same, of addresses of the heap alone: nothing of statics that lie elsewhere in the
 * next run; */
#define NVM_COMPUTED_IN_HEAP(type, field)                                                          \
    {#field, __builtin_offsetof(type, field), NVM_SIZE(type, field),                               \
     NVM_CLASS(type, field) | NVM_KIND_COMPUTED_IN_HEAP, 0}
#define NVM_FLEXIBLE_COMPUTED_IN_HEAP(type, field)                                                 \
    {#field, __builtin_offsetof(type, field), 0,                                                   \
     NVM_CLASS(type, field) | NVM_KIND_COMPUTED_IN_HEAP, 0}
/* the number of pointers to the object's first byte, no matter where they are: a
 * collection (nvmove/collect.h) lowers it by those that a crash took away. Changed
 * in sections only. Values below 1 or above a quarter of the type's range stay. */
#define NVM_COUNT(type, field)                                                                     \
    {#field, __builtin_offsetof(type, field), NVM_SIZE(type, field),                               \
     NVM_CLASS(type, field) | NVM_KIND_COUNT, 0}
/* the member that NVM_LINE_LOG_32() or NVM_LINE_LOG_64() makes. No compiler takes a record
 * of another size than 32 or 64. */
#define NVM_LINE_LOG(type)                                                                         \
    {"nvm_line_log",                                                                               \
     __builtin_offsetof(type, nvm_line_log) +                                                      \
         0 * sizeof(char[sizeof(type) == 32 || sizeof(type) == 64 ? 1 : -1]),                      \
     NVM_SIZE(type, nvm_line_log), NVM_CLASS(type, nvm_line_log) | NVM_KIND_LINE_LOG, 0}
/* Bit-fields that stand next to each other, all of them: names with widths, as in
 * "busy:1,:3,level:4", and the bytes from the end of the member before them (or 0) to
 * the next member (or the type's size). */
#define NVM_BITS(names, begin, end) {names, begin, (end) - (begin), 0, 0}
#define NVM_BEGIN(type, field) __builtin_offsetof(type, field)
#define NVM_END(type, field) (NVM_BEGIN(type, field) + NVM_SIZE(type, field))
#define NVM_SIZE(type, field) sizeof(((type *)0)->field)
#define NVM_CLASS(type, field) ((unsigned)(1 + __builtin_classify_type(((type *)0)->field)))
void nvm_layout(struct nvm_type *type, unsigned long size_bytes, const struct nvm_field *fields,
                unsigned field_count);
/* Behind NVM_LAYOUT: a block of this type is full of records of it, one or more. What ends
 * with the process ends in all of them. */
#define NVM_ELEMENTS(name)                                                                         \
    __attribute__((constructor)) static void nvm_elements_##name(void)                             \
    {                                                                                              \
        nvm_elements(&nvm_type_##name);                                                            \
    }                                                                                              \
    struct nvm_type
void nvm_elements(struct nvm_type *type);

/* Last in a record whose members before take so many bytes, at most 16 or 48: makes it one of 32
 * or 64, with room for what one word of it held when the epoch began, in the same line of the
 * processor's cache:
 *   struct node { struct node *next; long count; NVM_LINE_LOG_32(16); };
 * Under the engine incll the first word of the record that changes in an epoch, by announcements
 * that lie in it, then needs neither flush nor fence; other engines make nothing of it. Only for
 * types whose blocks hold such records from their first byte on and nothing else. The runtime alone
 * writes the member; it may be copied with the record, and hold anything. The type's layout names
 * it: NVM_LINE_LOG(). (ResPCT; In-Cache-Line Logging.) */
#define NVM_LINE_LOG_32(bytes) NVM_LINE_LOG_OF(32, ((bytes) + 7) / 8 * 8)
#define NVM_LINE_LOG_64(bytes) NVM_LINE_LOG_OF(64, ((bytes) + 7) / 8 * 8)
#define NVM_LINE_LOG_OF(size, bytes)                                                               \
    unsigned long nvm_line_log[(bytes) > (size) - 16 ? -1 : ((size) - (bytes)) / 8]

/* Evaluates `call`; every nvm_malloc, nvm_calloc and nvm_realloc made meanwhile
 * by this thread, however deep in the program's own wrappers, takes its memory
 * from the heap: NVM_ALLOC(dictEntry, zmalloc(sizeof(*entry))). Nests. */
#define NVM_ALLOC(name, call)                                                                      \
    (nvm_place(&nvm_type_##name), (__typeof__(call))nvm_placed((const volatile void *)(call)))
/* The same for a call that puts the block where an argument points and gives a number:
 * NVM_ALLOC_OUT(page, nvm_posix_memalign(&p, 64, sizeof(*page))). */
#define NVM_ALLOC_OUT(name, call)                                                                  \
    (nvm_place(&nvm_type_##name), (__typeof__(call))(nvm_placed_out((long)(call))))
void nvm_place(struct nvm_type *type);
void *nvm_placed(const volatile void *result);
long nvm_placed_out(long result);

/* Trees in the heap, as <search.h> has them. Where one of a program's calls is
 * replaced, all are: the C library's trees have other nodes. A VISIT is an unsigned. */
typedef int nvm_compare(const void *, const void *);
void *nvm_tsearch(const void *key, void **root, nvm_compare *compare);
void *nvm_tfind(const void *key, void *const *root, nvm_compare *compare);
void *nvm_tdelete(const void *key, void **root, nvm_compare *compare);
void nvm_twalk(const void *root, void (*action)(const void *node, unsigned visit, int depth));
void nvm_twalk_r(const void *root, void (*action)(const void *node, unsigned visit, void *with),
                 void *with);
void nvm_tdestroy(void *root, void (*release)(void *key));

void nvm_insque(void *element, void *behind);
void nvm_remque(void *element);

/* A block of bytes that the C library makes by itself: in NVM_ALLOC a copy of it in the heap.
 * NVM_ALLOC(bytes, NVM_ADOPT(wcsdup(text))). */
#define NVM_ADOPT(call) ((__typeof__(call))nvm_adopt((void *)(call)))
void *nvm_adopt(void *block);
/* The same of blocks that a call puts where arguments point; NVM_OUT() and NVM_IN_OUT() announce
 * that. A pointer that the call leaves null, or as it was, stays what it was.
 * NVM_ADOPT_OUT(sscanf(line, "%ms", NVM_OUT(&o->name))). The latter is for functions that
 * resize the block that is there: of the heap, they get a copy.
 * NVM_ADOPT_OUT(argz_add(NVM_IN_OUT(&o->words), &o->size_bytes, word)). */
#define NVM_ADOPT_OUT(call) (nvm_adopting(), (__typeof__(call))nvm_adopted((long)(call)))
#define NVM_OUT(pointer) ((__typeof__(&*(pointer)))nvm_out((pointer)))
#define NVM_IN_OUT(pointer) ((__typeof__(&*(pointer)))nvm_in_out((pointer)))
void nvm_adopting(void);
long nvm_adopted(long result);
void *nvm_out(const volatile void *p);
void *nvm_in_out(const volatile void *p);

/* The malloc family. Outside NVM_ALLOC, or without a pool: libc's. By address:
 * free and usable_size serve both kinds; realloc keeps a block on its side,
 * except that inside NVM_ALLOC a DRAM block moves to the heap. A full heap
 * gives NULL with errno ENOMEM. A freed block is reused only after the commit
 * of the section that freed it; an allocation that its section did not commit
 * never happened. Blocks are 16-byte aligned, or as asked for, up to 65536; more
 * gives NULL with ENOMEM. All of nvm_usable_size() may be written. */
void *nvm_malloc(__SIZE_TYPE__ size_bytes);
void *nvm_calloc(__SIZE_TYPE__ n, __SIZE_TYPE__ size_bytes);
void *nvm_realloc(void *p, __SIZE_TYPE__ size_bytes);
void *nvm_memalign(__SIZE_TYPE__ alignment, __SIZE_TYPE__ size_bytes);
void *nvm_aligned_alloc(__SIZE_TYPE__ alignment, __SIZE_TYPE__ size_bytes);
int nvm_posix_memalign(void **out, __SIZE_TYPE__ alignment, __SIZE_TYPE__ size_bytes);
void *nvm_valloc(__SIZE_TYPE__ size_bytes);
void *nvm_pvalloc(__SIZE_TYPE__ size_bytes);
/* In NVM_ALLOC, private memory of no file is a zeroed block of whole pages; all other is
 * the system's. */
void *nvm_mmap(void *at, __SIZE_TYPE__ size_bytes, int protection, int flags, int fd, long offset);
int nvm_munmap(void *p, __SIZE_TYPE__ size_bytes);
void *nvm_mremap(void *p, __SIZE_TYPE__ old_size_bytes, __SIZE_TYPE__ size_bytes, int flags);
void *nvm_reallocarray(void *p, __SIZE_TYPE__ n, __SIZE_TYPE__ size_bytes);
void nvm_free(void *p);
char *nvm_strdup(const char *s);
char *nvm_strndup(const char *s, __SIZE_TYPE__ n);
/* Those that announce what they write behind their arguments. In NVM_ALLOC the block is
 * libc's until its size is known. */
int nvm_asprintf(char **out, const char *format, ...) __attribute__((format(printf, 2, 3)));
int nvm_vasprintf(char **out, const char *format, __builtin_va_list arguments)
    __attribute__((format(printf, 2, 0)));
long nvm_getline(char **line, __SIZE_TYPE__ *size_bytes, void *stream);
long nvm_getdelim(char **line, __SIZE_TYPE__ *size_bytes, int delimiter, void *stream);
/* A FILE whose text lies in a block of the heap. */
void *nvm_open_memstream(char **text, __SIZE_TYPE__ *size_bytes);
char *nvm_realpath(const char *path, char *resolved);
char *nvm_getcwd(char *buf, __SIZE_TYPE__ n);
__SIZE_TYPE__ nvm_usable_size(void *p);

/* Allocates from the heap directly, zeroed or not; for new code. */
void *nvm_alloc(struct nvm_type *type, __SIZE_TYPE__ size_bytes);
void *nvm_zalloc(struct nvm_type *type, __SIZE_TYPE__ size_bytes);

/* 1 when p points into the heap, else 0. */
int nvm_contains(const void *p);

/*===-- Roots, statics ------------------------------------------------------===*/

/* What stands before the names that the macros below register. Another one, such as "cache.c:",
 * where two files have statics of one name. */
#ifndef NVM_PREFIX
#define NVM_PREFIX ""
#endif
/* The registrations of one file: a constructor, run before main. Nothing else here
 * begins as its name does, whatever the file is called. */
#define NVM_REGISTER(tag) __attribute__((constructor)) static void nvm_registrations_##tag(void)

/* What is registered from here on but for nvm_keep() (roots, root arrays, twins, statics,
 * functions) is registered before nvm_start() or nvm_open(), by one thread, as
 * constructors do. A pool that is open does not know it: that ends the process by
 * abort(), with a message. */

/* Keeps the bytes of a static variable (a pointer, a counter) in the pool under
 * `name`: compared at every commit, given back by nvm_restore(). Cost: one
 * comparison of size_bytes at each commit. */
void nvm_root(const char *name, const volatile void *address, unsigned long size_bytes);
#define NVM_ROOT(lvalue) nvm_root(NVM_PREFIX #lvalue, &(lvalue), sizeof(lvalue))
/* The bit-fields of `object` from one address to another, named as in NVM_BITS:
 * NVM_ROOT_BITS(o, "busy:1,level:4", &o.before + 1, &o.after). */
#define NVM_ROOT_BITS(object, names, begin, end)                                                   \
    nvm_root(NVM_PREFIX #object "." names, (begin),                                                \
             (unsigned long)((const volatile char *)(end) - (const volatile char *)(begin)))
/* One that is a pointer or an array of pointers: what relocation needs. */
void nvm_root_pointers(const char *name, const volatile void *address, unsigned long size_bytes);
#define NVM_ROOT_POINTERS(lvalue) nvm_root_pointers(NVM_PREFIX #lvalue, &(lvalue), sizeof(lvalue))
/* Of which some may lead to what ends with the process, as those of fields declared
 * NVM_VOLATILE: nvm_restore() leaves these as start-up has made them. */
void nvm_root_volatile(const char *name, const volatile void *address, unsigned long size_bytes);
#define NVM_ROOT_VOLATILE(lvalue) nvm_root_volatile(NVM_PREFIX #lvalue, &(lvalue), sizeof(lvalue))

/* Nothing that runs after nvm_ready() writes the root that was registered for this place: from its
 * second commit on a process does not look at it. Where NVM_VERIFY=1 it does, and reports. */
void nvm_settled(const volatile void *address, unsigned long size_bytes);
#define NVM_SETTLED(lvalue) nvm_settled(&(lvalue), sizeof(lvalue))

/* The root that was registered for this place counts what ends with the process, too, as the bytes
 * of an allocator that serves the heap and others do. No output waits for it: it goes with the next
 * commit that has something else, so a crash may leave it as it was then. */
void nvm_tally(const volatile void *address, unsigned long size_bytes);
#define NVM_TALLY(lvalue) nvm_tally(&(lvalue), sizeof(lvalue))

/* A lock in a root, or in each element of one that is an array: NVM_LOCK(table, table[0], mutex).
 * It is as start-up has made it, whoever had it when a commit came. */
#define NVM_LOCK(root, element, lock)                                                              \
    nvm_root_lock(&(element).lock, sizeof((element).lock), sizeof(element),                        \
                  sizeof(root) / sizeof(element))
void nvm_root_lock(const volatile void *first, unsigned long size_bytes, unsigned long stride_bytes,
                   unsigned long number);

/* The same of a variable that no constructor can see, where it is declared: a static inside a
 * function, of main a local. Registered when control first gets there, which may be behind
 * nvm_restore(): then the variable has at once what the pool kept. Until it does, the pool
 * keeps the last value. The name says so by "()": "get_store():it.first". */
void nvm_root_here(const char *name, const volatile void *address, unsigned long size_bytes,
                   int pointers /* 2: volatile */, int *known);
#define NVM_ROOT_HERE(name, lvalue) NVM_HERE(name, lvalue, 0)
#define NVM_ROOT_POINTERS_HERE(name, lvalue) NVM_HERE(name, lvalue, 1)
#define NVM_ROOT_VOLATILE_HERE(name, lvalue) NVM_HERE(name, lvalue, 2)
#define NVM_HERE(name, lvalue, pointers)                                                           \
    do {                                                                                           \
        static int nvm_known;                                                                      \
        if (!__atomic_load_n(&nvm_known, __ATOMIC_ACQUIRE))                                        \
            nvm_root_here(name, &(lvalue), sizeof(lvalue), pointers, &nvm_known);                  \
    } while (0)
/* Behind the declaration of a local of main: when its block ends, its roots keep the values
 * that they have then. */
#define NVM_ROOTS_END_WITH(local)                                                                  \
    __extension__                                                                                  \
        __attribute__((cleanup(nvm_roots_end), unused)) void *nvm_roots_of_##local[2] = {          \
            &(local), (char *)&(local) + sizeof(local)}
void nvm_roots_end(void *(*range)[2]);

/* Fields of the one record that `slot` points to and that the program makes at each start,
 * wherever it lies: kept by value, given back by nvm_restore(), or by a later call of it if the
 * pointer is null till then; nvm_ready() ends the process where it still is. Later on, while the
 * pointer is null, the last value is kept. */
void nvm_root_behind(const char *name, const volatile void *slot, unsigned long offset,
                     unsigned long size_bytes, int pointers /* 2: volatile */);
#define NVM_ROOT_BEHIND(slot, type, field)                                                         \
    nvm_root_behind(NVM_PREFIX #slot "->" #field, &(slot), __builtin_offsetof(type, field),        \
                    NVM_SIZE(type, field), 0)
#define NVM_ROOT_POINTERS_BEHIND(slot, type, field)                                                \
    nvm_root_behind(NVM_PREFIX #slot "->" #field, &(slot), __builtin_offsetof(type, field),        \
                    NVM_SIZE(type, field), 1)
#define NVM_ROOT_VOLATILE_BEHIND(slot, type, field)                                                \
    nvm_root_behind(NVM_PREFIX #slot "->" #field, &(slot), __builtin_offsetof(type, field),        \
                    NVM_SIZE(type, field), 2)
/* The same of a pointer that no constructor can see, where it is declared, as NVM_ROOT_HERE:
 * "main():app->first". The record is there before nvm_restore(); the pointer is null until it is
 * set. When nvm_free() takes the record, its fields keep the values that they have then. */
void nvm_root_behind_here(const char *name, const volatile void *slot, unsigned long offset,
                          unsigned long size_bytes, int pointers, int *known);
#define NVM_ROOT_BEHIND_HERE(name, slot, type, field) NVM_BEHIND_HERE(name, slot, type, field, 0)
#define NVM_ROOT_POINTERS_BEHIND_HERE(name, slot, type, field)                                     \
    NVM_BEHIND_HERE(name, slot, type, field, 1)
#define NVM_ROOT_VOLATILE_BEHIND_HERE(name, slot, type, field)                                     \
    NVM_BEHIND_HERE(name, slot, type, field, 2)
#define NVM_BEHIND_HERE(name, slot, type, field, pointers)                                         \
    do {                                                                                           \
        static int nvm_known;                                                                      \
        if (!__atomic_load_n(&nvm_known, __ATOMIC_ACQUIRE))                                        \
            nvm_root_behind_here(name, &(slot), __builtin_offsetof(type, field),                   \
                                 NVM_SIZE(type, field), pointers, &nvm_known);                     \
    } while (0)

/* `slot` is a static pointer to an array of `element` records that the program
 * makes at each start and that mix volatile and persistent fields: nvm_restore()
 * copies the persistent fields of the kept array into the new one and frees the
 * kept array. The array must come from the heap. An array that shrank is refused
 * unless the elements that would go are zero in those fields. Slots that led into
 * one kept array do so again; two kept arrays in place of which the program has made
 * one are given back as they are. */
void nvm_root_array(const char *name, const volatile void *slot, unsigned long element_size_bytes,
                    const struct nvm_field *fields, unsigned field_count);
#define NVM_ROOT_ARRAY(slot, type, ...)                                                            \
    do {                                                                                           \
        NVM_FIELDS(nvm_fields_, __VA_ARGS__)                                                       \
        nvm_root_array(NVM_PREFIX #slot, &(slot), sizeof(type), nvm_fields_,                       \
                       sizeof(nvm_fields_) / sizeof(nvm_fields_[0]));                              \
    } while (0)

/* Follows each write of a static scalar that decides where data lie (a hash
 * seed): the first value ever kept in the pool wins over the one just written. */
void nvm_keep(const char *name, const volatile void *address, unsigned long size_bytes);
#define NVM_KEEP(lvalue) nvm_keep(#lvalue, &(lvalue), sizeof(lvalue))

/* A static object that persistent objects point to. Its twin has the same
 * address in every run and every build; its content is copied from the static
 * when the pool is opened. It may grow to twice its first size; beyond that the
 * pool is refused, since objects hold the twin's address. nvm_twin() gives the twin's address, or
 * the static's own without a pool. The static must not be written after nvm_start(). */
void nvm_register_twin(const char *name, const volatile void *address, unsigned long size_bytes);
#define NVM_TWIN(lvalue) nvm_register_twin(NVM_PREFIX #lvalue, &(lvalue), sizeof(lvalue))
void *nvm_twin_of(const volatile void *address);
#define nvm_twin(pointer) ((__typeof__(&*(pointer)))nvm_twin_of(pointer))

/* A static object that persistent objects or roots point to and that the program
 * writes (the head of a list, a table that is filled): pointers to it need no hook.
 * When it lies elsewhere in a next run, nvm_start() makes the pointers in the pool
 * follow: that takes time in proportion to the heap, so link with -no-pie where a
 * restart must not depend on it. Its content is the program's, or that of roots
 * inside. It may grow by elements; a pool is refused by a program that lacks it. */
void nvm_register_static(const char *name, const volatile void *address, unsigned long size_bytes,
                         unsigned long element_bytes);
#define NVM_STATIC(lvalue)                                                                         \
    nvm_register_static(NVM_PREFIX #lvalue, &(lvalue), sizeof(lvalue), sizeof(lvalue))
#define NVM_STATIC_ARRAY(lvalue)                                                                   \
    nvm_register_static(NVM_PREFIX #lvalue, &(lvalue), sizeof(lvalue), sizeof((lvalue)[0]))
/* The same of a local of main, where it is declared, before nvm_start(): "main():app". */
#define NVM_STATIC_HERE(name, lvalue)                                                              \
    nvm_register_static(name, &(lvalue), sizeof(lvalue), sizeof(lvalue))
/* Pointers to string literals and to statics that cannot be named here, of the program
 * or library that has the literal at `address`. The next run finds them if it is the
 * same build; another build is refused when there are such pointers. */
void nvm_register_literals(const void *address);
#define NVM_LITERALS() nvm_register_literals("")

/* A function that persistent objects point to. nvm_code() gives an address that is
 * the same in every run and every build and jumps to the function (without a pool:
 * the function's own). Use it wherever the function's address is stored or
 * compared. A pool is refused by a program that lacks one of its functions. */
typedef void nvm_function(void);
void nvm_register_code(const char *name, nvm_function *function);
#define NVM_CODE(function) nvm_register_code(NVM_PREFIX #function, (nvm_function *)(function))
nvm_function *nvm_code_of(nvm_function *function);
#define nvm_code(function) ((__typeof__(&*(function)))nvm_code_of((nvm_function *)(function)))
/* One whose own address objects hold, say from a table of functions: followed as a
 * static is. */
void nvm_register_static_function(const char *name, nvm_function *function);
#define NVM_STATIC_FUNCTION(function)                                                              \
    nvm_register_static_function(NVM_PREFIX #function, (nvm_function *)(function))

/*===-- Life of the pool ----------------------------------------------------===*/

/* First statement of main. Opens or creates the pool that the environment names
 * and begins the start-up section:
 *   NVM_POOL        path of the pool file; unset or empty: no pool
 *   NVM_SIZE        first size of a new pool, e.g. 512M, 4G (default 64M)
 *   NVM_MAX_SIZE    what it may grow to (default 64G)
 *   NVM_ENGINE      none | redo | undo | flush | tx | versions | incll | dual |
 *                   checkpoint (docs/engines.md); of a new pool undo by default,
 *                   afterwards the one that made the pool
 *   NVM_EPOCH_MS    commits are so many milliseconds apart; 0: each section's
 *                   end (default 64 for versions, incll and dual, else 0);
 *                   where no section ends, within two of them, once a second
 *                   thread has had a section (by a thread of the runtime)
 *   NVM_DURABILITY  process | power (default process)
 *   NVM_REPLICA     HOST:PORT of nvm-replica, which gets each commit, too, and
 *                   NVM_REPLICA_MODE, _PARTITION, _TIMEOUT_MS, _KEY (docs/runtime.md)
 *   NVM_VERIFY      1: compare a shadow of the heap at every commit and report
 *                   stores that no hook announced (slow)
 *   NVM_VERIFY_TRAP 1: raise SIGTRAP at the first such store
 *   NVM_GC          1: free what only variables of a crashed process led to
 *                   (nvmove/collect.h)
 *   NVM_RELOCATE    1: when the heap's address is taken, move the pool to another
 *                   (nvm-pool relocate)
 *   NVM_MEDIA       none | dram | stt-ram | pcm | write=NS,flush=NS,fence=NS: what
 *                   such a medium would cost (default none)
 *   NVM_STATS       1: count all that struct nvm_stats has (each announcement then
 *                   takes a call), print it as one line of JSON on stderr at exit,
 *                   and keep it in the pool for nvm-pool stats
 *   NVM_CRASH_AT    for tests: kill -9 at this event; NVM_CRASH_COUNT=1 prints
 *                   the number of events at exit
 *   NVM_FULL_AT     for tests: as of this allocation the heap has no room
 * Prints one line that says what a commit survives. On any failure prints
 * "nvmove: error: <text> [<id>]" and exits with status 78; the pool is left as
 * it was. */
void nvm_start(void);

/* Calls that come before declarations, where those stand before all else in their block, as C89
 * has it: NVM_DECLARED(nvm_start()); */
#define NVM_DECLARED(...)                                                                          \
    __extension__ __attribute__((unused)) int NVM_DECLARED_AS(__COUNTER__) = __extension__({       \
        __VA_ARGS__;                                                                               \
        0;                                                                                         \
    })
#define NVM_DECLARED_AS(number) NVM_DECLARED_OF(number)
#define NVM_DECLARED_OF(number) nvm_declared_##number

/* At the place where the program would load its saved state. 1: the roots came
 * back from the pool and the load must be skipped; 0: the pool is new (or none
 * is open) and the program loads as ever. In a forked child, the first of the
 * processes to call it owns the pool from then on. */
int nvm_restore(void);

/* The same for a call that start-up and later requests share: 1 while the roots have come back
 * and start-up has not ended, 0 from then on, so that a request to load anew is done. */
int nvm_restore_at_start(void);

/* After the load: everything so far becomes durable at once, and the start-up
 * section ends. A crash before this leaves the pool as it was; a new pool is
 * then made afresh at the next start. */
void nvm_ready(void);

/* After the main loop, before a program frees all it has: commits as nvm_checkpoint() does, and
 * from then on makes no commit. The process may go on to read, store, allocate and free; the next
 * start finds the pool as of this commit. The pool stays locked until the process ends. What it
 * costs follows from what is stored afterwards, except under the engines flush and tx, which copy
 * the heap. In a section that is not nested it ends the section. In a nested section, and before
 * nvm_ready(), it commits nothing, as exit() does not. Without a pool, and called again, it does
 * nothing. Other threads have ended, or no longer change what the pool keeps.
 *
 * If a section of any thread begins afterwards, or nvm_restore() or nvm_ready() is called, the
 * program does not end there: the process ends with status 70 and a message that names both places
 * [detached-early], before anything is answered, with the pool as of this commit. */
void nvm_detach(void);

/* if the load's result is used: NVM_LOAD(call) is `call` the first time, and
 * afterwards the result and errno that it gave then. Calls nvm_ready(). */
#define NVM_LOAD(call) NVM_LOAD_IF_NOT(nvm_restore(), call)
#define NVM_LOAD_IF_NOT(restored, call)                                                            \
    ((restored) ? (__typeof__(call))(nvm_load_result())                                            \
                : (__typeof__(call))(nvm_loaded((long)(call))))
/* The same, but where the first run got `nothing` for an answer, because there was nothing to
 * load, runs after its first section get `loaded`: the pool has what the program made then.
 * Integers. */
#define NVM_LOAD_OR(call, nothing, loaded) NVM_LOAD_OR_IF_NOT(nvm_restore(), call, nothing, loaded)
#define NVM_LOAD_OR_IF_NOT(restored, call, nothing, loaded)                                        \
    ((restored) ? (__typeof__(call))(nvm_load_result_or((long)(nothing), (long)(loaded)))          \
                : (__typeof__(call))(nvm_loaded_or((long)(call), (long)(nothing))))
/* For `root = load()`: it is put into `root` before the section ends, and later runs get what that
 * holds. */
#define NVM_LOAD_AS(call, root) NVM_LOAD_AS_IF_NOT(nvm_restore(), call, root)
#define NVM_LOAD_AS_IF_NOT(restored, call, root)                                                   \
    ((restored) ? (nvm_ready(), (__typeof__(call))(root))                                          \
                : ((root) = (call), (void)nvm_loaded(0), (__typeof__(call))(root)))
/* For `x = load(); .. root = x;`: a run that is killed between the two leaves `root` as it was. */
#define NVM_LOAD_FOR(call, root) NVM_LOAD_FOR_IF_NOT(nvm_restore(), call, root)
#define NVM_LOAD_FOR_IF_NOT(restored, call, root)                                                  \
    ((restored) ? (nvm_ready(), (__typeof__(call))(root))                                          \
                : (__typeof__(call))(nvm_loaded((long)(call))))
/* For a call that gives nothing, within an expression: open_it(), NVM_LOAD_VOID(load()), n++; */
#define NVM_LOAD_VOID(call) NVM_LOAD_VOID_IF_NOT(nvm_restore(), call)
#define NVM_LOAD_VOID_IF_NOT(restored, call) ((restored) ? nvm_ready() : ((call), nvm_ready()))
/* The same for a call that start-up shares with later requests to load anew. */
#define NVM_RELOAD(call) NVM_LOAD_IF_NOT(nvm_restore_at_start(), call)
#define NVM_RELOAD_OR(call, nothing, loaded)                                                       \
    NVM_LOAD_OR_IF_NOT(nvm_restore_at_start(), call, nothing, loaded)
#define NVM_RELOAD_AS(call, root) NVM_LOAD_AS_IF_NOT(nvm_restore_at_start(), call, root)
#define NVM_RELOAD_FOR(call, root) NVM_LOAD_FOR_IF_NOT(nvm_restore_at_start(), call, root)
#define NVM_RELOAD_VOID(call) NVM_LOAD_VOID_IF_NOT(nvm_restore_at_start(), call)
/* Of several loads all but the last: the start-up section goes on to that, so that the pool has
 * what all of them have loaded, or nothing. Each result is kept under a name, as a root is. */
#define NVM_LOAD_PART(name, call)                                                                  \
    (nvm_restore() ? (__typeof__(call))(nvm_part_result(name))                                     \
                   : (__typeof__(call))(nvm_part_loaded(name, (long)(call))))
/* The same where later runs get `value`: the root that the result is put into, or a constant. */
#define NVM_LOAD_PART_AS(call, value) (nvm_restore() ? (__typeof__(call))(value) : (call))
long nvm_part_result(const char *name);
long nvm_part_loaded(const char *name, long result);
long nvm_load_result(void);
long nvm_load_result_or(long nothing, long loaded);
long nvm_loaded(long result);
long nvm_loaded_or(long result, long nothing);

/* Sections. nvm_end() of the outermost one commits. */
void nvm_begin(void);
void nvm_end(void);
/* From here to the end of the block, however that is left but by longjmp(). */
#define NVM_SECTION()                                                                              \
    __attribute__((unused, cleanup(nvm_section_end))) int nvm_section = nvm_section_begin()
int nvm_section_begin(void);
void nvm_section_end(int *section);
/* Threads that take part in restart points (nvmove/restart.h), as the rewriter writes them.
 * Before nvm_start(): commits are NVM_EPOCH_MS apart, or else 64 ms, also while all threads wait:
 * a thread of the runtime sees to it. Engines that cannot go back to a restart point are refused
 * [restart-points]. */
void nvm_restart_points(void);
/* From here to the end of the block, or of the thread, the thread takes part; not where it is in a
 * section. */
#define NVM_THREAD()                                                                               \
    __attribute__((unused, cleanup(nvm_thread_end))) int nvm_thread = nvm_thread_begin()
int nvm_thread_begin(void);
void nvm_thread_end(int *thread);
/* Returns at once unless a checkpoint is due; then waits for it, so the thread holds no lock. One
 * that takes no part waits, too, but nobody waits for it. In a section it does nothing. */
void nvm_restart_point(void);
/* NVM_PAUSED(read(fd, buf, n)): while the call lasts, which may block, the thread is at a restart
 * point. It stores nothing to the heap. */
#define NVM_PAUSED(call)                                                                           \
    (__extension__({                                                                               \
        __attribute__((unused, cleanup(nvm_pause_end))) int nvm_pause = nvm_pause_begin();         \
        call;                                                                                      \
    }))
int nvm_pause_begin(void);
void nvm_pause_end(int *pause);

/* if (nvm_jumped(setjmp(top))) .., where no section is open when setjmp() is called: behind
 * a jump from within sections these end, with what they did so far. Gives back `value`. */
int nvm_jumped(int value);

/* Locks whose critical sections change what is kept: as the functions of pthreads and C11, and
 * from the first that a thread takes to the last that it releases is a section. It commits
 * before that lock is free. Who waits for a condition leaves the section, and so commits; a
 * wait may end without reason, as ever. Those that try may wait for a section of another thread
 * to end. In sections, and without a pool, they add nothing. A thread that has such a lock
 * must not end. */
int nvm_pthread_mutex_lock(volatile void *mutex);
int nvm_pthread_mutex_trylock(volatile void *mutex);
int nvm_pthread_mutex_timedlock(volatile void *mutex, const void *deadline);
int nvm_pthread_mutex_clocklock(volatile void *mutex, int clock, const void *deadline);
int nvm_pthread_mutex_unlock(volatile void *mutex);
int nvm_pthread_cond_wait(volatile void *condition, volatile void *mutex);
int nvm_pthread_cond_timedwait(volatile void *condition, volatile void *mutex,
                               const void *deadline);
int nvm_pthread_cond_clockwait(volatile void *condition, volatile void *mutex, int clock,
                               const void *deadline);
int nvm_pthread_rwlock_rdlock(volatile void *lock);
int nvm_pthread_rwlock_tryrdlock(volatile void *lock);
int nvm_pthread_rwlock_timedrdlock(volatile void *lock, const void *deadline);
int nvm_pthread_rwlock_clockrdlock(volatile void *lock, int clock, const void *deadline);
int nvm_pthread_rwlock_wrlock(volatile void *lock);
int nvm_pthread_rwlock_trywrlock(volatile void *lock);
int nvm_pthread_rwlock_timedwrlock(volatile void *lock, const void *deadline);
int nvm_pthread_rwlock_clockwrlock(volatile void *lock, int clock, const void *deadline);
int nvm_pthread_rwlock_unlock(volatile void *lock);
int nvm_pthread_spin_lock(volatile void *lock);
int nvm_pthread_spin_trylock(volatile void *lock);
int nvm_pthread_spin_unlock(volatile void *lock);
int nvm_mtx_lock(volatile void *mutex);
int nvm_mtx_trylock(volatile void *mutex);
int nvm_mtx_timedlock(volatile void *mutex, const void *deadline);
int nvm_mtx_unlock(volatile void *mutex);
int nvm_cnd_wait(volatile void *condition, volatile void *mutex);
int nvm_cnd_timedwait(volatile void *condition, volatile void *mutex, const void *deadline);

/* Output commit: what leaves the process leaves after its commit. In an
 * outermost section with announced stores these commit first and go on in a
 * new section. Deeper they do so, too: somebody may take what comes out of a socket, a pipe or
 * a terminal for a promise, which outlasts a crash that cuts the update. Only what goes to a
 * regular file, as a log does, leaves the update whole there and commits nothing (counted in
 * nvm_stats.early_outputs).
 * With NVM_DURABILITY=power nvm_end() only appends to the log and these wait
 * for the medium: one wait for all sections since the last output. */
long nvm_write(int fd, const void *buf, __SIZE_TYPE__ n);
long nvm_writev(int fd, const void *iov, int count);
long nvm_send(int fd, const void *buf, __SIZE_TYPE__ n, int flags);
long nvm_sendto(int fd, const void *buf, __SIZE_TYPE__ n, int flags, const void *to,
                unsigned to_len);
long nvm_sendmsg(int fd, const void *message, int flags);
int nvm_sendmmsg(int fd, void *messages, unsigned count, int flags);
long nvm_pwrite(int fd, const void *buf, __SIZE_TYPE__ n, long offset);
long nvm_pwritev(int fd, const void *iov, int count, long offset);
long nvm_sendfile(int to, int from, void *offset, __SIZE_TYPE__ n);
int nvm_dprintf(int fd, const char *format, ...) __attribute__((format(printf, 2, 3)));
int nvm_vdprintf(int fd, const char *format, __builtin_va_list arguments)
    __attribute__((format(printf, 2, 0)));
/* `stream` is a FILE, or NULL for all. Commits as above before what was printed leaves. */
int nvm_fflush(void *stream);
/* From now on what a section prints to stdout leaves behind its commit, up to 32 KiB, also
 * where stdout is a terminal, or not buffered. Only for programs that wait for nothing within a
 * section: what they ask would come after the answer. What is behind nvm_fflush() is out. */
void nvm_hold_output(void);
/* Before an output by any other function: commits, at any depth, and waits for the medium. */
void nvm_output(void);
/* Such a function: NVM_OUTPUT(kill)(child, SIGUSR1). Its arguments may be evaluated before or
 * after the commit, so they change nothing that the pool keeps. */
#define NVM_OUTPUT(function) (nvm_output(), function)

/* From now on a section's end need not commit: the commit comes before the next output by the
 * calls above, before the next NVM_WAIT(), or when much has gathered, and holds all sections that
 * have ended. What nobody has seen may be lost. Only for programs that let nothing out by other
 * ways, as a library that has a buffer of its own does. Without effect where commits are apart in
 * time (NVM_EPOCH_MS), are written by a second thread, or under the engines tx and flush.
 * Sections that hold locks run beside each other then. An output waits until those of other threads
 * have ended, so no thread may let something out while it holds a lock that others want within
 * theirs: such an output leaves after two seconds, before its commit (nvm_stats.early_outputs). */
void nvm_commit_at_output(void);
/* Before the program waits, as for input: outside of sections it commits what has ended. */
void nvm_wait(void);
/* NVM_WAIT(poll)(places, 2, -1). */
#define NVM_WAIT(function) (nvm_wait(), function)

/*===-- Explicit use, for new code and tests --------------------------------===*/

/* As nvm_start() for a given pool, without printing or exiting.
 * Returns 0 or an errno value; nvm_errormsg() tells the rest.
 *   ENOENT no such directory; EBUSY used by another process, or a pool is open;
 *   EINVAL foreign, damaged or of another version, or no such engine or size;
 *   ENOEXEC other layout; ENOSPC, EROFS, EACCES; ENOMEM the heap's address is
 *   taken, or no memory; others as open(2) gives them. */
struct nvm_options {
    unsigned long size_bytes; /* of a new pool; 0: default */
    const char *engine;       /* NULL: the pool's own, of a new one "undo" */
    int power;                /* 1: NVM_DURABILITY=power */
    int verify;
    int epoch_ms; /* commits are so far apart; 0: the engine's own; -1: each section commits */
    unsigned long max_size_bytes; /* that a new pool may grow to; 0: default */
};
int nvm_open(const char *path, const struct nvm_options *options);

/* Closes the pool after a commit. Pointers into the heap are invalid afterwards. */
void nvm_close(void);

/* The last error of this thread: "<text> [<id>]". Never NULL. */
const char *nvm_errormsg(void);

struct nvm_stats {
    unsigned long sections;     /* outermost sections that committed something */
    unsigned long lines_logged; /* 64-byte lines */
    unsigned long log_bytes;
    unsigned long checkpoints;   /* times the log was home and started over */
    unsigned long media_waits;   /* fdatasync or flush-and-fence rounds */
    unsigned long orphan_stores; /* first touches outside every section */
    unsigned long early_outputs;
    unsigned long heap_used_bytes, heap_size_bytes;
    unsigned long unannounced; /* lines found by NVM_VERIFY */
    /* Counted with NVM_STATS or NVM_MEDIA only: lines written past the processor's
     * cache, lines flushed from it, fences. tx: what libpmemobj does is not among them. */
    unsigned long lines_written, lines_flushed, fences;
    unsigned long lines_read; /* that the engine read back: old content, log, at opening */
    unsigned long energy_nj;  /* of these lines, docs/engines.md */
    unsigned long stores;     /* announced, the runtime's own among them; with NVM_STATS only */
    unsigned long collected_objects, collected_bytes, collected_counts; /* nvmove/collect.h */
    /* With NVM_REPLICA: records and their bytes, parts of 4 KiB that were sent to catch up, times
     * that something waited for the replica, commits that it may not have yet. */
    unsigned long replica_records, replica_bytes, replica_pages, replica_waits, replica_lag;
};
/* By any thread at any time. Each counter is read by itself while others count. */
void nvm_get_stats(struct nvm_stats *out);

#ifdef __cplusplus
}
#endif

#endif /* NVMOVE_NVM_H */
