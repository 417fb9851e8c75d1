"""Turns that siblings answered: a client may ask one for the title of what it asked another."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from recollect.filters.aside import LastTurns, Told
from recollect.memory.model.types import Scope
from recollect.memory.util.mesh import Mesh
from recollect.memory.util.outbox import Outbox


def share_turns(turns: LastTurns, mesh: Mesh) -> Outbox:
    """The turns that are answered here are told to the siblings, and theirs are remembered here."""

    def heard(message: Any) -> None:
        turns.heard(Scope(**message["scope"]), Told.of(message["told"]))

    outbox = Outbox(mesh, "turns", heard)

    def told(scope: Scope, turn: Told) -> None:
        outbox.put({"scope": asdict(scope), "told": asdict(turn)})

    turns.also = told
    return outbox
