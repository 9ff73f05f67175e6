# ===- hll.py - HyperLogLog as Redis stores it ------------------------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Registers of a HyperLogLog: computed from elements, and decoded from a string.

Comparing registers rather than PFCOUNT's estimate makes one lost register
visible.
"""

REGISTERS = 1 << 14
_MASK = (1 << 64) - 1
_M = 0xC6A4A7935BD1E995


def _murmur64a(data, seed):
    h = seed ^ (len(data) * _M & _MASK)
    whole = len(data) & ~7
    for i in range(0, whole, 8):
        k = int.from_bytes(data[i : i + 8], "little") * _M & _MASK
        k = (k ^ k >> 47) * _M & _MASK
        h = (h ^ k) * _M & _MASK
    if len(data) & 7:
        h = (h ^ int.from_bytes(data[whole:], "little")) * _M & _MASK
    h = (h ^ h >> 47) * _M & _MASK
    return h ^ h >> 47


def register_of(element):
    """(index, value) of the register that an element raises."""
    h = _murmur64a(element, 0xADC83B19)
    rest = (h | 1 << 63) >> 14
    return h & (REGISTERS - 1), (rest & -rest).bit_length()


class Hll(dict):
    """The registers that are not zero: {index: value}."""

    def add(self, element):
        index, value = register_of(element)
        if self.get(index, 0) >= value:
            return False
        self[index] = value
        return True

    def merge(self, other):
        for index, value in other.items():
            if self.get(index, 0) < value:
                self[index] = value


def decode(raw):
    """The registers in a string value, or None when it holds no HyperLogLog."""
    if len(raw) < 16 or raw[:4] != b"HYLL" or raw[4] > 1:
        return None
    body = raw[16:]
    return _decode_sparse(body) if raw[4] == 1 else _decode_dense(body)


def _decode_dense(body):
    if len(body) < REGISTERS * 6 // 8:
        return None
    out = Hll()
    for group in range(0, REGISTERS, 4):
        word = int.from_bytes(body[group * 6 // 8 : group * 6 // 8 + 3], "little")
        for i in range(4):
            value = word >> (6 * i) & 63
            if value:
                out[group + i] = value
    return out


def _decode_sparse(body):
    out, index, i = Hll(), 0, 0
    while i < len(body):
        byte = body[i]
        if byte & 0x80:
            for _ in range((byte & 3) + 1):
                out[index] = (byte >> 2 & 31) + 1
                index += 1
        elif byte & 0x40:
            i += 1
            if i == len(body):
                return None
            index += ((byte & 0x3F) << 8 | body[i]) + 1
        else:
            index += byte + 1
        i += 1
    return out if index == REGISTERS else None
