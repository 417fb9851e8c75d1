"""Decides which waiting texts are embedded next. Pure: no clock, no thread, no loop."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from ..model.types import Vectors

QUESTION_TEXTS = 8
"""A call of at most this many texts is a question (or its paraphrases), which a request waits
for."""
BULK_EVERY = 4
"""Every fourth run is for bulk, however many questions wait: storing slows down but never stops."""


@dataclass(eq=False, slots=True)
class Call:
    """One call of `embed`: its texts, the rows answered so far, and the future of its caller.

    `alone` is set after a run of several calls failed: its next run has no other call in it.
    `background`: no request waits, however few texts it has.
    """

    texts: list[str]
    answer: asyncio.Future[Vectors]
    alone: bool = False
    background: bool = False
    _rows: list[Vectors] = field(default_factory=list)
    _answered: int = 0

    @property
    def is_bulk(self) -> bool:
        """Whether it is run after the questions."""
        return self.background or len(self.texts) > QUESTION_TEXTS

    @property
    def left(self) -> bool:
        """Whether no caller waits: it was answered, failed or was cancelled."""
        return self.answer.done()

    def rest(self, most: int) -> list[str]:
        """The next texts to embed, at most `most`."""
        return self.texts[self._answered : self._answered + most]

    def add(self, rows: Vectors) -> bool:
        """Store the rows of the next texts; if they are the last, answer and return True."""
        self._rows.append(rows)
        self._answered += len(rows)
        if self._answered < len(self.texts):
            return False
        if not self.left:
            # Copied: a row of a batch would keep the whole batch alive.
            self.answer.set_result(np.concatenate(self._rows))
        return True

    def fail(self, error: BaseException) -> None:
        """Raise the error in the caller, if it still waits."""
        if not self.left:
            self.answer.set_exception(error)


class CallQueue:
    """Waiting calls. Questions go first and together, bulk calls one at a time and in turns."""

    def __init__(self) -> None:
        self._questions: OrderedDict[Call, None] = OrderedDict()
        self._bulk: OrderedDict[Call, None] = OrderedDict()
        self._since_bulk = 0

    def put(self, call: Call) -> None:
        """Queue behind the others of its kind."""
        (self._bulk if call.is_bulk else self._questions)[call] = None

    def put_back(self, calls: Iterable[Call]) -> None:
        """Queue unfinished calls again: questions before all others, bulk behind all others."""
        for call in reversed(list(calls)):
            self.put(call)
            if not call.is_bulk:
                self._questions.move_to_end(call, last=False)

    def discard(self, call: Call) -> None:
        """Remove a call; unknown calls are ignored."""
        self._questions.pop(call, None)
        self._bulk.pop(call, None)

    def drain(self) -> list[Call]:
        """Remove and return all calls."""
        calls = [*self._questions, *self._bulk]
        self._questions.clear()
        self._bulk.clear()
        return calls

    def take(self, most: int, *, bulk: bool) -> list[Call]:
        """Remove and return the calls of the next run, of at most `most` texts, or none.

        A bulk call is alone in a run and may have more texts: it is run piece by piece. With
        ``bulk=False`` only questions are taken.
        """
        due = not self._questions or self._since_bulk >= BULK_EVERY - 1
        if bulk and self._bulk and due:
            self._since_bulk = 0
            return [self._bulk.popitem(last=False)[0]]
        taken = self._next_questions(most)
        self._since_bulk = self._since_bulk + 1 if self._bulk and taken else 0
        for call in taken:
            del self._questions[call]
        return taken

    def _next_questions(self, most: int) -> list[Call]:
        taken: list[Call] = []
        for call in self._questions:
            most -= len(call.texts)
            if taken and (most < 0 or call.alone):
                break
            taken.append(call)
            if call.alone:
                break
        return taken
