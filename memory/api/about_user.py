"""The profile of a user, and their statements that are no memory yet."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from ..engine.engine import Engine
from ..model.row_kinds import MemoryKind
from ..model.types import Scope
from ..query.arguments import MemorySelector
from .showing import shown_as


class ProfileLine(TypedDict):
    """A line of a profile, with the memories that it stands on."""

    memory: str
    ids: list[str]
    traits: list[str]
    """What it tells of the user: `name`, `allergy`, `wish` (how to answer), ..."""
    topics: list[str]
    """The topics of requests that it is brought up for."""
    source: str
    updated_at: str


class Profile(TypedDict):
    """A user's profile, most important lines first."""

    results: list[ProfileLine]


class SaidDict(TypedDict):
    """A part of a turn that is recalled until something was learned from it."""

    id: str
    said: str
    created_at: str
    conversation_id: str
    turn_id: str
    user_id: NotRequired[str]
    agent_id: NotRequired[str]
    run_id: NotRequired[str]


class SaidResults(TypedDict):
    """Statements of a user, newest first."""

    results: list[SaidDict]


async def profile_of(engine: Engine, scope: Scope) -> Profile:
    """The profile of a scope. Raises StoreError, StateError."""
    lines = await engine.recaller.profile(scope)
    return Profile(
        results=[
            ProfileLine(
                memory=line.item.text,
                ids=[line.item.id],
                traits=sorted(line.traits),
                topics=sorted(line.bears_on),
                source=line.item.provenance.source.value,
                updated_at=line.item.updated_at.isoformat(timespec="milliseconds"),
            )
            for line in lines
        ]
    )


async def said_of(engine: Engine, scope: Scope, limit: int) -> SaidResults:
    """The statements of a scope's user. Raises StoreError, StateError."""
    only = MemorySelector(kinds=frozenset({MemoryKind.SAID}))
    return SaidResults(
        results=[
            shown_as(
                SaidDict,
                item,
                said=item.text,
                conversation_id=item.provenance.conversation_id or "",
                turn_id=item.provenance.turn_ids[0],
                **item.scope.ids(),
            )
            for item in await engine.queries.list(scope, only, limit=limit)
        ]
    )
