/*===- load.c - the module for libfabric, and the shared key ----------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "remote/load.h"
#include "base/error.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef NVMI_FABRIC_PATH /* where the build installs it, and where a package does */
#define NVMI_FABRIC_PATH "libnvmove-fabric.so"
#define NVMI_FABRIC_SYSTEM_PATH NVMI_FABRIC_PATH
#endif

/* Some of what libfabric links takes signals for itself as it is loaded, SIGTERM among them: how
 * they are handled is the program's matter. */
static void *load(const char *path)
{
    struct sigaction before[NSIG];
    bool known[NSIG] = {false};
    for (int i = 1; i < NSIG; i++)
        known[i] = sigaction(i, NULL, &before[i]) == 0;
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    for (int i = 1; i < NSIG; i++)
        if (known[i])
            sigaction(i, &before[i], NULL);
    return module;
}

/* NVM_FABRIC, or where it is installed. */
const struct nvmi_fabric *nvmi_fabric_load(void)
{
    static const struct nvmi_fabric *loaded;
    const char *named = getenv("NVM_FABRIC");
    const char *paths[] = {NVMI_FABRIC_PATH, NVMI_FABRIC_SYSTEM_PATH};
    void *module = NULL;
    char why[256] = "";
    if (loaded)
        return loaded;
    if (named && *named)
        paths[0] = paths[1] = named;
    for (size_t i = 0; !module && i < sizeof(paths) / sizeof(paths[0]); i++)
        if (!(module = load(paths[i])) && !*why)
            snprintf(why, sizeof(why), "%s", dlerror());
    const struct nvmi_fabric *fabric = module ? dlsym(module, NVMI_FABRIC_SYMBOL) : NULL;
    if (fabric && fabric->version == NVMI_FABRIC_VERSION)
        return loaded = fabric;
    if (module) {
        snprintf(why, sizeof(why), "the module belongs to another version of nvmove");
        dlclose(module);
    }
    nvmi_fail(
        ENOSYS, "replica-support",
        "replicas need libnvmove-fabric.so, which exists if nvmove is built with libfabric: %s",
        why);
    return NULL;
}

int nvmi_key_read(const char *path, unsigned char key[NVMI_KEY_MOST_BYTES], size_t *key_bytes)
{
    struct stat file;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &file) != 0) {
        int error = errno;
        if (fd >= 0)
            close(fd);
        return nvmi_fail(error, "replica-key", "the key %.200s cannot be read: %s", path,
                         strerror(error));
    }
    ssize_t n = read(fd, key, NVMI_KEY_MOST_BYTES);
    close(fd);
    if (!S_ISREG(file.st_mode) || file.st_mode & (S_IRWXG | S_IRWXO))
        return nvmi_fail(EACCES, "replica-key",
                         "the key %.200s is not a file that only its owner may read", path);
    if (n < (ssize_t)NVMI_KEY_LEAST_BYTES || file.st_size > (off_t)NVMI_KEY_MOST_BYTES)
        return nvmi_fail(EINVAL, "replica-key", "the key %.200s does not have %u to %u bytes", path,
                         NVMI_KEY_LEAST_BYTES, NVMI_KEY_MOST_BYTES);
    *key_bytes = (size_t)n;
    return 0;
}
