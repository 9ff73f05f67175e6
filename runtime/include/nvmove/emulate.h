/*===- emulate.h - what nvmove --emulate writes into a program --------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Only for comparison: the program has no pool and nothing of it survives, but
 * it takes as long as if its persistent data were in such a memory and each write
 * were flushed and committed at once. As in "NVMovE: Helping
 * Programmers Move to Byte-Based Persistence" (INFLOW 2016):
 *
 *                     read     write    clwb    PCOMMIT
 *   NVM_EMULATE_PCM      300 ns   300 ns   40 ns   500 ns
 *   NVM_EMULATE_STT_RAM  100 ns   100 ns   40 ns   200 ns
 *
 * The delay precedes the access, so that the value of each macro is that of the
 * access, also for a bit-field.
 */
#ifndef NVMOVE_EMULATE_H
#define NVMOVE_EMULATE_H

/* Compilers then do not warn about this file and the expansions of its macros. */
#pragma GCC system_header

#ifdef NVM_EMULATE_STT_RAM
#define NVM_EMULATED_READ_NS 100u
#define NVM_EMULATED_WRITE_NS (100u + 40u + 200u)
#else /* NVM_EMULATE_PCM */
#define NVM_EMULATED_READ_NS 300u
#define NVM_EMULATED_WRITE_NS (300u + 40u + 500u)
#endif

#define NVM_READ(...) (nvm_emulated_wait(NVM_EMULATED_READ_NS), (__VA_ARGS__))
#define NVM_WRITE(...) (nvm_emulated_wait(NVM_EMULATED_WRITE_NS), (__VA_ARGS__))
#define NVM_CHANGE_OF(...)                                                                         \
    (nvm_emulated_wait(NVM_EMULATED_READ_NS), nvm_emulated_wait(NVM_EMULATED_WRITE_NS),            \
     (__VA_ARGS__))

#ifdef __cplusplus
extern "C" {
#endif

/* Returns after `ns` nanoseconds; it waits without sleeping. Any thread. */
void nvm_emulated_wait(unsigned ns);

#ifdef __cplusplus
}
#endif

#endif /* NVMOVE_EMULATE_H */
