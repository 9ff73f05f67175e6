# ===- model_collections.py - Lists, sets, hashes and sorted sets -----------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""The part of the model that deals in collections; see model.py."""

from model import ERROR, Number, Unordered, WrongType, Zset, command, float_text, integer


def bounds(start, stop, length):
    """Python's slice for Redis's inclusive, possibly negative, indices."""
    start = max(start + length, 0) if start < 0 else start
    stop = stop + length if stop < 0 else stop
    return start, max(min(stop, length - 1) + 1, start)


# ===-- Lists -----------------------------------------------------------------===#


def _push(db, args, left, only_existing=False):
    if only_existing and db.get(args[0], list) is None:
        return 0
    items = db.get_or_make(args[0], list)
    for item in args[1:]:
        items.insert(0, item) if left else items.append(item)
    db.changed(args[0])
    return len(items)


@command("LPUSH")
def lpush(db, args, _now_s):
    return _push(db, args, left=True)


@command("RPUSH")
def rpush(db, args, _now_s):
    return _push(db, args, left=False)


@command("LPUSHX")
def lpushx(db, args, _now_s):
    return _push(db, args, left=True, only_existing=True)


@command("RPUSHX")
def rpushx(db, args, _now_s):
    return _push(db, args, left=False, only_existing=True)


def _pop(db, key, index):
    items = db.get(key, list)
    if not items:
        return None
    item = items.pop(index)
    db.changed(key)
    return item


@command("LPOP")
def lpop(db, args, _now_s):
    return _pop(db, args[0], 0)


@command("RPOP")
def rpop(db, args, _now_s):
    return _pop(db, args[0], -1)


@command("RPOPLPUSH")
def rpoplpush(db, args, _now_s):
    if db.get(args[0], list) is None:
        return None
    db.get(args[1], list)
    item = db.values[args[0]].pop()
    db.get_or_make(args[1], list).insert(0, item)
    db.changed(args[0])
    db.changed(args[1])
    return item


@command("LLEN")
def llen(db, args, _now_s):
    return len(db.get(args[0], list) or [])


@command("LRANGE")
def lrange(db, args, _now_s):
    items = db.get(args[0], list) or []
    start, stop = bounds(int(args[1]), int(args[2]), len(items))
    return items[start:stop]


@command("LSET")
def lset(db, args, _now_s):
    items, index = db.get(args[0], list), int(args[1])
    if items is None or not -len(items) <= index < len(items):
        return ERROR
    items[index] = args[2]
    db.changed(args[0])
    return "OK"


@command("LTRIM")
def ltrim(db, args, _now_s):
    items = db.get(args[0], list)
    if items is not None:
        start, stop = bounds(int(args[1]), int(args[2]), len(items))
        items[:] = items[start:stop]
        db.changed(args[0])
    return "OK"


@command("LINSERT")
def linsert(db, args, _now_s):
    items = db.get(args[0], list)
    if items is None:
        return 0
    if args[2] not in items:
        return -1
    items.insert(items.index(args[2]) + (args[1].upper() == b"AFTER"), args[3])
    db.changed(args[0])
    return len(items)


@command("LREM")
def lrem(db, args, _now_s):
    key, count, item = args[0], int(args[1]), args[2]
    items = db.get(key, list)
    if items is None:
        return 0
    matches = [i for i, other in enumerate(items) if other == item]
    if count:
        matches = matches[:count] if count > 0 else matches[count:]
    for i in reversed(matches):
        del items[i]
    db.changed(key)
    return len(matches)


@command("SORT")
def sort(db, args, _now_s):
    """Only the form `key ALPHA STORE destination`."""
    value = db.values.get(args[0], [])
    if not isinstance(value, (list, set, Zset)):
        raise WrongType()
    return db.put_or_remove(args[3], sorted(value))


# ===-- Sets ------------------------------------------------------------------===#


@command("SADD")
def sadd(db, args, _now_s):
    members = db.get_or_make(args[0], set)
    before = len(members)
    members.update(args[1:])
    db.changed(args[0])
    return len(members) - before


@command("SREM")
def srem(db, args, _now_s):
    members = db.get(args[0], set)
    if members is None:
        return 0
    before = len(members)
    members.difference_update(args[1:])
    db.changed(args[0])
    return before - len(members)


@command("SMOVE")
def smove(db, args, _now_s):
    source, destination, member = args
    # A missing source is answered before the destination's type is looked at.
    if source not in db.values:
        return 0
    members = db.get(source, set)
    db.get(destination, set)
    if member not in members:
        return 0
    if source == destination:
        return 1
    members.remove(member)
    db.get_or_make(destination, set).add(member)
    db.changed(source)
    db.changed(destination)
    return 1


@command("SCARD")
def scard(db, args, _now_s):
    return len(db.get(args[0], set) or ())


@command("SISMEMBER")
def sismember(db, args, _now_s):
    return int(args[1] in (db.get(args[0], set) or ()))


@command("SMEMBERS")
def smembers(db, args, _now_s):
    return Unordered(db.get(args[0], set) or ())


def _sets(db, keys):
    return [db.get(key, set) or set() for key in keys]


LOOKS_AT_ALL_KEYS = False  # as Redis 7 does


@command("SINTERSTORE")
def sinterstore(db, args, _now_s):
    if LOOKS_AT_ALL_KEYS:
        return db.put_or_remove(args[0], set.intersection(*_sets(db, args[1:])))
    # A missing source ends the command before later ones are looked at.
    sets = []
    for key in args[1:]:
        members = db.get(key, set)
        if members is None:
            sets = [set()]
            break
        sets.append(members)
    return db.put_or_remove(args[0], set.intersection(*sets))


@command("SUNIONSTORE")
def sunionstore(db, args, _now_s):
    return db.put_or_remove(args[0], set.union(*_sets(db, args[1:])))


@command("SDIFFSTORE")
def sdiffstore(db, args, _now_s):
    return db.put_or_remove(args[0], set.difference(*_sets(db, args[1:])))


# ===-- Hashes ----------------------------------------------------------------===#


@command("HSET")
def hset(db, args, _now_s):
    fields = db.get_or_make(args[0], dict)
    created = args[1] not in fields
    fields[args[1]] = args[2]
    db.changed(args[0])
    return int(created)


@command("HSETNX")
def hsetnx(db, args, now_s):
    if args[1] in (db.get(args[0], dict) or ()):
        return 0
    return hset(db, args, now_s)


@command("HMSET")
def hmset(db, args, _now_s):
    db.get_or_make(args[0], dict).update(zip(args[1::2], args[2::2]))
    db.changed(args[0])
    return "OK"


@command("HDEL")
def hdel(db, args, _now_s):
    fields = db.get(args[0], dict)
    if fields is None:
        return 0
    removed = sum(fields.pop(field, None) is not None for field in args[1:])
    db.changed(args[0])
    return removed


@command("HGET")
def hget(db, args, _now_s):
    return (db.get(args[0], dict) or {}).get(args[1])


@command("HLEN")
def hlen(db, args, _now_s):
    return len(db.get(args[0], dict) or ())


@command("HGETALL")
def hgetall(db, args, _now_s):
    return Unordered(x for pair in (db.get(args[0], dict) or {}).items() for x in pair)


@command("HINCRBY")
def hincrby(db, args, _now_s):
    fields = db.get(args[0], dict) or {}
    value = integer(fields.get(args[1], b"0"))
    if value is None:
        # The server makes the hash before it looks at the field; the field
        # that cannot be read proves that the hash was there.
        return ERROR
    db.get_or_make(args[0], dict)[args[1]] = b"%d" % (value + int(args[2]))
    db.changed(args[0])
    return value + int(args[2])


@command("HINCRBYFLOAT")
def hincrbyfloat(db, args, _now_s):
    fields = db.get_or_make(args[0], dict)
    fields[args[1]] = float_text(float(fields.get(args[1], b"0")) + float(args[2]))
    db.changed(args[0])
    return fields[args[1]]


# ===-- Sorted sets -----------------------------------------------------------===#


def ranked(members):
    """(score, member) in the order of the skip list."""
    return sorted((score, member) for member, score in members.items())


@command("ZADD")
def zadd(db, args, _now_s):
    key, rest = args[0], args[1:]
    flags = set()
    while rest[0].upper() in (b"NX", b"XX", b"CH"):
        flags.add(rest[0].upper())
        rest = rest[1:]
    members = db.get(key, Zset)
    if members is None and b"XX" in flags:
        return 0
    members = db.get_or_make(key, Zset)
    added = changed = 0
    for score, member in zip(rest[::2], rest[1::2]):
        old, new = members.get(member), float(score)
        if b"NX" in flags and old is not None or b"XX" in flags and old is None:
            continue
        added += old is None
        changed += old != new
        members[member] = new
    db.changed(key)
    return changed if b"CH" in flags else added


@command("ZINCRBY")
def zincrby(db, args, _now_s):
    members = db.get_or_make(args[0], Zset)
    members[args[2]] = members.get(args[2], 0.0) + float(args[1])
    db.changed(args[0])
    return Number(members[args[2]])


@command("ZREM")
def zrem(db, args, _now_s):
    members = db.get(args[0], Zset)
    if members is None:
        return 0
    removed = sum(members.pop(member, None) is not None for member in args[1:])
    db.changed(args[0])
    return removed


def _remove_ranked(db, key, doomed):
    for _, member in doomed:
        del db.values[key][member]
    db.changed(key)
    return len(doomed)


@command("ZREMRANGEBYRANK")
def zremrangebyrank(db, args, _now_s):
    members = db.get(args[0], Zset)
    if members is None:
        return 0
    start, stop = bounds(int(args[1]), int(args[2]), len(members))
    return _remove_ranked(db, args[0], ranked(members)[start:stop])


@command("ZREMRANGEBYSCORE")
def zremrangebyscore(db, args, _now_s):
    members = db.get(args[0], Zset)
    if members is None:
        return 0
    low, high = float(args[1]), float(args[2])
    return _remove_ranked(db, args[0], [p for p in ranked(members) if low <= p[0] <= high])


@command("ZCARD")
def zcard(db, args, _now_s):
    return len(db.get(args[0], Zset) or ())


@command("ZSCORE")
def zscore(db, args, _now_s):
    score = (db.get(args[0], Zset) or {}).get(args[1])
    return None if score is None else Number(score)


@command("ZRANK")
def zrank(db, args, _now_s):
    members = db.get(args[0], Zset) or {}
    order = [member for _, member in ranked(members)]
    return order.index(args[1]) if args[1] in members else None


def _combine(db, args, intersect):
    """Only the form `destination count key.. AGGREGATE MAX|MIN`."""
    count = int(args[1])
    keys, pick = args[2 : 2 + count], max if args[-1].upper() == b"MAX" else min
    inputs = []
    for key in keys:
        value = db.values.get(key, Zset())
        if isinstance(value, set):
            value = dict.fromkeys(value, 1.0)
        elif not isinstance(value, Zset):
            raise WrongType()
        inputs.append(value)
    names = set.intersection(*map(set, inputs)) if intersect else set().union(*inputs)
    result = Zset((n, pick(i[n] for i in inputs if n in i)) for n in names)
    return db.put_or_remove(args[0], result)


@command("ZUNIONSTORE")
def zunionstore(db, args, _now_s):
    return _combine(db, args, intersect=False)


@command("ZINTERSTORE")
def zinterstore(db, args, _now_s):
    return _combine(db, args, intersect=True)
