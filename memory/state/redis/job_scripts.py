"""The atomic operations on the job queue: Lua over its keys.

All keys have the hash tag ``{jobs}`` and are passed in this order (`NAMES`):

- ``stream``, with the consumer group ``workers``: an entry per job that is not done, in the order
  of the queue, ``<place>-0``. A lease is a pending entry of the worker that has the job, and its
  delivery count is the attempts: ``XPENDING`` shows an operator who works on what. A group has
  neither an order per user nor jobs that wait, and ``XAUTOCLAIM`` goes by an entry's idle time,
  not by the end of its lease. So the scripts decide which job runs next, and ``XCLAIM`` hands over
  exactly that entry, also from a worker that died;
- ``rows``, a hash: the job's id to its state, as JSON;
- ``line``, a sorted set: the jobs that are ready or leased, by their place;
- ``parts``, a sorted set for its order of names, ``<partition>!<place>!<id>``: the same jobs by
  partition, so that the first of a partition is found at once;
- ``heads``, a sorted set: partitions whose first job may be runnable, by its place;
- ``waiting``, a sorted set: partitions whose first job is leased or waits, by the end of that (ms);
- ``checkpoints`` and ``raw``, hashes: texts of jobs by their ids;
- ``leases``, a hash: a lease to its job, for a claim whose answer was lost;
- ``done``, a sorted set: jobs that are done, by when (ms, of the server's clock);
- ``all``, a sorted set: every known job, by its place;
- ``meta``, a hash: the last place that was given, and the number of jobs in each state.

A job that is done moves from ``rows`` to its own key, which expires.
"""

from __future__ import annotations

from datetime import timedelta

from ...model.times import LONGEST_REST
from .wire import Script

NAMES = (
    *("stream", "rows", "line", "parts", "heads", "waiting", "checkpoints", "raw", "leases"),
    *("done", "all", "meta"),
)

_COMMON = """
local STREAM, ROWS, LINE, PARTS, HEADS, WAITING = unpack(KEYS, 1, 6)
local CHECKPOINTS, RAW, LEASES, DONE, ALL, META = unpack(KEYS, 7, 12)
local GROUP = 'workers'
local function now_ms()
    local time = redis.call('TIME')
    return time[1] * 1000 + math.floor(time[2] / 1000)
end
local function load(id)
    local text = redis.call('HGET', ROWS, id)
    return text and cjson.decode(text) or nil
end
local function save(id, row) redis.call('HSET', ROWS, id, cjson.encode(row)) end
local function count(state, by) redis.call('HINCRBY', META, state, by) end
local function entry(row) return string.format('%d-0', row.place) end
local function member(id, row)
    return row.partition .. '!' .. string.format('%016d', row.place) .. '!' .. id
end
local function first(partition)
    local found = redis.call('ZRANGEBYLEX', PARTS, '[' .. partition .. '!',
        '(' .. partition .. '"', 'LIMIT', 0, 1)[1]
    if not found then return nil end
    local id = string.sub(found, #partition + 19)
    return id, load(id)
end
local function runs_from(row)
    if row.state == 'leased' then return math.max(row.not_before, row.lease_until) end
    return row.not_before
end
local function arrange(partition)
    redis.call('ZREM', HEADS, partition)
    redis.call('ZREM', WAITING, partition)
    local id, row = first(partition)
    if not id then return end
    local from = runs_from(row)
    if from > 0 then redis.call('ZADD', WAITING, from, partition)
    else redis.call('ZADD', HEADS, row.place, partition) end
end
local function let_go(row)
    redis.call('HDEL', LEASES, row.lease)
    redis.call('XACK', STREAM, GROUP, entry(row))
    row.lease, row.lease_until = '', 0
    count('leased', -1)
end
local function release(id, row, at)
    let_go(row)
    row.state, row.not_before = 'ready', at
    count('ready', 1)
    save(id, row)
    arrange(row.partition)
end
local function leave_line(id, row)
    redis.call('ZREM', LINE, id)
    redis.call('ZREM', PARTS, member(id, row))
    arrange(row.partition)
end
local function drop(id, row)
    redis.call('HDEL', ROWS, id)
    redis.call('HDEL', CHECKPOINTS, id)
    redis.call('HDEL', RAW, id)
    redis.call('XDEL', STREAM, entry(row))
end
local function join_line(id, row)
    if redis.call('EXISTS', STREAM) == 0 then
        redis.call('XGROUP', 'CREATE', STREAM, GROUP, '0', 'MKSTREAM')
    end
    row.place = redis.call('HINCRBY', META, 'place', 1)
    redis.call('XADD', STREAM, entry(row), 'job', id)
    redis.call('ZADD', LINE, row.place, id)
    redis.call('ZADD', ALL, row.place, id)
    redis.call('ZADD', PARTS, 0, member(id, row))
    row.state, row.attempts, row.not_before = 'ready', 0, 0
    row.lease, row.lease_until, row.error = '', 0, nil
    count('ready', 1)
    save(id, row)
    arrange(row.partition)
end
"""

# A change under the lease. ARGV: the job's id, its lease, and a name of this call, which identifies
# it when it is resent.
_HELD = (
    _COMMON
    + """
local id, lease, call = ARGV[1], ARGV[2], ARGV[3]
local row = load(id)
if row and row.call == call then return 1 end
local held = row and row.state == 'leased' and row.lease == lease and lease ~= ''
"""
)

PUT = Script(
    _COMMON
    + """
local id, partition, tenant, body, queued, call = unpack(ARGV)
local row = load(id)
if row then return row.call == call and 1 or 0 end
if redis.call('EXISTS', KEYS[13]) == 1 then return 0 end
redis.call('ZREM', DONE, id)
join_line(id, {partition = partition, tenant = tenant, body = body, queued = tonumber(queued),
    call = call, cancelled = false})
return 1
"""
)
"""(id, partition, tenant, body, queued ms, call), the job's key once done -> 1 if it is new."""

CLAIM = Script(
    _COMMON
    + f"local LONGEST_REST = {LONGEST_REST // timedelta(milliseconds=1)}\n"
    + """
local now, till, lease, worker = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4]
local function told(id, row)
    return {id, row.body, row.attempts, row.cancelled and 1 or 0, row.after_seq or '',
        redis.call('HGET', CHECKPOINTS, id)}
end
local known = redis.call('HGET', LEASES, lease)
if known then return told(known, load(known)) end
if redis.call('EXISTS', HEADS) == 1 or redis.call('ZCOUNT', WAITING, '-inf', now) > 0 then
    -- Refused while memory is full, unlike what follows: nothing that a job learns could be kept.
    redis.call('HSET', META, 'asked', ARGV[1])
end
local function due(from, to)
    for _, partition in ipairs(redis.call('ZRANGEBYSCORE', WAITING, from, to)) do
        local _, row = first(partition)
        redis.call('ZREM', WAITING, partition)
        redis.call('ZADD', HEADS, row.place, partition)
    end
end
local function waits(row)
    local rests = row.not_before > now and row.not_before <= now + LONGEST_REST
    return rests or (row.state == 'leased' and row.lease_until > now)
end
due('-inf', now)
due('(' .. now + LONGEST_REST, '+inf')
while true do
    local partition = redis.call('ZRANGE', HEADS, 0, 0)[1]
    if not partition then return nil end
    local id, row = first(partition)
    redis.call('ZREM', HEADS, partition)
    if waits(row) then
        -- Somebody with a later clock thought it could run.
        redis.call('ZADD', WAITING, runs_from(row), partition)
    else
        if row.state == 'leased' then let_go(row) else count('ready', -1) end
        row.state, row.lease, row.lease_until = 'leased', lease, till
        row.attempts = row.attempts + 1
        count('leased', 1)
        save(id, row)
        arrange(partition)
        redis.call('HSET', LEASES, lease, id)
        redis.call('XCLAIM', STREAM, GROUP, worker, 0, entry(row), 'FORCE', 'JUSTID',
            'RETRYCOUNT', row.attempts)
        return told(id, row)
    end
end
"""
)
"""(now ms, lease until ms, lease, worker) -> the job: id, body, attempts, cancelled, after seq,
checkpoint; or nil."""

EXTEND = Script(
    _HELD
    + """
if not held then return 0 end
row.lease_until = tonumber(ARGV[4])
save(id, row)
arrange(row.partition)
return 1
"""
)
"""(held, until ms) -> 1 if it was held."""

CHECKPOINT = Script(
    _HELD
    + """
if not held then return 0 end
redis.call('HSET', CHECKPOINTS, id, ARGV[4])
return 1
"""
)
"""(held, text) -> 1 if it was held."""

ACK = Script(
    _HELD
    + """
local kept = redis.call('GET', KEYS[13])
if kept and cjson.decode(kept).call == call then return 1 end
if not held then return 0 end
let_go(row)
leave_line(id, row)
drop(id, row)
if row.cancelled then
    redis.call('ZREM', ALL, id)
    return 1
end
local ttl_ms, now = tonumber(ARGV[4]), now_ms()
row.state, row.call = 'done', call
redis.call('SET', KEYS[13], cjson.encode(row), 'PX', ttl_ms)
redis.call('ZADD', DONE, now, id)
for _, old in ipairs(redis.call('ZRANGEBYSCORE', DONE, '-inf', now - ttl_ms, 'LIMIT', 0, 100)) do
    redis.call('ZREM', DONE, old)
    redis.call('ZREM', ALL, old)
end
return 1
"""
)
"""(held, ttl ms), the key of the job if done -> 1 if it was held."""

RETRY = Script(
    _HELD
    + """
if not held then return 0 end
row.error, row.call = ARGV[5], call
if ARGV[6] == '0' then row.attempts = row.attempts - 1 end
release(id, row, tonumber(ARGV[4]))
return 1
"""
)
"""(held, at ms, error, whether the attempt counts) -> 1 if it was held."""

HASTEN = Script(
    _COMMON
    + """
local row = load(ARGV[1])
if not row or row.state ~= 'ready' then return 0 end
row.not_before = 0
save(ARGV[1], row)
arrange(row.partition)
return 1
"""
)
"""(id) -> 1 if it is ready."""

DEAD_LETTER = Script(
    _HELD
    + """
if not held then return 0 end
let_go(row)
row.state, row.error, row.call = 'dead', ARGV[4], call
if ARGV[5] ~= '' then row.after_seq = tonumber(ARGV[5]) end
count('dead', 1)
save(id, row)
leave_line(id, row)
if ARGV[6] then redis.call('HSET', RAW, id, ARGV[6]) else redis.call('HDEL', RAW, id) end
return 1
"""
)
"""(held, error, after seq or "", and the model's answer if any) -> 1 if it was held."""

REVIVE = Script(
    _COMMON
    + """
local id, any, tenant, queued, call = unpack(ARGV)
local row = load(id)
if not row then return 0 end
if row.call == call then return 1 end
if row.state ~= 'dead' or (any == '0' and row.tenant ~= tenant) then return 0 end
redis.call('XDEL', STREAM, entry(row))
redis.call('HDEL', RAW, id)
count('dead', -1)
row.queued, row.call = tonumber(queued), call
join_line(id, row)
return 1
"""
)
"""(id, whether of any tenant, tenant, queued ms, call) -> 1 if it was dead."""

ERASE = Script(
    _COMMON
    + """
local erased = 0
for at, id in ipairs(ARGV) do
    local row = load(id)
    if not row then
        if redis.call('DEL', KEYS[12 + at]) == 1 then
            redis.call('ZREM', DONE, id)
            redis.call('ZREM', ALL, id)
            erased = erased + 1
        end
    elseif row.state == 'dead' then
        drop(id, row)
        count('dead', -1)
        redis.call('ZREM', ALL, id)
        erased = erased + 1
    elseif not row.cancelled then
        if row.state == 'leased' then
            row.cancelled = true
            redis.call('HDEL', LEASES, row.lease)
            row.lease = ''
            redis.call('HDEL', CHECKPOINTS, id)
            save(id, row)
        else
            leave_line(id, row)
            drop(id, row)
            count('ready', -1)
            redis.call('ZREM', ALL, id)
        end
        erased = erased + 1
    end
end
return erased
"""
)
"""(ids), the keys of these jobs if done -> how many were removed or cancelled."""

COUNTS = Script(
    _COMMON
    + """
local states = redis.call('HMGET', META, 'ready', 'leased', 'dead')
return {tonumber(states[1] or 0), tonumber(states[2] or 0),
    redis.call('ZCOUNT', DONE, '(' .. (now_ms() - tonumber(ARGV[1])), '+inf'),
    tonumber(states[3] or 0)}
"""
)
"""(ttl ms) -> how many are ready, leased, done, dead."""

OLDEST = Script(
    _COMMON
    + """
local learns, at = {}, 0
for _, kind in ipairs(ARGV) do learns[kind] = true end
while true do
    local ids = redis.call('ZRANGE', LINE, at, at + 99)
    for _, id in ipairs(ids) do
        local row = load(id)
        if learns[cjson.decode(row.body).kind or ARGV[1]] then return row.queued end
    end
    if #ids == 0 then return nil end
    at = at + 100
end
"""
)
"""(the kinds that are meant, first that of bodies without one) -> when the first job in line of any
of them was put (ms); or nil."""

TIDY = Script(
    _COMMON
    + """
if redis.call('EXISTS', STREAM) == 0 then return 0 end
local gone = 0
for _, fields in ipairs(redis.call('XINFO', 'CONSUMERS', STREAM, GROUP)) do
    local consumer = {}
    for at = 1, #fields, 2 do consumer[fields[at]] = fields[at + 1] end
    if consumer.pending == 0 and consumer.idle > tonumber(ARGV[1]) then
        redis.call('XGROUP', 'DELCONSUMER', STREAM, GROUP, consumer.name)
        gone = gone + 1
    end
end
return gone
"""
)
"""(idle ms) -> how many workers were removed: without a lease, and idle for longer."""

TIME = Script("return KEYS[1] and redis.call('TIME')")
"""The clock of the node that holds the jobs."""
