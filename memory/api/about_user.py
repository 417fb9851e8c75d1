"""What is known about a user beside their memories: the profile, and what they said lately."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from ..engine.engine import Engine
from ..engine.sharing import Lease
from ..model.errors import ConflictError, NotFoundError
from ..model.inputs import DEFAULT_LIMIT, checked_limit
from ..model.kinds import MemoryKind
from ..model.owner import Owner
from ..model.types import Scope, Whose
from ..query.arguments import MemoryQuery
from .results import is_version, iso, memory_dict

CLOSED = "this memory is closed"
MOST_SAID = 2000
"""Newest turns that are looked through."""


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
    """What a user said lately, newest first."""

    results: list[SaidDict]


class AboutUser:
    """The part of `AsyncMemory` that tells what is known about a user as a person."""

    tenant: str
    _engine: Engine
    _of: Owner
    _lease: Lease | None

    @property
    def _owner(self) -> Owner:
        """Whose memories these are. Raises RuntimeError after the engine was closed."""
        if self._lease is not None and self._lease.released:
            raise RuntimeError(CLOSED)
        return self._of

    async def profile(
        self, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> Profile:
        """The standing profile of a scope: constraints, wishes, who and where the user is.

        Each line is a memory, or what the user said, and names it.
        """
        return await profile_of(self._engine, self._scope(user_id, agent_id, run_id))

    async def said(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int = DEFAULT_LIMIT,
    ) -> SaidResults:
        """What a scope's user said lately and no memory was made of yet: the newest `limit`.

        `delete` takes the ids; it erases the turn.
        """
        scope = self._scope(user_id, agent_id, run_id)
        return await said_of(self._engine, scope, checked_limit(limit))

    def _scope(
        self, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> Scope:
        return self._owner.scope(user_id, agent_id, run_id)

    def _names_nobody(self, user_id: str | None, agent_id: str | None, run_id: str | None) -> bool:
        """Whether neither these ids nor the owner say whose memories are meant."""
        return all(each is None for each in (self._owner.user_id, user_id, agent_id, run_id))

    def _whose(self, user_id: str | None, agent_id: str | None, run_id: str | None) -> Whose:
        """The scope with these ids; without any, all that the program owns."""
        return self._owner.whose(user_id, agent_id, run_id)


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
    """What a scope's user said lately. Raises StoreError, StateError."""
    only = MemoryQuery(kinds=frozenset({MemoryKind.SAID}))
    return SaidResults(
        results=[
            SaidDict(
                id=item.id,
                said=item.text,
                created_at=iso(item.created_at),
                conversation_id=item.provenance.conversation_id or "",
                turn_id=item.provenance.turn_ids[0],
                **item.scope.ids(),  # type: ignore[typeddict-item]
            )
            for item in await engine.queries.list(scope, only, limit=limit)
        ]
    )


async def erase_all_said(engine: Engine, scope: Scope) -> int:
    """Erase the turns of a scope that no memory was made of.

    Returns how many rows were said in them. Raises StateError.
    """
    conversations = engine.parts.state.conversations
    said = len(await engine.said_rows.of_scope(scope))
    while recent := await conversations.recent(scope, limit=MOST_SAID):
        ids = [one.turn.id for one in recent]
        if not await conversations.erase_turns(scope.tenant, ids):
            break
    return said


async def erase_said(
    engine: Engine, whose: Whose, passage_id: str, version: int | str | None = None
) -> None:
    """Erase the turn of a passage: nothing is recalled or learned of it any more.

    Raises:
        NotFoundError: there is no such passage, or it is somebody else's.
        ConflictError: it has another version.
        NotForgottenError, StoreError, StateError: a part failed; call it again.
    """
    if version is not None:
        item = await engine.owned.find(whose, passage_id)
        if item is not None and not is_version(memory_dict(item), version):
            raise ConflictError(f"{passage_id!r} has another version than {version!r}")
    receipt = await engine.forgetter.forget_ids(whose, [passage_id])
    if receipt.found_nothing:
        raise NotFoundError(f"there is no memory {passage_id!r}")
