"""What a surface is: a way to ask for an operation of memory, whatever it is called there."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pytest

from recollect.memory.model.errors import (
    ConflictError,
    ForbiddenError,
    NotFoundError,
    VersionError,
)
from recollect.memory.model.types import (
    MemoryItem,
    MemoryStatus,
    MemoryType,
    Provenance,
    Scope,
    Source,
    StoredMemory,
    utc_now,
)
from tests.surfaces.place import Place

CODES = frozenset(
    each.code for each in (ForbiddenError, NotFoundError, ConflictError, VersionError)
)
IDS = ("user_id", "agent_id", "run_id")
_FIELD = re.compile(r"([a-z_]\w*(?:[.\[]\w+\]?)*): ")


class Refused(Exception):  # noqa: N818 - what a surface says no with
    """A surface did not do it. `kind` is the code of the library's error."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(f"{kind}: {text}")
        self.kind, self.text = kind, text

    @property
    def field(self) -> str:
        """What the text names; empty if it names nothing."""
        found = _FIELD.match(self.text)
        return found[1] if found else ""


def refused(text: str) -> Refused:
    """The refusal of a surface that has words only: what they say it is."""
    code, _, rest = text.partition(": ")
    if code in CODES:
        return Refused(code, rest)
    if text.lower().startswith(("at least one of", "no scope")):
        return Refused("scope_required", text)
    if text.startswith(("there is no", "no ")):
        return Refused("not_found", text)
    return Refused("invalid_input" if _FIELD.match(text) else "", text)


class Surface(ABC):
    """One tenant of a place, through one door.

    Operations have the names and arguments of `AsyncMemory` (`add`, `blocks.define`, `upkeep.undo`),
    answers are as its answers as far as the surface tells so much; `get` of what is not there is
    refused everywhere.
    """

    name: str
    OPERATIONS: frozenset[str]
    """What it offers."""

    def __init__(self, place: Place, tenant: str) -> None:
        self.place, self.tenant = place, tenant

    @abstractmethod
    def run(self, operation: str, /, **arguments: Any) -> Any:
        """The answer. Raises Refused."""

    def refused(self, operation: str, /, **arguments: Any) -> Refused:
        """Why it is not done."""
        try:
            done = self.run(operation, **arguments)
        except Refused as refusal:
            return refusal
        raise AssertionError(f"{self.name} did {operation} with {arguments}: {done!r:.200}")

    def unsayable(self, operation: str, asked: Mapping[str, Any]) -> bool:
        """Whether these arguments cannot even be written at this door."""
        del operation, asked
        return False

    def add(self, *texts: str, user_id: str = "alice", **more: Any) -> list[str]:
        """Keep texts as they are, one after the other; their ids."""
        asked = {"user_id": user_id, "infer": False, **more}
        asked = {name: value for name, value in asked.items() if value is not None}
        return [self.run("add", messages=text, **asked)["results"][0]["id"] for text in texts]

    def texts(self, **which: Any) -> list[str]:
        """What is listed, the oldest first."""
        found = self.run("get_all", **{"user_id": "alice", **which})["results"]
        return [one["memory"] for one in reversed(found)]

    def episode(self, text: str, at: str) -> None:
        """What happened to alice at a time."""
        asked = {"infer": False, "type": "episodic", "timestamp": at, "user_id": "alice"}
        self.place.call(self.place.memory(self.tenant).add(text, **asked))

    def conclusion(self, text: str, cites: Sequence[str]) -> str:
        """What a reflection would keep of alice's memories; its id."""
        engine, now = self.place.engine, utc_now()
        [vector] = self.place.call(engine.parts.embedder.embed([text]))
        item = MemoryItem(
            id=f"insight-{self.tenant}",
            text=text,
            type=MemoryType.REFLECTIVE,
            scope=Scope(tenant=self.tenant, user_id="alice"),
            created_at=now,
            updated_at=now,
            embedder_id=engine.parts.embedder.id,
            status=MemoryStatus.QUARANTINED,
            provenance=Provenance(source=Source.REFLECTION, cites=tuple(cites)),
        )
        self.place.call(engine.parts.store.put([StoredMemory(item, vector)]))
        return item.id

    def elsewhere(self) -> Surface:
        """The same door for another tenant."""
        return type(self)(self.place, self.place.tenant())


Mark = Callable[[Any], Any]


def told_on(surfaces: Iterable[type[Surface]], *operations: str) -> Mark:
    """Run a scenario on each of the surfaces that offer these operations: as its `surface`."""
    offering = [one for one in surfaces if one.OPERATIONS.issuperset(operations)]
    assert len(offering) > 1, f"a scenario of one surface belongs to its own room: {operations}"
    names = [one.name for one in offering]
    return pytest.mark.parametrize("surface", offering, ids=names, indirect=True)
