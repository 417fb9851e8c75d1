"""The firewall removes text from turns that must not be learned. Pure, in linear time.

It only removes: the rest of a text is unchanged and in order. A long batch takes tens of
milliseconds, so callers on an event loop use a thread.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from ...model.types import ToolStep, Turn
from ..program_output import is_output
from ..roles import as_oneself
from .block import cut_blocks
from .context import cut_context, cut_dumps, cut_prompts
from .repetition import Recalled, Spoken, cut_quotes
from .spans import Cut, drop, negated

ROUNDS = 5
"""Most rounds: a removal can join text into a new match. Real texts need one round."""


class Removal(StrEnum):
    """Why text was removed."""

    INJECTED = "injected"
    """An injected block of memories, or a part of one."""
    CONTEXT = "context"
    """Context that the client added to the user's words."""
    BOILERPLATE = "boilerplate"
    """Instructions to the assistant."""
    RECALLED = "recalled"
    """The assistant or a tool repeats a memory that it was shown."""
    NOISE = "noise"
    """The user's message is nothing but the output of programs, or a ping."""
    QUOTED = "quoted"
    """The user pasted the assistant's words or a memory."""
    RESISTANT = "resistant"
    """The text still formed new matches after `ROUNDS`; all of it is removed."""


@dataclass(frozen=True, slots=True)
class Cleaned:
    """The cleaned turns, as many as were given; their texts may be empty."""

    turns: list[Turn]
    removed: Mapping[str, int]
    """Removed pieces, by `Removal`."""


def clean(turns: Sequence[Turn], known: Sequence[str] = ()) -> Cleaned:
    """Remove injected text, that of clients, and what is said in a role.

    `known` are the memories the model was shown.

    Never raises. Cleaning the result again changes nothing.
    """
    removed: Counter[Removal] = Counter()
    shown, now = Recalled(known), [as_oneself(turn) for turn in turns]
    for _ in range(ROUNDS):
        before, now = now, _Round(shown, removed).run(now)
        if now == before:
            break
    else:
        after = _Round(shown, Counter()).run(now)
        now = [_settled(*pair, removed) for pair in zip(now, after, strict=True)]
    return Cleaned(now, {kind.value: count for kind, count in removed.items()})


def own_text(text: str, known: Sequence[str] = ()) -> str:
    """What `clean` leaves of the user's message in a turn of its own.

    The answer is not read: only a later message can quote it.
    """
    round_, silence = _Round(Recalled(known), Counter()), Spoken()
    for _ in range(ROUNDS):
        before, text = text, round_.message(text, silence)
        if text == before:
            return text
    return text if text == round_.message(text, silence) else ""


class _Round:
    """One pass over all turns."""

    def __init__(self, known: Recalled, removed: Counter[Removal]) -> None:
        self._known = known
        self._removed = removed

    def run(self, turns: Sequence[Turn]) -> list[Turn]:
        users = self._users(turns)
        answers = self._answers(turns, users)
        steps = [tuple(map(self._step, turn.steps)) for turn in turns]
        return [
            turn
            if (user, answer, step) == (turn.user_text, turn.assistant_text, turn.steps)
            else replace(turn, user_text=user, assistant_text=answer, steps=step)
            for turn, user, answer, step in zip(turns, users, answers, steps, strict=True)
        ]

    def _users(self, turns: Sequence[Turn]) -> list[str]:
        spoken, texts = Spoken(), []
        for turn in turns:
            texts.append(self.message(turn.user_text, spoken))
            spoken.add(turn.assistant_text)
        return texts

    def message(self, said: str, spoken: Spoken) -> str:
        """What is left of a user's message after what the assistant had `spoken`."""
        text = self._of_client(said)
        text = self._take(Removal.NOISE, Cut("", 1) if is_output(text) else Cut(text, 0))
        text = self._take(Removal.BOILERPLATE, cut_prompts(text))
        text = self._take(Removal.QUOTED, cut_quotes(text, self._known, spoken))
        return _rest(said, text)

    def _answers(self, turns: Sequence[Turn], users: Sequence[str]) -> list[str]:
        """Clean the answers. An answer that the user denies next is kept, to explain the denial."""
        texts = []
        for turn, reply in zip(turns, [*users[1:], ""], strict=False):
            text = self._of_client(turn.assistant_text)
            if not negated(reply[:_REPLY]):
                text = self._new(text)
            texts.append(_rest(turn.assistant_text, text))
        return texts

    def _step(self, step: ToolStep) -> ToolStep:
        arguments = self._take(Removal.INJECTED, cut_blocks(step.arguments))
        result = self._take(Removal.INJECTED, cut_blocks(step.result))
        result = self._new(self._take(Removal.CONTEXT, cut_context(result)))
        return ToolStep(step.name, arguments, result)

    def _of_client(self, text: str) -> str:
        text = self._take(Removal.INJECTED, cut_blocks(text))
        text = self._take(Removal.CONTEXT, cut_context(text))
        return self._take(Removal.CONTEXT, cut_dumps(text))

    def _new(self, text: str) -> str:
        if not self._known:
            return text
        return self._take(Removal.RECALLED, drop(text, self._known.restated))

    def _take(self, kind: Removal, done: Cut) -> str:
        if done.pieces:
            self._removed[kind] += done.pieces
        return done.text


_REPLY = 2000
"""Characters of the next message that are searched for a denial."""


def _rest(text: str, left: str) -> str:
    """`left`, or "" if only white space is left of a changed text."""
    return left if left == text or left.strip() else ""


def _settled(turn: Turn, after: Turn, removed: Counter[Removal]) -> Turn:
    if turn == after:
        return turn
    removed[Removal.RESISTANT] += 1
    return replace(
        turn,
        user_text=turn.user_text if turn.user_text == after.user_text else "",
        assistant_text=turn.assistant_text if turn.assistant_text == after.assistant_text else "",
        steps=turn.steps if turn.steps == after.steps else (),
    )
