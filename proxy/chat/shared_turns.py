"""Turns that siblings answered: a client may ask one for the title of what it asked another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

from recollect.filters.side_requests import LastTurns, Told
from recollect.memory.model.types import Scope
from recollect.memory.util.loops import guarded
from recollect.memory.util.sibling_messages import SiblingMessages
from recollect.memory.util.tasks import Tasks

MOST_WAITING = 10_000
"""Turns that wait for siblings which do not answer; of further ones they hear nothing."""
_TOPIC = "turns"


def share_turns(turns: LastTurns, sibling_messages: SiblingMessages, tasks: Tasks) -> None:
    """The turns that are answered here are told to the siblings, and theirs are remembered here."""

    async def heard(values: Mapping[str, Any]) -> None:
        turns.heard(Scope(**values["scope"]), Told.of(values["told"]))

    def told(scope: Scope, turn: Told) -> None:
        if len(tasks) < MOST_WAITING:
            tell = partial(sibling_messages.tell, _TOPIC, scope=asdict(scope), told=asdict(turn))
            tasks.start(guarded(tell), name="turn for siblings")

    sibling_messages.on(_TOPIC, heard)
    turns.also = told
