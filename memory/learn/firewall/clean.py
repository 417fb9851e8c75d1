"""The firewall: what may be learned of a batch of turns. Pure, and linear in what it reads.

It takes out and never adds: what is left of a text are pieces of it, unchanged and in order. Tens
of milliseconds for a long batch, so callers on an event loop use a thread.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from ...types import ToolStep, Turn
from .block import cut_blocks
from .context import cut_context
from .dumps import cut_dumps
from .persona import cut_prompts
from .quoted import Spoken, cut_quotes
from .repeated import cut_repeated
from .restated import Recalled
from .segments import drop, negated
from .spans import Cut

ROUNDS = 5
"""Taking one thing out can join what stood around it to another. Real texts need one round."""


class Removal(StrEnum):
    """Why something was taken out."""

    INJECTED = "injected"
    """Our own block of memories, or what is left of one."""
    CONTEXT = "context"
    """What the client wrapped around the user's words."""
    BOILERPLATE = "boilerplate"
    """Instructions to the assistant."""
    RECALLED = "recalled"
    """The assistant, or a tool, only repeats what it was shown."""
    QUOTED = "quoted"
    """The user pasted what the assistant said, or a memory."""
    REPEATED = "repeated"
    """The same text in several turns."""
    RESISTANT = "resistant"
    """A text that kept forming new matches out of what was left; nothing of it stays."""


@dataclass(frozen=True, slots=True)
class Cleaned:
    """Turns without what is not theirs, as many as were given; texts may be empty now."""

    turns: list[Turn]
    removed: Mapping[str, int]
    """Pieces that were taken out, by `Removal`."""


def clean(turns: Sequence[Turn], known: Sequence[str] = ()) -> Cleaned:
    """Take out what neither the user nor the assistant said here for the first time.

    `known` are the texts of memories that the model was shown. Never raises; cleaning again changes
    nothing.
    """
    removed: Counter[Removal] = Counter()
    shown, now = Recalled(known), list(turns)
    for _ in range(ROUNDS):
        before, now = now, _Round(shown, removed).run(now)
        if now == before:
            return Cleaned(now, _counts(removed))
    after = _Round(shown, Counter()).run(now)
    return Cleaned(
        [_settled(*pair, removed) for pair in zip(now, after, strict=True)], _counts(removed)
    )


class _Round:
    """One look at each turn."""

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
            text = self._of_client(turn.user_text)
            text = self._take(Removal.BOILERPLATE, text, cut_prompts)
            text = self._take(Removal.QUOTED, text, lambda t: cut_quotes(t, self._known, spoken))
            texts.append(_rest(turn.user_text, text))
            spoken.add(turn.assistant_text)
        return self._unrepeated(texts, keep_first=True)

    def _answers(self, turns: Sequence[Turn], users: Sequence[str]) -> list[str]:
        """What a user goes on to deny has to be read beside the denial."""
        texts = []
        for turn, reply in zip(turns, [*users[1:], ""], strict=False):
            text = self._of_client(turn.assistant_text)
            if not negated(reply[:_REPLY]):
                text = self._new(text)
            texts.append(_rest(turn.assistant_text, text))
        return self._unrepeated(texts, keep_first=False)

    def _step(self, step: ToolStep) -> ToolStep:
        arguments = self._take(Removal.INJECTED, step.arguments, cut_blocks)
        result = self._take(Removal.INJECTED, step.result, cut_blocks)
        result = self._new(self._take(Removal.CONTEXT, result, cut_context))
        return ToolStep(step.name, arguments, result)

    def _of_client(self, text: str) -> str:
        text = self._take(Removal.INJECTED, text, cut_blocks)
        text = self._take(Removal.CONTEXT, text, cut_context)
        return self._take(Removal.CONTEXT, text, cut_dumps)

    def _new(self, text: str) -> str:
        if not self._known:
            return text
        return self._take(Removal.RECALLED, text, lambda t: drop(t, self._known.restated))

    def _unrepeated(self, texts: Sequence[str], *, keep_first: bool) -> list[str]:
        cuts = cut_repeated(texts, keep_first=keep_first)
        return [
            _rest(text, self._take(Removal.REPEATED, text, _given(done)))
            for text, done in zip(texts, cuts, strict=True)
        ]

    def _take(self, kind: Removal, text: str, cutter: Callable[[str], Cut]) -> str:
        if not text:
            return text
        rest, pieces = cutter(text)
        if pieces:
            self._removed[kind] += pieces
        return rest


_REPLY = 2000
"""Characters of the next message that are looked through for a denial."""


def _rest(text: str, left: str) -> str:
    """White space that stood between what was taken out is nothing that was said."""
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


def _given(done: Cut) -> Callable[[str], Cut]:
    return lambda _: done


def _counts(removed: Mapping[Removal, int]) -> dict[str, int]:
    return {kind.value: count for kind, count in removed.items()}
