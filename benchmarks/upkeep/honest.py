"""A condenser without a language model: says each note in as few of its own words as it may."""

from __future__ import annotations

import json
import re
from itertools import combinations

from recollect.memory.model.types import ChatReply, ChatRequest
from recollect.memory.upkeep.consolidate.truncation import Note

_NOTE = re.compile(r"^(\d+)\. (.*)$")


class HonestModel:
    """A `ChatModel` that answers the question of `upkeep.consolidate.prompts`."""

    def __init__(self, *, shorten: bool = True) -> None:
        """Without `shorten` it repeats the notes, so only what says the same is saved."""
        self._shorten = shorten
        self.calls = 0
        self.tokens = 0

    async def complete(self, request: ChatRequest) -> ChatReply:
        self.calls += 1
        found = [_NOTE.match(line) for line in request.messages[-1].content.splitlines()]
        notes = {int(one[1]): one[2] for one in found if one}
        points = [{"text": self._point(text), "notes": [number]} for number, text in notes.items()]
        return ChatReply(text=json.dumps({"points": points}), model="honest")

    def _point(self, text: str) -> str:
        return shortest(text) if self._shorten else text

    async def close(self) -> None:
        """Nothing to close."""


def shortest(text: str) -> str:
    """The text with as many words left out as still stands for it, the longest part first."""
    note = Note(text)
    told, going = list(note.words.folded), True
    while going:
        going = False
        spans = sorted(combinations(range(len(told) + 1), 2), key=lambda one: one[0] - one[1])
        for first, end in spans:
            fewer = told[:first] + told[end:]
            point = note.shortened(" ".join(fewer)) if fewer else None
            if point is not None and point.covers:
                told, going = fewer, True
                break
    return " ".join(told)
