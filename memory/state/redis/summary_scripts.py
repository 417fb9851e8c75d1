"""Reads of one whole conversation, as Lua over its keys (`turn_scripts` says what they hold)."""

from __future__ import annotations

from .wire import Script

_LAST = """
local TURNS = KEYS[1]
local function last_told()
    for seq = tonumber(redis.call('HGET', TURNS, 'last') or 0), 1, -1 do
        if redis.call('HEXISTS', TURNS, 's:' .. seq) == 1 then return seq end
    end
    return 0
end
"""

LAST_TOLD = Script(
    _LAST
    + """
local seq = last_told()
if seq == 0 or redis.call('HGET', TURNS, 'o:' .. seq) ~= ARGV[1] then return 0 end
return tonumber(redis.call('HGET', TURNS, 'c:' .. seq))
"""
)
"""(owner) -> when the last turn that has its text was created (ms); 0 without one of this owner."""

SUMMARY = Script(
    _LAST
    + """
local last = last_told()
if last == 0 or redis.call('HGET', TURNS, 'o:' .. last) ~= ARGV[1] then return {} end
for seq = 1, last do
    if redis.call('HEXISTS', TURNS, 's:' .. seq) == 1 then
        return {redis.call('ZCARD', KEYS[2]) + redis.call('ZCARD', KEYS[3]),
            tonumber(redis.call('HGET', TURNS, 'c:' .. seq)), seq,
            redis.call('HGET', TURNS, 'u:' .. seq), redis.call('HGET', TURNS, 'a:' .. seq)}
    end
end
"""
)
"""(owner) -> turns that have their texts, and of the first of them: when it was created (ms), seq,
user part, answer part. Empty without one of this owner."""

_TURN = """
local function add(found, seq)
    local user = redis.call('HGET', TURNS, 'u:' .. seq)
    if user then
        found[#found + 1] = seq
        found[#found + 1] = user
        found[#found + 1] = redis.call('HGET', TURNS, 'a:' .. seq)
    end
end
"""

AFTER = Script(
    _LAST
    + _TURN
    + """
local found, most = {}, 3 * ARGV[2]
for seq = tonumber(ARGV[1]) + 1, tonumber(redis.call('HGET', TURNS, 'last') or 0) do
    if #found >= most then break end
    add(found, seq)
end
return found
"""
)
"""(after this position, most turns) -> seq, user part, answer part, and so on, in order."""

LATEST = Script(
    _LAST
    + _TURN
    + """
local found, most = {}, 3 * ARGV[2]
for seq = last_told(), tonumber(ARGV[1]) + 1, -1 do
    if #found >= most then break end
    add(found, seq)
end
return found
"""
)
"""(after this position, most turns) -> the same, the last one first."""
