"""Finds the old turns of a conversation, and those that may be taken out. Pure.

A turn is a user's message and what follows until the next one. It goes whole or not at all, so no
call of a tool is parted from its result, and users and assistants still alternate if they did.
Where the cut is depends on nothing but the turns before it: it stands still while the conversation
grows, and moves by whole steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from recollect.memory.model.types import Message

_PER_MESSAGE = 4
"""Tokens of a message besides its text."""
_CALLERS = frozenset({"assistant", ""})
"""Roles of calls; in the Responses API a call is an item without a role."""


def turns_in(messages: Sequence[Message]) -> list[range]:
    """The indexes of each turn's messages. What precedes the first user message is in none."""
    starts = [at for at, message in enumerate(messages) if message.role == "user"]
    return [range(start, stop) for start, stop in pairwise([*starts, len(messages)])]


def tokens_of(text: str) -> int:
    """About how many tokens a text has: four bytes each."""
    return len(text.encode("utf-8", "replace")) // 4


def tokens_in(message: Message) -> int:
    """About how many tokens a message has; the same everywhere, and quick."""
    called = sum(len(call.name) + len(call.arguments) for call in message.calls)
    return _PER_MESSAGE + tokens_of(message.content) + called // 4


def cut_of(
    messages: Sequence[Message], turns: Sequence[range], *, keep: int, step: int, after: int
) -> int:
    """How many turns are old: a multiple of `step`, or 0.

    At least `keep` turns and the one that carries the digest are not. None is old before the
    conversation, up to the first turn that is kept, has `after` tokens.
    """
    cut = (len(turns) - keep - 1) // step * step
    if cut <= 0:
        return 0
    upto = turns[cut].start
    return cut if sum(map(tokens_in, messages[:upto])) >= after else 0


def may_go(messages: Sequence[Message], turn: range, understood: Sequence[bool]) -> bool:
    """Whether a turn is finished and nothing but text, calls and their results."""
    if not all(understood[at] for at in turn):
        return False
    said, *others = (messages[at] for at in turn)
    if not said.content.strip() or said.images or not others:
        return False
    last = others[-1]
    if last.role != "assistant" or last.calls or not last.content.strip():
        return False
    return _are_answered(others)


def _are_answered(messages: Sequence[Message]) -> bool:
    """Whether each call has one result after it, and each result its call before it."""
    awaited: set[str] = set()
    seen: set[str] = set()
    for message in messages:
        if message.role == "tool":
            if message.call_id not in awaited:
                return False
            awaited.discard(message.call_id or "")
        elif message.role in _CALLERS:
            if awaited and message.role == "assistant":
                return False
            ids = [call.id for call in message.calls]
            if not all(ids) or len({*ids} - seen) != len(ids):
                return False
            awaited.update(ids)
            seen.update(ids)
        else:
            return False
    return not awaited


def ranges_of(turns: Sequence[range]) -> tuple[range, ...]:
    """The indexes of these turns in as few ranges as possible."""
    found: list[range] = []
    for turn in turns:
        if found and found[-1].stop == turn.start:
            found[-1] = range(found[-1].start, turn.stop)
        else:
            found.append(turn)
    return tuple(found)


def groups_of(steps: int, most: int) -> list[range]:
    """The steps that each part of the digest covers: at most `most` parts.

    Each step adds a part. When there is no room for one more, the older half becomes one part; so
    the beginning of a digest changes once in `most` / 2 steps, and depends on their number only.
    """
    groups: list[range] = []
    for step in range(steps):
        if len(groups) == most:
            half = most // 2 + 1
            groups = [range(groups[0].start, groups[half - 1].stop), *groups[half:]]
        groups.append(range(step, step + 1))
    return groups
