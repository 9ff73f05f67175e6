/*===- backup.h - checkpoints of regions ------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * For programs that keep their data in memory of their own and say what belongs to
 * a checkpoint: regions, and pointers into them. Independent of any pool. (The
 * backup contexts of the scientific applications: init_backup_context,
 * register_region, register_pointer, do_backup and do_restore, in this order.)
 *
 *     b = nvm_backup_open("/mnt/pmem/state", 4);
 *     nvm_backup_region(b, "particles", particles, bytes);
 *     nvm_backup_pointer(b, "free", &first_free);
 *     if (nvm_backup_load(b) == ENOENT)
 *         first_time();
 *     for (;;) { step(); nvm_backup_save(b); }
 *
 * Functions give back 0 or an errno; nvm_errormsg() tells the rest. One thread at a
 * time uses a context; the regions must not change during save and load.
 */
#ifndef NVMOVE_BACKUP_H
#define NVMOVE_BACKUP_H

#ifdef __cplusplus
extern "C" {
#endif

struct nvm_backup;

/* `path`: a file, made if there is none; NULL: memory, which serves to take back
 * a step but no crash. `threads` save and load at once (1 to 64). NULL with errno:
 * as open(2), ENOMEM, EINVAL: so many threads, or a file that holds something else,
 * which is left as it is. */
struct nvm_backup *nvm_backup_open(const char *path, unsigned threads);
void nvm_backup_close(struct nvm_backup *backup);

/* Names are unique, up to 47 bytes. EEXIST, EINVAL, ENOMEM. */
int nvm_backup_region(struct nvm_backup *backup, const char *name, void *address,
                      unsigned long size_bytes);
/* `slot` is a pointer that is NULL or points into a region (or just behind it). It
 * is saved as region and offset, and so survives that regions move. */
int nvm_backup_pointer(struct nvm_backup *backup, const char *name, void *slot);

/* All regions and pointers at once: a crash in the middle leaves the save before.
 * When it returns they are on the medium. From the first save on the file is the
 * context's until it is closed, or the process ends. EBUSY: it is another's; EFAULT: a
 * pointer leads elsewhere; ENOEXEC: other names or sizes were saved before, use another
 * file; EINVAL: the file is damaged, and stays as it is; ENOSPC, EIO. */
int nvm_backup_save(struct nvm_backup *backup);

/* The last save into the regions and pointers as they are registered now. ENOENT:
 * there is none; ENOEXEC: other names or sizes were saved; EINVAL: damaged, the
 * regions are as they were unless the damage came to light while they were read. */
int nvm_backup_load(struct nvm_backup *backup);

#ifdef __cplusplus
}
#endif

#endif /* NVMOVE_BACKUP_H */
