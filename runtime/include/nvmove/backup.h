/*===- backup.h - checkpoints of regions ------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * For programs that keep their data in their own memory and declare what belongs to
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
 * Functions return 0 or an errno; nvm_errormsg() has the text. One thread at a time
 * may use a context; the regions must not change during save and load.
 */
#ifndef NVMOVE_BACKUP_H
#define NVMOVE_BACKUP_H

#ifdef __cplusplus
extern "C" {
#endif

struct nvm_backup;

/* Opens a context. `path` is a file, which is created if it does not exist; NULL: memory,
 * from which a program can go back to an earlier step, but which does not survive a crash.
 * `threads` (1 to 64) threads copy during save and load. Returns NULL with errno: that of
 * open(2); ENOMEM; EINVAL: the number of threads is out of range, or the file is not a
 * checkpoint, and is left unchanged. */
struct nvm_backup *nvm_backup_open(const char *path, unsigned threads);
/* Frees the context; the file keeps the last save. */
void nvm_backup_close(struct nvm_backup *backup);

/* Registers size_bytes bytes at `address` under a name of up to 47 bytes. EEXIST: the name is
 * in use; EINVAL: the name is too long, the address is null, or size_bytes is 0; ENOMEM. */
int nvm_backup_region(struct nvm_backup *backup, const char *name, void *address,
                      unsigned long size_bytes);
/* Registers the pointer at `slot` under a name of up to 47 bytes. At each save, it is NULL or
 * points into a region or just past its end. It is saved as region and offset, so that regions
 * may have other addresses at the next load. EEXIST, EINVAL, ENOMEM. */
int nvm_backup_pointer(struct nvm_backup *backup, const char *name, void *slot);

/* Saves all regions and pointers atomically: a crash in the middle leaves the previous save.
 * When it returns, they are on the medium. From the first save on, the file is locked for the
 * context until it is closed or the process ends. EBUSY: another context has locked it; EFAULT:
 * a pointer does not point into a region; ENOEXEC: the file has a save with other names or
 * sizes, so use another file; EINVAL: the file is damaged, and is left unchanged; ENOSPC, EIO. */
int nvm_backup_save(struct nvm_backup *backup);

/* Loads the last save into the regions and pointers that are registered. ENOENT: there is no
 * save; ENOEXEC: it has other names or sizes; EINVAL: it is damaged. On an error the regions
 * are unchanged, unless the damage was found while they were being read. */
int nvm_backup_load(struct nvm_backup *backup);

#ifdef __cplusplus
}
#endif

#endif /* NVMOVE_BACKUP_H */
