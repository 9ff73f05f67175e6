/*===- emulate.c - the delays of nvmove --emulate ---------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "medium/media.h"

void nvm_emulated_wait(unsigned ns);

void nvm_emulated_wait(unsigned ns)
{
    nvmi_media_spin(ns);
}
