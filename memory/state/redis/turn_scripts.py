"""The atomic operations on one conversation: Lua over its three keys.

All keys of a conversation have one hash tag:

- ``turns``, a hash. ``last``: the latest position; ``tokens``: of the turns that await learning;
  ``newest``: the latest time a turn was created at (ms); ``kept``: it must not expire. Per turn:
  ``i:<turn id>`` its position, and by position ``s`` its id, ``u`` the user's part, ``a`` the
  answer's part, ``n`` its tokens, ``c`` when it was created (ms), ``o`` its owner, ``d`` what was
  found in it, ``m`` that memories took its place. An erased turn has only the first.
- ``open``, a sorted set: the positions that await learning.
- ``learned``, a sorted set: the learned positions that hold text, by when they were learned (ms, of
  the server's clock), ``+inf`` if they were given up.

A conversation with nothing to learn expires as a whole. One with something to learn, or with turns
that were given up, never expires; its learned texts are erased when they are old enough. A
conversation from which something was forgotten keeps its ids and positions, so that erased turns
are recognised when they are sent again.
"""

from __future__ import annotations

from ...model.format import FORMAT
from .wire import Script

_COMMON = """
local TURNS, OPEN, LEARNED = KEYS[1], KEYS[2], KEYS[3]
local function now_ms()
    local time = redis.call('TIME')
    return time[1] * 1000 + math.floor(time[2] / 1000)
end
local function number(field) return tonumber(redis.call('HGET', TURNS, field) or 0) end
local function is_learned(seq)
    local place = redis.call('ZSCORE', LEARNED, seq)
    return place and place ~= 'inf'
end
local function erase(seq)
    local id = redis.call('HGET', TURNS, 's:' .. seq)
    if not id then return 0 end
    if redis.call('ZREM', OPEN, seq) == 1 then
        redis.call('HINCRBY', TURNS, 'tokens', 0 - number('n:' .. seq))
    end
    redis.call('ZREM', LEARNED, seq)
    for _, kind in ipairs({'s:', 'u:', 'a:', 'n:', 'c:', 'o:', 'd:', 'm:'}) do
        redis.call('HDEL', TURNS, kind .. seq)
    end
    return 1
end
local function erase_old(ttl_ms, limit)
    local old = redis.call('ZRANGEBYSCORE', LEARNED, '-inf', now_ms() - ttl_ms, 'LIMIT', 0, limit)
    for _, seq in ipairs(old) do erase(seq) end
    return #old
end
local function expire_if_learned(ttl_ms)
    if redis.call('EXISTS', OPEN) == 1 or redis.call('HEXISTS', TURNS, 'kept') == 1 then return end
    if redis.call('ZCOUNT', LEARNED, '+inf', '+inf') > 0 then return end
    redis.call('PEXPIRE', TURNS, ttl_ms)
    redis.call('PEXPIRE', LEARNED, ttl_ms)
end
local function kept_if(count)
    if count > 0 then
        redis.call('HSET', TURNS, 'kept', 1)
        redis.call('PERSIST', TURNS)
        redis.call('PERSIST', LEARNED)
    end
    return count
end
"""

RECORD = Script(
    _COMMON
    + """
local id, owner, user, answer = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local tokens, created, ttl_ms = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
-- What was erased comes back with no later turn.
local function without_erased(user)
    local line = string.find(user, '\\n', 1, true)
    if not line then return user end
    for _, named in ipairs(cjson.decode(string.sub(user, line + 1)).turn_ids) do
        local seq = redis.call('HGET', TURNS, 'i:' .. named)
        if seq and redis.call('HEXISTS', TURNS, 's:' .. seq) == 0 then
            return string.sub(user, 1, line - 1)
        end
    end
    return user
end
local seq = redis.call('HGET', TURNS, 'i:' .. id)
if not seq then
    seq = string.format('%d', redis.call('HINCRBY', TURNS, 'last', 1))
    redis.call('HSET', TURNS, 'i:' .. id, seq, 's:' .. seq, id, 'o:' .. seq, owner,
        'u:' .. seq, without_erased(user), 'a:' .. seq, answer, 'n:' .. seq, tokens,
        'c:' .. seq, ARGV[6])
    redis.call('ZADD', OPEN, seq, seq)
    redis.call('HINCRBY', TURNS, 'tokens', tokens)
    if created > number('newest') then redis.call('HSET', TURNS, 'newest', ARGV[6]) end
    redis.call('PERSIST', TURNS)
    redis.call('PERSIST', LEARNED)
elseif redis.call('HEXISTS', TURNS, 's:' .. seq) == 1 then
    if redis.call('ZSCORE', OPEN, seq) then
        redis.call('HINCRBY', TURNS, 'tokens', tokens - number('n:' .. seq))
    end
    redis.call('HSET', TURNS, 'a:' .. seq, answer, 'n:' .. seq, tokens)
end
erase_old(ttl_ms, 10)
local erased = 1 - redis.call('HEXISTS', TURNS, 's:' .. seq)
local kept = redis.call('HGET', TURNS, 'u:' .. seq) or ''
local alone = string.find(kept, '\\n', 1, true) and 0 or 1
return {tonumber(seq), redis.call('ZCARD', OPEN), number('tokens'), erased, alone}
"""
)
"""(id, owner, user part, answer part, tokens, created ms, ttl ms) -> seq, pending, their tokens,
whether the turn was erased, whether it is kept without what came before it."""

UNLEARNED = Script(
    _COMMON
    + """
local found = {}
for _, seq in ipairs(redis.call('ZRANGEBYSCORE', OPEN, '-inf', ARGV[1])) do
    found[#found + 1] = tonumber(seq)
    found[#found + 1] = redis.call('HGET', TURNS, 'u:' .. seq)
    found[#found + 1] = redis.call('HGET', TURNS, 'a:' .. seq)
end
return found
"""
)
"""(up to this position) -> seq, user part, answer part, and so on."""

TURNS = Script(
    _COMMON
    + """
local found = {}
for seq = tonumber(ARGV[1]) + 1, math.min(tonumber(ARGV[2]), number('last')) do
    local user = redis.call('HGET', TURNS, 'u:' .. seq)
    if user and (ARGV[3] == '0' or is_learned(seq)) then
        found[#found + 1] = seq
        found[#found + 1] = user
        found[#found + 1] = redis.call('HGET', TURNS, 'a:' .. seq)
    end
end
return found
"""
)
"""(after this position, up to this one, learned ones only) -> seq, user part, answer part, and so
on."""

THREAD = Script(
    _COMMON
    + """
local found = {}
local last = tonumber(redis.call('HGET', TURNS, 'i:' .. ARGV[1]) or 0)
if redis.call('HEXISTS', TURNS, 's:' .. last) == 0 then return found end
for seq = math.max(1, last + 1 - ARGV[2]), last do
    local user = redis.call('HGET', TURNS, 'u:' .. seq)
    if user then
        found[#found + 1] = seq
        found[#found + 1] = user
        found[#found + 1] = redis.call('HGET', TURNS, 'a:' .. seq)
    end
end
return found
"""
)
"""(turn id, most turns) -> seq, user part, answer part, and so on, up to that turn.

Nothing if it is unknown or erased."""

DATES = Script(
    _COMMON
    + """
local found = {}
for _, id in ipairs(ARGV) do
    local seq = redis.call('HGET', TURNS, 'i:' .. id)
    if seq then
        found[#found + 1] = id
        found[#found + 1] = redis.call('HGET', TURNS, 'c:' .. seq) or ''
    end
end
return found
"""
)
"""(turn ids) -> turn id, created ms or nothing if it is erased, and so on; of known turns."""

RECENT = Script(
    _COMMON
    + """
local found = {}
for _, id in ipairs(ARGV) do
    local seq = redis.call('HGET', TURNS, 'i:' .. id)
    if seq and redis.call('HEXISTS', TURNS, 's:' .. seq) == 1
            and redis.call('HEXISTS', TURNS, 'm:' .. seq) == 0 then
        found[#found + 1] = tonumber(seq)
        found[#found + 1] = redis.call('HGET', TURNS, 'u:' .. seq)
        found[#found + 1] = redis.call('HGET', TURNS, 'a:' .. seq)
        found[#found + 1] = redis.call('HGET', TURNS, 'd:' .. seq) or ''
        found[#found + 1] = is_learned(seq) and 1 or 0
    end
end
return found
"""
)
"""(turn ids) -> seq, user part, answer part, note, whether it is learned, and so on."""

COUNTS = Script(
    _COMMON
    + """
local kept = 0
for _, field in ipairs(redis.call('HKEYS', TURNS)) do
    local kind = string.sub(field, 1, 2)
    if kind == 's:' then kept = kept + 1 elseif kind == 'm:' then kept = kept - 1 end
end
return {kept, redis.call('ZCARD', OPEN)}
"""
)
"""() -> turns that no memory took the place of, turns that await learning."""

ANNOTATE = Script(
    _COMMON
    + """
for at = 1, #ARGV, 2 do
    local seq = redis.call('HGET', TURNS, 'i:' .. ARGV[at])
    if seq and redis.call('HEXISTS', TURNS, 's:' .. seq) == 1 then
        redis.call('HSET', TURNS, 'd:' .. seq, ARGV[at + 1])
    end
end
return 1
"""
)
"""(turn id, note, and so on)."""

REMEMBERED = Script(
    _COMMON
    + """
for _, id in ipairs(ARGV) do
    local seq = redis.call('HGET', TURNS, 'i:' .. id)
    if seq and redis.call('HEXISTS', TURNS, 's:' .. seq) == 1 then
        redis.call('HSET', TURNS, 'm:' .. seq, 1)
    end
end
return 1
"""
)
"""(turn ids): memories took their place."""

LAST = Script(
    _COMMON
    + """
local seq = redis.call('ZREVRANGE', OPEN, 0, 0)[1]
if not seq then return {} end
return {number('newest'), tonumber(seq), redis.call('HGET', TURNS, 'u:' .. seq),
    redis.call('HGET', TURNS, 'a:' .. seq)}
"""
)
"""() -> newest time (ms), and seq, user part, answer part of the last turn that awaits learning."""

MARK_LEARNED = Script(
    _COMMON
    + """
local ttl_ms, ids = tonumber(ARGV[2]), {}
for _, seq in ipairs(redis.call('ZRANGEBYSCORE', OPEN, '-inf', ARGV[1])) do
    redis.call('ZREM', OPEN, seq)
    redis.call('ZADD', LEARNED, now_ms(), seq)
    redis.call('HINCRBY', TURNS, 'tokens', 0 - number('n:' .. seq))
    ids[#ids + 1] = redis.call('HGET', TURNS, 's:' .. seq)
end
for _, seq in ipairs(redis.call('ZRANGEBYSCORE', LEARNED, '+inf', '+inf')) do
    if tonumber(seq) > tonumber(ARGV[3]) and tonumber(seq) <= tonumber(ARGV[1]) then
        redis.call('ZADD', LEARNED, now_ms(), seq)
        ids[#ids + 1] = redis.call('HGET', TURNS, 's:' .. seq)
    end
end
erase_old(ttl_ms, 1000)
if #ids > 0 then expire_if_learned(ttl_ms) end
return ids
"""
)
"""(up to this position, ttl ms, position after which given up turns are learned too) -> the ids of
the turns that became learned."""

GIVE_UP = Script(
    _COMMON
    + """
for seq = tonumber(ARGV[1]) + 1, math.min(tonumber(ARGV[2]), number('last')) do
    seq = string.format('%d', seq)
    if redis.call('HEXISTS', TURNS, 's:' .. seq) == 1 then
        if redis.call('ZREM', OPEN, seq) == 1 then
            redis.call('HINCRBY', TURNS, 'tokens', 0 - number('n:' .. seq))
        end
        redis.call('ZADD', LEARNED, '+inf', seq)
        redis.call('PERSIST', TURNS)
        redis.call('PERSIST', LEARNED)
    end
end
return 1
"""
)
"""(after this position, up to this one): they count as learned and keep their text."""

ERASE_OWNER = Script(
    _COMMON
    + """
local count = 0
for _, set in ipairs({OPEN, LEARNED}) do
    for _, seq in ipairs(redis.call('ZRANGE', set, 0, -1)) do
        if redis.call('HGET', TURNS, 'o:' .. seq) == ARGV[1] then count = count + erase(seq) end
    end
end
return kept_if(count)
"""
)
"""(owner) -> how many turns of this owner lost their text."""

ERASE_TURNS = Script(
    _COMMON
    + """
local count, tenant, named = 0, ARGV[1], {}
for at = 2, #ARGV do named[ARGV[at]] = true end
local function cut_loose(seq)
    local user = redis.call('HGET', TURNS, 'u:' .. seq)
    local line = user and string.find(user, '\\n', 1, true)
    if not line then return end
    for _, id in ipairs(cjson.decode(string.sub(user, line + 1)).turn_ids) do
        if named[id] then
            redis.call('HSET', TURNS, 'u:' .. seq, string.sub(user, 1, line - 1))
            redis.call('HDEL', TURNS, 'd:' .. seq)
            return
        end
    end
end
for _, set in ipairs({OPEN, LEARNED}) do
    for _, seq in ipairs(redis.call('ZRANGE', set, 0, -1)) do
        local owner = redis.call('HGET', TURNS, 'o:' .. seq)
        if owner and string.sub(owner, 1, #tenant) == tenant then cut_loose(seq) end
    end
end
for at = 2, #ARGV do
    local seq = redis.call('HGET', TURNS, 'i:' .. ARGV[at])
    local owner = seq and redis.call('HGET', TURNS, 'o:' .. seq)
    if owner and string.sub(owner, 1, #tenant) == tenant then count = count + erase(seq) end
end
return kept_if(count)
"""
)
"""(prefix of the tenant's owners, turn ids) -> how many of them lost their text.

Turns that repeat what is erased (the second line of the user's part) forget it."""

PRUNE = Script(
    _COMMON
    + """
if redis.call('EXISTS', TURNS) == 0 then return -1 end
local before, count = tonumber(ARGV[1]), 0
for _, seq in ipairs(redis.call('ZRANGEBYSCORE', LEARNED, '-inf', '(+inf')) do
    if number('c:' .. seq) < before then count = count + erase(seq) end
end
return count + erase_old(tonumber(ARGV[2]), 100000)
"""
)
"""(created before, ms; ttl ms) -> how many lost their text; -1 if there is no such conversation."""

TOUCH = Script(
    """
local owned, open, generations = KEYS[1], KEYS[2], KEYS[3]
redis.call('ZADD', owned, FORMAT, ARGV[1])
redis.call('ZADD', open, 'GT', ARGV[3], ARGV[2])
-- Counted for all together: one that was removed and came back must not have a generation twice.
redis.call('HSET', generations, ARGV[2], redis.call('HINCRBY', generations, '!', 1))
return 1
""".replace("FORMAT", str(FORMAT))
)
"""On the index: (member of ``owned``, conversation, created ms). A turn was recorded.

``!`` is the field of the counter; no encoded name equals it."""

SETTLE = Script("""
local open, generations = KEYS[1], KEYS[2]
if redis.call('HGET', generations, ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('ZREM', open, ARGV[1])
redis.call('HDEL', generations, ARGV[1])
return 1
""")
"""On the index: (conversation, its generation). Removes it from ``open`` if the generation is
current."""
