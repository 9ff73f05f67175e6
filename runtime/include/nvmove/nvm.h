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
 * This header includes no libc header, so that any file may include it first
 * without disturbing feature-test macros. It is C89 with the GNU keywords
 * __typeof__ and __attribute__. It adds no warning to a file that compiles without
 * one, whichever warnings are enabled (test/runtime/header/matrix.sh).
 *
 * If NVM_POOL is not set in the environment, no pool is opened: every hook is one
 * failing comparison, and every allocation is malloc's.
 *
 * Vocabulary. Pool: the file that holds the state. Heap: the objects in it,
 * always mapped at the same address. Section: stores that become durable
 * together or not at all; sections nest flat (the outermost one commits).
 * Orphan: a store to the heap made outside of sections; it becomes durable with
 * the next commit.
 *
 * Threads. Any thread may allocate, free and store. If each outermost section commits
 * at its end, only one thread at a time is in a section: nvm_begin() of another thread
 * waits. If commits are apart in time, or precede outputs, sections that locks make
 * (nvm_pthread_mutex_lock() and the other lock functions) run concurrently; the locks
 * of the program then separate their changes.
 *
 * Crashes. Unless stated otherwise, a crash at any instruction leaves the pool in the
 * state of the last completed commit. exit() commits what an outermost section has done
 * so far; inside a nested section, and before nvm_ready(), it commits nothing. A program
 * that frees its state before it ends calls nvm_detach() before it does so.
 *
 * Children. A fork() before nvm_restore() is assumed to make a daemon: the child may own
 * the pool. After nvm_restore(), the child has a frozen copy: it may read, store and
 * allocate, but nothing of that reaches the pool.
 *
 * Signal handlers must not store to the heap, allocate or free.
 */
#ifndef NVMOVE_NVM_H
#define NVMOVE_NVM_H

/* Compilers then do not warn about this file and the expansions of its macros. */
#pragma GCC system_header

#ifdef __cplusplus
extern "C" {
#endif

/*===-- Announcing stores ---------------------------------------------------===*/

/* The data that the inline part of a hook reads. Private: use NVM(). */
struct nvm_hot {
    unsigned long base;       /* first byte of the heap */
    unsigned long size_bytes; /* 0 when nothing has to be announced */
    unsigned char *touched;   /* one byte per 64-byte line; 1: announced since the last commit */
};
extern struct nvm_hot nvm_hot;

/* On every processor, the branch orders the program's store after the load of the mark;
 * ThreadSanitizer does not know control dependencies, so it needs an acquire. */
#ifdef __SANITIZE_THREAD__
#define NVM_MARK_ORDER __ATOMIC_ACQUIRE
#else
#define NVM_MARK_ORDER __ATOMIC_RELAXED
#endif

/* Slow path: [offset, offset + size) of the heap is about to be written. */
void nvm_touch(unsigned long offset, unsigned long size_bytes);

/* Announces that [p, p + size_bytes) is about to be written; returns p. Any address is
 * allowed; outside of the heap it does nothing. Any thread. It never commits. */
extern __inline__ __attribute__((gnu_inline, always_inline)) void *
nvm_store(const volatile void *p, unsigned long size_bytes) /* also for inline functions */
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

/* An assignment whose value is computed by code that may commit, because it writes
 * to a file: NVM_SET(entry->next, make(file)). The value is computed first, then
 * the lvalue is announced; each is evaluated once. Its value is the new value. */
#define NVM_SET(lvalue, ...)                                                                       \
    __extension__({                                                                                \
        __typeof__(lvalue) nvm_value = (__VA_ARGS__);                                              \
        NVM(lvalue) = nvm_value;                                                                   \
    })
/* A compound assignment whose operand is computed by code that may commit:
 * NVM_CHANGE(o->price, +=, ask(file)). The operand is computed first, then the lvalue
 * is announced; each is evaluated once. Its value is the new value. */
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

/* A buffer of unknown size that a function is about to fill: announces everything from
 * there to the end of its block in the heap: swab(a, NVM_REST(b), n). The pointer is
 * evaluated once; one that does not point into the heap is returned unchanged. */
#define NVM_REST(pointer) ((__typeof__(&*(pointer)))nvm_rest((pointer)))
void *nvm_rest(const volatile void *p);
/* A pointer that a function is about to change, and the buffer that it points to: announces
 * the pointer, and everything from where it points to the end of that block in the heap:
 * iconv(c, &from, &n, NVM_BEHIND(&to), &m). */
#define NVM_BEHIND(pointer) ((__typeof__(&*(pointer)))nvm_behind((pointer)))
void *nvm_behind(const volatile void *p);

/* The functions of the C library without the prefix, with their arguments and results. They
 * announce the bytes of the destination before they write them. */
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
/* strtok() writes into the text that an earlier call got: if one call of a program is
 * replaced, all must be. */
char *nvm_strtok(char *s, const char *separators);
char *nvm_strtok_r(char *s, const char *separators, char **rest);
char *nvm_strsep(char **rest, const char *separators);
void nvm_qsort(void *base, __SIZE_TYPE__ n, __SIZE_TYPE__ size_bytes,
               int (*compare)(const void *, const void *));

/* Input whose buffer may be in the heap: the system calls without the prefix, with their
 * arguments, results and errors. They read into a bounce buffer, so that only the bytes that
 * arrived are announced, and so that the kernel cannot fault on the heap. */
long nvm_read(int fd, void *buf, __SIZE_TYPE__ n);
long nvm_pread(int fd, void *buf, __SIZE_TYPE__ n, long offset);
long nvm_recv(int fd, void *buf, __SIZE_TYPE__ n, int flags);
/* `from` is a struct sockaddr *, `from_size_bytes` a socklen_t *; both may be null. */
long nvm_recvfrom(int fd, void *buf, __SIZE_TYPE__ n, int flags, void *from, void *from_size_bytes);
/* `places` is an array of struct iovec, `message` a struct msghdr *. These announce every
 * buffer that may be filled, as a whole. */
long nvm_readv(int fd, const void *places, int n);
long nvm_preadv(int fd, const void *places, int n, long offset);
long nvm_recvmsg(int fd, void *message, int flags);
__SIZE_TYPE__ nvm_fread(void *buf, __SIZE_TYPE__ size_bytes, __SIZE_TYPE__ n, void *stream);
char *nvm_fgets(char *buf, int n, void *stream);

/*===-- Allocation ----------------------------------------------------------===*/

/* A type of object in the heap. One per persistent type; NVM_TYPE defines it. */
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
/* For objects without a record type: strings, packed bytes, tables of pointers. */
extern struct nvm_type nvm_type_bytes;
/* For objects that contain only pointers. */
extern struct nvm_type nvm_type_pointers;

/* Deprecated members are fields as well. */
#define NVM_FIELDS(fields, ...)                                                                    \
    _Pragma("GCC diagnostic push") _Pragma(                                                        \
        "GCC diagnostic ignored \"-Wdeprecated-declarations\"") static const struct nvm_field      \
        fields[] = {__VA_ARGS__};                                                                  \
    _Pragma("GCC diagnostic pop")

/* In one file per type, at file scope: the layout of the type. The pool stores it;
 * nvm_start() refuses the pool if a rebuilt program has another layout [pool-layout]. */
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
/* Fields whose contents are known more exactly; relocation, collections and restarts use it.
 *
 * A pointer or an array of pointers, which never hold integers. */
#define NVM_POINTER(type, field)                                                                   \
    {#field, __builtin_offsetof(type, field), NVM_SIZE(type, field),                               \
     NVM_CLASS(type, field) | NVM_KIND_POINTER, 0}
/* A pointer or an array of pointers, which may point to memory that ends with the process
 * (a block outside of the heap, memory of a library): such pointers are null in the next
 * run. nvm_start() searches all reachable objects for them, which takes time in proportion
 * to the heap. */
#define NVM_VOLATILE(type, field)                                                                  \
    {#field, __builtin_offsetof(type, field), NVM_SIZE(type, field),                               \
     NVM_CLASS(type, field) | NVM_KIND_VOLATILE, 0}
/* An int or an array of int that are descriptors of open files: -1 in the next run, unless
 * 0. Or an fd_set: empty in the next run. Or a lock of pthreads: zero in the next run, as its
 * static initialiser makes it, and so not held by any thread. nvm_start() searches all
 * reachable objects for them, which takes time in proportion to the heap. */
#define NVM_DESCRIPTOR(type, field)                                                                \
    {#field, __builtin_offsetof(type, field), NVM_SIZE(type, field),                               \
     NVM_CLASS(type, field) | NVM_KIND_DESCRIPTOR, 0}
/* A record, or an array of records, whose type has an NVM_LAYOUT. */
#define NVM_RECORD(type, field, name)                                                              \
    {#field, __builtin_offsetof(type, field), NVM_SIZE(type, field),                               \
     NVM_CLASS(type, field) | NVM_KIND_RECORD, #name}
#define NVM_FLEXIBLE_RECORD(type, field, name)                                                     \
    {#field, __builtin_offsetof(type, field), 0, NVM_CLASS(type, field) | NVM_KIND_RECORD, #name}
#define NVM_FLEXIBLE_POINTERS(type, field)                                                         \
    {#field, __builtin_offsetof(type, field), 0, NVM_CLASS(type, field) | NVM_KIND_POINTER, 0}
/* A value computed from addresses (a hash, a difference, XORed links). If one is not zero,
 * the pool cannot be moved, and cannot be opened by a run in which statics that objects point
 * to have other addresses. */
#define NVM_COMPUTED(type, field)                                                                  \
    {#field, __builtin_offsetof(type, field), NVM_SIZE(type, field),                               \
     NVM_CLASS(type, field) | NVM_KIND_COMPUTED, 0}
#define NVM_FLEXIBLE_COMPUTED(type, field)                                                         \
    {#field, __builtin_offsetof(type, field), 0, NVM_CLASS(type, field) | NVM_KIND_COMPUTED, 0}
/* A value computed only from addresses in the heap. If one is not zero, the pool cannot be
 * moved; statics may have other addresses in the next run. */
#define NVM_COMPUTED_IN_HEAP(type, field)                                                          \
    {#field, __builtin_offsetof(type, field), NVM_SIZE(type, field),                               \
     NVM_CLASS(type, field) | NVM_KIND_COMPUTED_IN_HEAP, 0}
#define NVM_FLEXIBLE_COMPUTED_IN_HEAP(type, field)                                                 \
    {#field, __builtin_offsetof(type, field), 0,                                                   \
     NVM_CLASS(type, field) | NVM_KIND_COMPUTED_IN_HEAP, 0}
/* The number of pointers to the object's first byte, in the heap and elsewhere: a collection
 * (nvmove/collect.h) lowers it by the number of pointers that a crash destroyed. It is changed
 * only in sections. A collection does not change values below 1 or above a quarter of the
 * type's range. */
#define NVM_COUNT(type, field)                                                                     \
    {#field, __builtin_offsetof(type, field), NVM_SIZE(type, field),                               \
     NVM_CLASS(type, field) | NVM_KIND_COUNT, 0}
/* The member that NVM_LINE_LOG_32() or NVM_LINE_LOG_64() defines. Compilation fails if the
 * size of the record is not 32 or 64 bytes. */
#define NVM_LINE_LOG(type)                                                                         \
    {"nvm_line_log",                                                                               \
     __builtin_offsetof(type, nvm_line_log) +                                                      \
         0 * sizeof(char[sizeof(type) == 32 || sizeof(type) == 64 ? 1 : -1]),                      \
     NVM_SIZE(type, nvm_line_log), NVM_CLASS(type, nvm_line_log) | NVM_KIND_LINE_LOG, 0}
/* A complete run of adjacent bit-fields: their names with widths, as in
 * "busy:1,:3,level:4", and their bytes, from the end of the previous member (or 0) to the
 * next member (or the type's size). */
#define NVM_BITS(names, begin, end) {names, begin, (end) - (begin), 0, 0}
#define NVM_BEGIN(type, field) __builtin_offsetof(type, field)
#define NVM_END(type, field) (NVM_BEGIN(type, field) + NVM_SIZE(type, field))
#define NVM_SIZE(type, field) sizeof(((type *)0)->field)
#define NVM_CLASS(type, field) ((unsigned)(1 + __builtin_classify_type(((type *)0)->field)))
void nvm_layout(struct nvm_type *type, unsigned long size_bytes, const struct nvm_field *fields,
                unsigned field_count);
/* After NVM_LAYOUT: a block of this type contains only records of the type, one or more. In
 * the next run, fields that end with the process are then reset in each of these records, not
 * only in the first. */
#define NVM_ELEMENTS(name)                                                                         \
    __attribute__((constructor)) static void nvm_elements_##name(void)                             \
    {                                                                                              \
        nvm_elements(&nvm_type_##name);                                                            \
    }                                                                                              \
    struct nvm_type
void nvm_elements(struct nvm_type *type);

/* The last member of a record; `bytes` is the size of all members before it, at most 16 or 48.
 * The record then has 32 or 64 bytes, and space in the same cache line for the old value of
 * one of its words:
 *   struct node { struct node *next; long count; NVM_LINE_LOG_32(16); };
 * Under the engine incll, the first word of the record that changes in an epoch needs neither
 * flush nor fence, if its announcement is within that word; other engines do not use the member.
 * Only for types whose blocks contain such records from their first byte on and nothing else. Only
 * the runtime writes the member; the program may copy it with the record, and its initial value
 * does not matter. The type's layout must name it with NVM_LINE_LOG(). (ResPCT; In-Cache-Line
 * Logging.) */
#define NVM_LINE_LOG_32(bytes) NVM_LINE_LOG_OF(32, ((bytes) + 7) / 8 * 8)
#define NVM_LINE_LOG_64(bytes) NVM_LINE_LOG_OF(64, ((bytes) + 7) / 8 * 8)
#define NVM_LINE_LOG_OF(size, bytes)                                                               \
    unsigned long nvm_line_log[(bytes) > (size) - 16 ? -1 : ((size) - (bytes)) / 8]

/* Evaluates `call`, whose value is a pointer, and returns it. Every nvm_malloc(), nvm_calloc()
 * and nvm_realloc() that this thread calls meanwhile, at any depth in wrappers of the program,
 * takes its memory from the heap, as an object of type `name`:
 * NVM_ALLOC(dictEntry, zmalloc(sizeof(*entry))). May be nested. */
#define NVM_ALLOC(name, call)                                                                      \
    (nvm_place(&nvm_type_##name), (__typeof__(call))nvm_placed((const volatile void *)(call)))
/* Evaluates `call`, which stores the address of the block through an argument, and returns its
 * value, a number. Allocations of this thread meanwhile take their memory from the heap, as
 * objects of type `name`: NVM_ALLOC_OUT(page, nvm_posix_memalign(&p, 64, sizeof(*page))). */
#define NVM_ALLOC_OUT(name, call)                                                                  \
    (nvm_place(&nvm_type_##name), (__typeof__(call))(nvm_placed_out((long)(call))))
void nvm_place(struct nvm_type *type);
void *nvm_placed(const volatile void *result);
long nvm_placed_out(long result);

/* The trees of <search.h> in the heap, with the arguments and results of the functions without
 * the prefix; a VISIT is an unsigned. If one call of a program is replaced, all must be: the
 * nodes differ from those of the C library. */
typedef int nvm_compare(const void *, const void *);
void *nvm_tsearch(const void *key, void **root, nvm_compare *compare);
void *nvm_tfind(const void *key, void *const *root, nvm_compare *compare);
void *nvm_tdelete(const void *key, void **root, nvm_compare *compare);
void nvm_twalk(const void *root, void (*action)(const void *node, unsigned visit, int depth));
void nvm_twalk_r(const void *root, void (*action)(const void *node, unsigned visit, void *with),
                 void *with);
void nvm_tdestroy(void *root, void (*release)(void *key));

/* insque() and remque() of <search.h> for elements in the heap; `behind` may be null. */
void nvm_insque(void *element, void *behind);
void nvm_remque(void *element);

/* For a block of bytes that the C library allocates internally. In NVM_ALLOC it is copied to
 * the heap and freed, and the value is the copy: NVM_ALLOC(bytes, NVM_ADOPT(wcsdup(text))).
 * Elsewhere, and without a pool, the value is the block itself. */
#define NVM_ADOPT(call) ((__typeof__(call))nvm_adopt((void *)(call)))
void *nvm_adopt(void *block);
/* For blocks that the C library allocates internally and stores through arguments. NVM_OUT()
 * and NVM_IN_OUT() mark these arguments and announce the pointers; in NVM_ALLOC each new block
 * is copied to the heap and freed, and the pointer is set to the copy. A pointer that the call
 * sets to null or does not change is left so:
 *   NVM_ADOPT_OUT(sscanf(line, "%ms", NVM_OUT(&o->name)))
 * NVM_IN_OUT() is for functions that resize the block that the pointer points to: if it is in
 * the heap, they get a copy of it outside of the heap:
 *   NVM_ADOPT_OUT(argz_add(NVM_IN_OUT(&o->words), &o->size_bytes, word)) */
#define NVM_ADOPT_OUT(call) (nvm_adopting(), (__typeof__(call))nvm_adopted((long)(call)))
#define NVM_OUT(pointer) ((__typeof__(&*(pointer)))nvm_out((pointer)))
#define NVM_IN_OUT(pointer) ((__typeof__(&*(pointer)))nvm_in_out((pointer)))
void nvm_adopting(void);
long nvm_adopted(long result);
void *nvm_out(const volatile void *p);
void *nvm_in_out(const volatile void *p);

/* The malloc family, with the arguments and results of the functions without the prefix. Any
 * thread. Outside of NVM_ALLOC, or without a pool, they are the functions of the C library.
 * Inside of NVM_ALLOC they allocate from the heap. nvm_free() and nvm_usable_size() take blocks
 * of both kinds. nvm_realloc() does not move a block between the heap and DRAM, except that
 * inside of NVM_ALLOC it moves a DRAM block to the heap. If the heap is full, the result is NULL
 * with errno ENOMEM. A freed block is reused only after the commit of the section that freed it;
 * a crash undoes allocations and frees that were not committed. Blocks are aligned to 16 bytes,
 * or to the requested alignment of up to 65536 bytes; a larger alignment gives NULL with ENOMEM.
 * The program may write all of nvm_usable_size() bytes. */
void *nvm_malloc(__SIZE_TYPE__ size_bytes);
void *nvm_calloc(__SIZE_TYPE__ n, __SIZE_TYPE__ size_bytes);
void *nvm_realloc(void *p, __SIZE_TYPE__ size_bytes);
void *nvm_memalign(__SIZE_TYPE__ alignment, __SIZE_TYPE__ size_bytes);
void *nvm_aligned_alloc(__SIZE_TYPE__ alignment, __SIZE_TYPE__ size_bytes);
int nvm_posix_memalign(void **out, __SIZE_TYPE__ alignment, __SIZE_TYPE__ size_bytes);
void *nvm_valloc(__SIZE_TYPE__ size_bytes);
void *nvm_pvalloc(__SIZE_TYPE__ size_bytes);
/* mmap(), munmap() and mremap(). In NVM_ALLOC, private anonymous memory is a zeroed block of
 * whole pages in the heap; every other mapping is made by the system. */
void *nvm_mmap(void *at, __SIZE_TYPE__ size_bytes, int protection, int flags, int fd, long offset);
int nvm_munmap(void *p, __SIZE_TYPE__ size_bytes);
void *nvm_mremap(void *p, __SIZE_TYPE__ old_size_bytes, __SIZE_TYPE__ size_bytes, int flags);
void *nvm_reallocarray(void *p, __SIZE_TYPE__ n, __SIZE_TYPE__ size_bytes);
void nvm_free(void *p);
char *nvm_strdup(const char *s);
char *nvm_strndup(const char *s, __SIZE_TYPE__ n);
/* Functions of the C library that allocate a block and store its address or size through an
 * argument: they announce what they write there. In NVM_ALLOC the block is copied to the heap
 * once its size is known. */
int nvm_asprintf(char **out, const char *format, ...) __attribute__((format(printf, 2, 3)));
int nvm_vasprintf(char **out, const char *format, __builtin_va_list arguments)
    __attribute__((format(printf, 2, 0)));
long nvm_getline(char **line, __SIZE_TYPE__ *size_bytes, void *stream);
long nvm_getdelim(char **line, __SIZE_TYPE__ *size_bytes, int delimiter, void *stream);
/* open_memstream(): a FILE * whose text is in a block of the heap, if called in NVM_ALLOC. */
void *nvm_open_memstream(char **text, __SIZE_TYPE__ *size_bytes);
char *nvm_realpath(const char *path, char *resolved);
char *nvm_getcwd(char *buf, __SIZE_TYPE__ n);
__SIZE_TYPE__ nvm_usable_size(void *p);

/* For new code: allocate an object of `type` from the heap; nvm_zalloc() fills it with zeros.
 * NULL with errno ENOMEM: the heap is full. */
void *nvm_alloc(struct nvm_type *type, __SIZE_TYPE__ size_bytes);
void *nvm_zalloc(struct nvm_type *type, __SIZE_TYPE__ size_bytes);

/* 1 if p points into the heap, else 0. */
int nvm_contains(const void *p);

/*===-- Roots, statics ------------------------------------------------------===*/

/* The prefix of the names that the macros below register. A file defines another one, such as
 * "cache.c:", if another file has a static of the same name. */
#ifndef NVM_PREFIX
#define NVM_PREFIX ""
#endif
/* The registrations of one file: a constructor, which runs before main. `tag` is made of the
 * file's name; no other name in this header has the prefix of this function. */
#define NVM_REGISTER(tag) __attribute__((constructor)) static void nvm_registrations_##tag(void)

/* Roots, root arrays, twins, statics and functions, but not the values of nvm_keep(), are
 * registered before nvm_start() or nvm_open(), by one thread, as in constructors. A
 * registration while a pool is open ends the process by abort(), with a message, except by
 * nvm_root_here() and nvm_root_behind_here(). Names are unique and must live as long as the
 * process. */

/* Keeps the bytes of a static variable (a pointer, a counter) in the pool under `name`: each
 * commit stores them if they have changed, and nvm_restore() restores them. Cost: a comparison
 * of size_bytes at each commit. */
void nvm_root(const char *name, const volatile void *address, unsigned long size_bytes);
#define NVM_ROOT(lvalue) nvm_root(NVM_PREFIX #lvalue, &(lvalue), sizeof(lvalue))
/* A root that is a run of bit-fields of `object`, in the bytes from `begin` to `end`. `names`
 * has their names and widths, separated by commas:
 * NVM_ROOT_BITS(o, "busy:1,level:4", &o.before + 1, &o.after). */
#define NVM_ROOT_BITS(object, names, begin, end)                                                   \
    nvm_root(NVM_PREFIX #object "." names, (begin),                                                \
             (unsigned long)((const volatile char *)(end) - (const volatile char *)(begin)))
/* A root that is a pointer or an array of pointers: it is updated when the pool is moved, and
 * when statics that it may point to have other addresses in a run. */
void nvm_root_pointers(const char *name, const volatile void *address, unsigned long size_bytes);
#define NVM_ROOT_POINTERS(lvalue) nvm_root_pointers(NVM_PREFIX #lvalue, &(lvalue), sizeof(lvalue))
/* A root that is a pointer or an array of pointers of which some may point to memory that ends
 * with the process (a block outside of the heap, memory of a library): nvm_restore() leaves
 * these with the values that start-up has set. */
void nvm_root_volatile(const char *name, const volatile void *address, unsigned long size_bytes);
#define NVM_ROOT_VOLATILE(lvalue) nvm_root_volatile(NVM_PREFIX #lvalue, &(lvalue), sizeof(lvalue))

/* Promises that nothing that runs after nvm_ready() writes the root registered for these bytes:
 * from its second commit on, a process does not compare it. With NVM_VERIFY=1 it does, and
 * reports a root that was written. */
void nvm_settled(const volatile void *address, unsigned long size_bytes);
#define NVM_SETTLED(lvalue) nvm_settled(&(lvalue), sizeof(lvalue))

/* Declares that the root registered for these bytes also counts what ends with the process, as
 * the number of bytes of an allocator for the heap and for DRAM does. A change of only this root
 * does not cause a commit before an output: it is stored by the next commit that has other
 * changes, so a crash may leave it at its value of the last such commit. */
void nvm_tally(const volatile void *address, unsigned long size_bytes);
#define NVM_TALLY(lvalue) nvm_tally(&(lvalue), sizeof(lvalue))

/* Declares a lock in a root, or in each element of a root that is an array:
 * NVM_LOCK(table, table[0], mutex). nvm_restore() leaves it as start-up has initialised it, even
 * if a thread held it at the last commit. */
#define NVM_LOCK(root, element, lock)                                                              \
    nvm_root_lock(&(element).lock, sizeof((element).lock), sizeof(element),                        \
                  sizeof(root) / sizeof(element))
void nvm_root_lock(const volatile void *first, unsigned long size_bytes, unsigned long stride_bytes,
                   unsigned long number);
/* The same for a field that is a pointer or an array of pointers, of which some may point to
 * memory that ends with the process: nvm_restore() leaves these as start-up has set them. */
#define NVM_ENDING(root, element, field)                                                           \
    nvm_root_ending(&(element).field, sizeof((element).field), sizeof(element),                    \
                    sizeof(root) / sizeof(element))
void nvm_root_ending(const volatile void *first, unsigned long size_bytes,
                     unsigned long stride_bytes, unsigned long number);

/* Registers a root where it is declared, for a variable that no constructor can name: a static
 * inside a function, or a local of main. It is registered when control first gets there, which
 * may be after nvm_restore(): then the variable gets its kept value immediately. Until it is
 * registered, the pool keeps the last value. The name must contain "()", as in
 * "get_store():it.first". `pointers` is 0, or 1 for a pointer or an array of pointers, or 2 if
 * these may point to memory that ends with the process. `*known` is set to 1. Any thread. */
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
/* After the declaration of a local of main: when its block ends, the roots in this local are no
 * longer compared, and the pool keeps their values of that moment. */
#define NVM_ROOTS_END_WITH(local)                                                                  \
    __extension__                                                                                  \
        __attribute__((cleanup(nvm_roots_end), unused)) void *nvm_roots_of_##local[2] = {          \
            &(local), (char *)&(local) + sizeof(local)}
void nvm_roots_end(void *(*range)[2]);

/* Keeps a field of the one record that `slot` points to and that the program creates at each
 * start, in the heap or outside of it. The field is kept by value: nvm_restore() restores it, or
 * a later call of nvm_restore() if the pointer is null before. If the pointer is still null in
 * nvm_ready(), the process ends with a message. Afterwards, while the pointer is null, the last
 * value is kept. `pointers` is 0, or 1 for a pointer or an array of pointers, or 2 if these may
 * point to memory that ends with the process. */
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
/* Keeps a field of the one record that `slot` points to, registered where the pointer is
 * declared, for a pointer that no constructor can name: "main():app->first". The program creates
 * the record before nvm_restore(), and the pointer is null until then. When nvm_free() frees the
 * record, the pool keeps the values that its fields have at that moment. `pointers` is 0, or 1
 * for a pointer or an array of pointers, or 2 if these may point to memory that ends with the
 * process. `*known` is set to 1. */
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

/* `slot` is a static pointer to an array of records that the program creates at each start and
 * that have volatile and persistent fields; `fields` lists the persistent ones. nvm_restore()
 * copies these fields of the kept array into the new one and frees the kept array. The array
 * must be in the heap. A smaller array is refused unless the removed elements are zero in these
 * fields [pool-layout]. If several slots pointed into one kept array, they point into the new
 * array in the same way. If the program has created one array where two were kept, the slots get
 * the kept arrays. */
void nvm_root_array(const char *name, const volatile void *slot, unsigned long element_size_bytes,
                    const struct nvm_field *fields, unsigned field_count);
#define NVM_ROOT_ARRAY(slot, type, ...)                                                            \
    do {                                                                                           \
        NVM_FIELDS(nvm_fields_, __VA_ARGS__)                                                       \
        nvm_root_array(NVM_PREFIX #slot, &(slot), sizeof(type), nvm_fields_,                       \
                       sizeof(nvm_fields_) / sizeof(nvm_fields_[0]));                              \
    } while (0)

/* To be called after each write of a static scalar that determines where data are stored (a hash
 * seed). The first call for a name in the life of a pool stores the value; every later call
 * sets the variable to the stored value. Without a pool it does nothing. */
void nvm_keep(const char *name, const volatile void *address, unsigned long size_bytes);
#define NVM_KEEP(lvalue) nvm_keep(#lvalue, &(lvalue), sizeof(lvalue))

/* A static object that persistent objects point to and that the program does not write after
 * nvm_start(). Its twin is a copy in the pool that has the same address in every run and every
 * build; its content is copied from the static when the pool is opened. The static may grow to
 * twice its first size; beyond that, the pool is refused, because objects contain the address of
 * the twin. nvm_twin() returns the address of the twin; without a pool, that of the static. */
void nvm_register_twin(const char *name, const volatile void *address, unsigned long size_bytes);
#define NVM_TWIN(lvalue) nvm_register_twin(NVM_PREFIX #lvalue, &(lvalue), sizeof(lvalue))
void *nvm_twin_of(const volatile void *address);
#define nvm_twin(pointer) ((__typeof__(&*(pointer)))nvm_twin_of(pointer))

/* A static object that persistent objects or roots point to and that the program writes (the
 * head of a list, a table that is filled). Pointers to it need no special form. If its address
 * differs in a later run, nvm_start() updates the pointers in the pool, which takes time in
 * proportion to the heap: link with -no-pie if that is too long. Its content is not restored,
 * except for roots in it. It may grow by elements of element_bytes; a program that does not have
 * it is refused if objects may point to it. */
void nvm_register_static(const char *name, const volatile void *address, unsigned long size_bytes,
                         unsigned long element_bytes);
#define NVM_STATIC(lvalue)                                                                         \
    nvm_register_static(NVM_PREFIX #lvalue, &(lvalue), sizeof(lvalue), sizeof(lvalue))
#define NVM_STATIC_ARRAY(lvalue)                                                                   \
    nvm_register_static(NVM_PREFIX #lvalue, &(lvalue), sizeof(lvalue), sizeof((lvalue)[0]))
/* A local of main that persistent objects or roots point to, registered where it is declared,
 * before nvm_start(), as "main():app". If its address differs in a later run, nvm_start() updates
 * the pointers in the pool. */
#define NVM_STATIC_HERE(name, lvalue)                                                              \
    nvm_register_static(name, &(lvalue), sizeof(lvalue), sizeof(lvalue))
/* For pointers to string literals and to statics that cannot be named here, of the program or
 * library that contains the literal at `address`. A later run of the same build updates them if
 * the addresses differ; another build is refused if the pool contains such pointers. */
void nvm_register_literals(const void *address);
#define NVM_LITERALS() nvm_register_literals("")

/* A function that persistent objects point to. nvm_code() returns an address that is the same in
 * every run and every build, with a jump to the function; without a pool, it returns the address
 * of the function. Use it wherever the address of the function is stored or compared. A program
 * that does not have one of the functions of a pool refuses the pool. */
typedef void nvm_function(void);
void nvm_register_code(const char *name, nvm_function *function);
#define NVM_CODE(function) nvm_register_code(NVM_PREFIX #function, (nvm_function *)(function))
nvm_function *nvm_code_of(nvm_function *function);
#define nvm_code(function) ((__typeof__(&*(function)))nvm_code_of((nvm_function *)(function)))
/* A function whose own address persistent objects contain, as from a table of functions. If the
 * address differs in a later run, nvm_start() updates the pointers in the pool. */
void nvm_register_static_function(const char *name, nvm_function *function);
#define NVM_STATIC_FUNCTION(function)                                                              \
    nvm_register_static_function(NVM_PREFIX #function, (nvm_function *)(function))

/*===-- Life of the pool ----------------------------------------------------===*/

/* First statement of main. Opens or creates the pool that the environment names
 * and begins the start-up section:
 *   NVM_POOL        path of the pool file; unset or empty: no pool
 *   NVM_SIZE        first size of a new pool, e.g. 512M, 4G (default 64M)
 *   NVM_MAX_SIZE    the size that it may grow to (default 64G)
 *   NVM_ENGINE      none | redo | undo | flush | tx | versions | incll | dual |
 *                   checkpoint (docs/engines.md); default: the engine that created
 *                   the pool, and undo for a new pool
 *   NVM_EPOCH_MS    milliseconds between commits; 0: a commit at the end of each
 *                   section (default 64 for versions, incll and dual, else 0). If no
 *                   section ends, a thread of the runtime commits within two such
 *                   periods, once a second thread has had a section
 *   NVM_DURABILITY  process | power (default process)
 *   NVM_REPLICA     HOST:PORT of nvm-replica, which also gets each commit; with
 *                   NVM_REPLICA_MODE, _PARTITION, _TIMEOUT_MS, _KEY (docs/runtime.md)
 *   NVM_VERIFY      1: compare a shadow of the heap at every commit and report
 *                   stores that no hook announced (slow)
 *   NVM_VERIFY_TRAP 1: raise SIGTRAP at the first such store
 *   NVM_GC          1: free blocks that only variables of a crashed process pointed
 *                   to; typed: also rely on the types of objects (nvmove/collect.h)
 *   NVM_ASLR        1: keep address space layout randomisation. Else a position-
 *                   independent program with followed statics executes itself again
 *                   without it, before anything else, so that each run of a build has
 *                   them where they were; what it executes later has it again
 *   NVM_RELOCATE    1: if the heap's address is in use, move the pool to another
 *                   (nvm-pool relocate)
 *   NVM_MEDIA       none | dram | stt-ram | pcm | write=NS,flush=NS,fence=NS: emulate
 *                   the cost of such a medium (default none)
 *   NVM_STATS       1: count everything in struct nvm_stats (each announcement then
 *                   takes a call), print it as one line of JSON on stderr at exit,
 *                   and store it in the pool for nvm-pool stats
 *   NVM_CRASH_AT    for tests: kill -9 at this event; NVM_CRASH_COUNT=1 prints
 *                   the number of events at exit
 *   NVM_FULL_AT     for tests: from this allocation on the heap is full
 * Prints one line with the engine and what a commit survives. On a failure it prints
 * "nvmove: error: <text> [<id>]" and exits with status 78; the pool is unchanged. */
void nvm_start(void);

/* A call before declarations in a block of C89, where declarations must come first:
 * NVM_DECLARED(nvm_start()); */
#define NVM_DECLARED(...)                                                                          \
    __extension__ __attribute__((unused)) int NVM_DECLARED_AS(__COUNTER__) = __extension__({       \
        __VA_ARGS__;                                                                               \
        0;                                                                                         \
    })
#define NVM_DECLARED_AS(number) NVM_DECLARED_OF(number)
#define NVM_DECLARED_OF(number) nvm_declared_##number

/* At the place where the program would load its saved state. Returns 1 if the roots are restored
 * from the pool and the load must be skipped; 0 if the pool is new, or no pool is open, and the
 * program must load. If the program has forked after nvm_start(), the first process that calls it
 * owns the pool from then on. */
int nvm_restore(void);

/* Like nvm_restore(), for a load that both start-up and later requests call: restores the roots
 * and returns 1 until start-up ends, if the pool has them; afterwards 0, so that a request to load
 * again is executed. Returns 0 as well if the pool is new or no pool is open. */
int nvm_restore_at_start(void);

/* After the load: ends the start-up section and commits it, so that everything so far becomes
 * durable together. A crash before this leaves the pool unchanged; a new pool is then created
 * again at the next start. */
void nvm_ready(void);

/* After the main loop, before a program frees its state: commits everything so far, durably, and
 * from then on nothing that this process does reaches the pool, which stays locked until the
 * process ends. The process may still read, store, allocate and free. In an outermost section it
 * ends the section. Other threads must have ended or must no longer change persistent state. In a
 * nested section, and before nvm_ready(), it commits nothing. Without a pool, and if called again,
 * it does nothing. Its cost follows from what is stored afterwards; engines that cannot go back to
 * a commit (flush, tx) copy the heap.
 *
 * If any thread begins a section afterwards, or calls nvm_restore() or nvm_ready(), the process
 * ends with status 70 and a message that names both places [detached-early], before any output,
 * and the pool is as of this commit; where it is another thread than the one that called this, two
 * seconds later, if the process has not ended by then. */
void nvm_detach(void);

/* A load whose result is used, an integer or a pointer. In the run that creates the pool it
 * evaluates `call`, and stores its result and errno in the pool; in later runs it restores the
 * roots and has that result and errno instead. In both cases it calls nvm_ready(). */
#define NVM_LOAD(call) NVM_LOAD_IF_NOT(nvm_restore(), call)
#define NVM_LOAD_IF_NOT(restored, call)                                                            \
    ((restored) ? (__typeof__(call))(nvm_load_result())                                            \
                : (__typeof__(call))(nvm_loaded((long)(call))))
/* A load whose result is an integer and whose result `nothing` means that there was nothing to
 * load. If the run that created the pool got `nothing`, later runs get `loaded`, because the pool
 * contains what the program created then; otherwise they get the stored result and errno. Calls
 * nvm_ready(). */
#define NVM_LOAD_OR(call, nothing, loaded) NVM_LOAD_OR_IF_NOT(nvm_restore(), call, nothing, loaded)
#define NVM_LOAD_OR_IF_NOT(restored, call, nothing, loaded)                                        \
    ((restored) ? (__typeof__(call))(nvm_load_result_or((long)(nothing), (long)(loaded)))          \
                : (__typeof__(call))(nvm_loaded_or((long)(call), (long)(nothing))))
/* For `root = load()`: the result is assigned to `root`, a root, before the start-up section ends;
 * later runs get the restored value of `root`. Calls nvm_ready(). */
#define NVM_LOAD_AS(call, root) NVM_LOAD_AS_IF_NOT(nvm_restore(), call, root)
#define NVM_LOAD_AS_IF_NOT(restored, call, root)                                                   \
    ((restored) ? (nvm_ready(), (__typeof__(call))(root))                                          \
                : ((root) = (call), (void)nvm_loaded(0), (__typeof__(call))(root)))
/* For `x = load(); .. root = x;`: the first run gets the result of the load, later runs the
 * restored value of `root`. If a run is killed between the two statements, `root` keeps its old
 * value. Calls nvm_ready(). */
#define NVM_LOAD_FOR(call, root) NVM_LOAD_FOR_IF_NOT(nvm_restore(), call, root)
#define NVM_LOAD_FOR_IF_NOT(restored, call, root)                                                  \
    ((restored) ? (nvm_ready(), (__typeof__(call))(root))                                          \
                : (__typeof__(call))(nvm_loaded((long)(call))))
/* A load without a result, within an expression: open_it(), NVM_LOAD_VOID(load()), n++; It is
 * skipped if the roots are restored. Calls nvm_ready(). */
#define NVM_LOAD_VOID(call) NVM_LOAD_VOID_IF_NOT(nvm_restore(), call)
#define NVM_LOAD_VOID_IF_NOT(restored, call) ((restored) ? nvm_ready() : ((call), nvm_ready()))
/* The NVM_LOAD.. macros for a call that start-up shares with later requests to load again: they
 * use nvm_restore_at_start() instead of nvm_restore(), so that the load is skipped only during
 * start-up. */
#define NVM_RELOAD(call) NVM_LOAD_IF_NOT(nvm_restore_at_start(), call)
#define NVM_RELOAD_OR(call, nothing, loaded)                                                       \
    NVM_LOAD_OR_IF_NOT(nvm_restore_at_start(), call, nothing, loaded)
#define NVM_RELOAD_AS(call, root) NVM_LOAD_AS_IF_NOT(nvm_restore_at_start(), call, root)
#define NVM_RELOAD_FOR(call, root) NVM_LOAD_FOR_IF_NOT(nvm_restore_at_start(), call, root)
#define NVM_RELOAD_VOID(call) NVM_LOAD_VOID_IF_NOT(nvm_restore_at_start(), call)
/* Every load but the last of several: it does not end the start-up section, so that the pool
 * contains either the state of all loads or nothing. The result, an integer or a pointer, is
 * kept in the pool under `name`, which is unique among all roots; later runs get it. */
#define NVM_LOAD_PART(name, call)                                                                  \
    (nvm_restore() ? (__typeof__(call))(nvm_part_result(name))                                     \
                   : (__typeof__(call))(nvm_part_loaded(name, (long)(call))))
/* Every load but the last of several, if later runs get `value` instead of the first run's
 * result: the root that the result is assigned to, or a constant. */
#define NVM_LOAD_PART_AS(call, value) (nvm_restore() ? (__typeof__(call))(value) : (call))
long nvm_part_result(const char *name);
long nvm_part_loaded(const char *name, long result);
long nvm_load_result(void);
long nvm_load_result_or(long nothing, long loaded);
long nvm_loaded(long result);
long nvm_loaded_or(long result, long nothing);

/* A section: stores between nvm_begin() and nvm_end() become durable together or not at all. May
 * be nested; the nvm_end() of the outermost section commits, unless commits are apart in time
 * (NVM_EPOCH_MS) or precede outputs (nvm_commit_at_output()). Called by one thread in pairs.
 * nvm_begin() waits while another thread is in a section, unless sections of locks may run
 * concurrently. Without a pool they do nothing. nvm_end() without nvm_begin() ends the process by
 * abort(), with a message. */
void nvm_begin(void);
void nvm_end(void);
/* A section from here to the end of the block, by every way out of it except longjmp(). */
#define NVM_SECTION()                                                                              \
    __attribute__((unused, cleanup(nvm_section_end))) int nvm_section = nvm_section_begin()
int nvm_section_begin(void);
void nvm_section_end(int *section);
/* Restart points (nvmove/restart.h), as the rewriter writes them. To be called before nvm_start():
 * commits are then NVM_EPOCH_MS apart (64 ms if not set); a thread of the runtime takes them while
 * all threads wait. nvm_start() refuses engines that cannot go back to a restart point
 * [restart-points]. */
void nvm_restart_points(void);
/* The thread takes part in restart points from here to the end of the block or of the thread. If
 * the thread is in a section, it has no effect. */
#define NVM_THREAD()                                                                               \
    __attribute__((unused, cleanup(nvm_thread_end))) int nvm_thread = nvm_thread_begin()
int nvm_thread_begin(void);
void nvm_thread_end(int *thread);
/* A restart point: returns immediately unless a checkpoint is due; otherwise waits until it is
 * taken, so the thread must not hold a lock. A checkpoint waits only for threads that take part;
 * other threads that call this wait for the checkpoint as well. In a section it does nothing. */
void nvm_restart_point(void);
/* NVM_PAUSED(read(fd, buf, n)): the thread is at a restart point during the call, which may block
 * and must not store to the heap, allocate or free. Its value is that of the call. Sections that
 * the thread is in are left for the call, and so commit what they have done; not those of locks
 * (below), nor that of start-up. */
#define NVM_PAUSED(call)                                                                           \
    (__extension__({                                                                               \
        __attribute__((unused, cleanup(nvm_pause_end))) int nvm_pause = nvm_pause_begin();         \
        call;                                                                                      \
    }))
int nvm_pause_begin(void);
void nvm_pause_end(int *pause);

/* if (nvm_jumped(setjmp(top))) .., if no section is open when setjmp() is called: after a jump
 * from within sections, it ends these sections, with what they have done so far. Returns `value`.
 */
int nvm_jumped(int value);

/* Locks whose critical sections change persistent state: the functions of pthreads and C11
 * threads without the prefix, with their arguments and results. From the first such lock that a
 * thread acquires to the last that it releases, it is in a section, which commits before that
 * lock is released. A wait for a condition leaves the section during the wait, and so commits;
 * spurious wake-ups are possible, as always. The trylock functions may wait for the end of a
 * section of another thread. Within a section, and without a pool, they only lock. A thread must
 * not end while it holds such a lock. */
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

/* Output commit: output leaves the process only after the changes that precede it are committed.
 * These are the system calls and functions without the prefix, with their arguments, results and
 * errors. In a section with announced stores they commit first, and the section continues as a new
 * one. In a nested section they do so as well, because a reader of a socket, a pipe or a terminal
 * may rely on the output, which then outlives a crash in the middle of the update; only an output
 * to a regular file, such as a log, commits nothing in a nested section (counted in
 * nvm_stats.early_outputs). With NVM_DURABILITY=power, nvm_end() only appends to the log, and
 * these calls wait for the medium: one wait for all sections since the last output. */
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
/* fflush(): `stream` is a FILE *, or NULL for all streams. Commits before buffered text is written;
 * in a nested section not if it goes to a regular file. */
int nvm_fflush(void *stream);
/* From now on, text that a section prints to stdout is written after the section's commit, up to
 * 32 KiB, even if stdout is a terminal or unbuffered. Only for programs that do not wait for input
 * within a section: otherwise a prompt would be written after its answer was read. nvm_fflush()
 * writes the text at once. */
void nvm_hold_output(void);
/* To be called before an output by any other function: commits at any nesting depth, and waits for
 * the medium. Without a pool it does nothing. */
void nvm_output(void);
/* Calls nvm_output() before a function that outputs: NVM_OUTPUT(kill)(child, SIGUSR1). The
 * arguments may be evaluated before or after the commit, so they must not change persistent state.
 */
#define NVM_OUTPUT(function) (nvm_output(), function)

/* From now on the end of a section need not commit: one commit for all ended sections is made
 * before the next output by nvm_write() and the other output functions, before the next
 * nvm_wait(), or when many changes have accumulated. A crash may lose changes that no output has
 * shown. Only for programs without other ways of output, such as a library with a buffer of its
 * own. It has no effect if commits are apart in time (NVM_EPOCH_MS), if a second thread writes
 * them, or under the engines tx and flush. Sections of locks then run concurrently. An output
 * waits until the sections of other threads have ended, so a thread must not output while it holds
 * a lock that others acquire in their sections: such an output is made after two seconds, before
 * its commit (nvm_stats.early_outputs). */
void nvm_commit_at_output(void);
/* To be called before the program waits, for example for input: outside of sections it commits the
 * sections that have ended. */
void nvm_wait(void);
/* Calls nvm_wait() before a function that waits: NVM_WAIT(poll)(places, 2, -1). */
#define NVM_WAIT(function) (nvm_wait(), function)

/*===-- Explicit use, for new code and tests --------------------------------===*/

/* Opens or creates the pool at `path`, and begins the start-up section, without printing or
 * exiting. `options` may be NULL: all defaults. Returns 0 or an errno value; nvm_errormsg() has
 * the text.   ENOENT   the directory does not exist   EBUSY    another process uses the pool, or
 * this process has a pool open   EINVAL   not a pool, damaged, or of another version; or the
 * engine or size does not exist   ENOEXEC  the program has another layout   ENOMEM   the heap's
 * address is in use, or there is no memory   ENOSPC, EROFS, EACCES, and others as of open(2) */
struct nvm_options {
    unsigned long size_bytes; /* of a new pool; 0: default */
    const char *engine;       /* NULL: the one that created the pool; "undo" for a new pool */
    int power;                /* 1: NVM_DURABILITY=power */
    int verify;
    int epoch_ms; /* between commits; 0: the engine's default; -1: each section commits */
    unsigned long max_size_bytes; /* limit of growth of a new pool; 0: default */
};
int nvm_open(const char *path, const struct nvm_options *options);

/* Commits and closes the pool. Pointers into the heap are invalid afterwards. Not inside a nested
 * section, and not while another thread is in a section: that ends the process by abort(), with a
 * message. Without a pool it does nothing. */
void nvm_close(void);

/* The last error of this thread: "<text> [<id>]". Never NULL. */
const char *nvm_errormsg(void);

struct nvm_stats {
    unsigned long sections;     /* outermost sections that committed something */
    unsigned long lines_logged; /* 64-byte lines */
    unsigned long log_bytes;
    unsigned long checkpoints;   /* times that the whole log was applied and reset */
    unsigned long media_waits;   /* fdatasync or flush-and-fence rounds */
    unsigned long orphan_stores; /* first touches outside of sections */
    unsigned long early_outputs;
    unsigned long heap_used_bytes, heap_size_bytes;
    unsigned long unannounced; /* lines found by NVM_VERIFY */
    /* Counted only with NVM_STATS or NVM_MEDIA: lines written with non-temporal stores, lines
     * flushed, fences. With engine tx, those of libpmemobj are not counted. */
    unsigned long lines_written, lines_flushed, fences;
    unsigned long lines_read; /* read by the engine: old content, log, at opening */
    unsigned long energy_nj;  /* of these lines, docs/engines.md */
    unsigned long stores;     /* announced, including the runtime's own; only with NVM_STATS */
    unsigned long collected_objects, collected_bytes, collected_counts; /* nvmove/collect.h */
    /* With NVM_REPLICA: records and their bytes, parts of 4 KiB sent to catch up, waits for the
     * replica, commits that it may not have yet. */
    unsigned long replica_records, replica_bytes, replica_pages, replica_waits, replica_lag;
};
/* Any thread, at any time. Each counter is read atomically, but not all of them together. */
void nvm_get_stats(struct nvm_stats *out);

#ifdef __cplusplus
}
#endif

#endif /* NVMOVE_NVM_H */
