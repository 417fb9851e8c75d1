"""What people have beside memories: blocks, conversations, and what they attach to each other."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recollect.memory.model.shares import Attachment, ShareKind, ShareRights
from recollect.memory.model.types import Scope, Turn, utc_now

from .gateway import Gateway
from .people import SEAL, People

if TYPE_CHECKING:
    from .credentials import Credential

COMMON_LABEL = "plan"
"""A block of this label has everybody."""
BLOCK, COMMON, SAID = 100, 200, 300
"""Added to somebody's number, the number of what stands in a block of theirs, or was said."""
MANY = 10_000


def label_of(index: int) -> str:
    """The label of the block that only this one has."""
    return f"b{index}"


def conversation_of(index: int) -> str:
    """The id of this one's conversation."""
    return f"conversation-{index}"


async def endow(gateway: Gateway, memories: Mapping[Scope, str]) -> None:
    """Give each person two blocks and a conversation; some share a block and a memory.

    `memories` are ids by their owners. What is already there stays.
    """
    people = gateway.people
    for index, person in enumerate(people.scopes):
        blocks = gateway.view(person.tenant).blocks
        for label, number in ((label_of(index), BLOCK), (COMMON_LABEL, COMMON)):
            value = people.statement(index, number + index)
            await blocks.define(label, value=value, **person.ids())
        await gateway.engine.parts.state.conversations.record(_turn(people, index))
        await _join(gateway, person)
    for (giver, taker), rights in _given(people.scopes).items():
        block = await gateway.view(giver.tenant).blocks.get(
            label_of(people.scopes.index(giver)), **giver.ids()
        )
        for kind, item_id in ((ShareKind.MEMORY, memories[giver]), (ShareKind.BLOCK, block["id"])):
            await gateway.engine.parts.state.attachments.attach(
                Attachment(
                    kind=kind,
                    item_id=item_id,
                    owner=giver,
                    to=taker,
                    rights=rights,
                    created_at=utc_now(),
                )
            )


async def _join(gateway: Gateway, person: Scope) -> None:
    """Say that the first two entities of this one are one, if there are two."""
    graph = gateway.view(person.tenant).graph
    found = (await graph.entities(limit=2, **person.ids()))["results"]
    if len(found) == 2:
        await graph.merge(*(one["id"] for one in found), **person.ids())


def _given(scopes: tuple[Scope, ...]) -> dict[tuple[Scope, Scope], ShareRights]:
    """Who attaches to whom: the second one to the first, and to all users of an agent."""
    first, second, *_ = scopes
    everybody = Scope(tenant=second.tenant, agent_id="a")
    return {(second, first): ShareRights.READ, (first, everybody): ShareRights.WRITE}


def _turn(people: People, index: int) -> Turn:
    return Turn(
        id=f"turn-{index}",
        conversation_id=conversation_of(index),
        scope=people.scopes[index],
        user_text=people.statement(index, SAID + index),
        assistant_text=f"You told me: {people.statement(index, SAID + index)}",
        model="m",
        created_at=utc_now(),
    )


@dataclass(frozen=True)
class Foreign:
    """What is stored that is not somebody's own, as one credential may look at it."""

    memories: Mapping[str, Any]
    """Those that it may not change, by id."""
    blocks: Mapping[str, Any]
    """The same of blocks."""
    others: tuple[Any, ...]
    """Conversations, and what others attached to others."""
    given: frozenset[Any]
    """What others attached to it: it may give that up, and not take more."""
    entities: tuple[str, ...]
    """Ids of entities of others."""
    merges: Mapping[str, Any]
    """By id, when they were undone: which entities of others are one."""
    seals: AbstractSet[str]
    """Words of others that it may read, since they are attached to it."""

    def check(self, after: Foreign, *about: Any) -> None:
        """Raise AssertionError if a request changed what it must not."""
        assert after.memories == self.memories, about
        assert after.blocks == self.blocks, about
        assert after.others == self.others, about
        assert after.given <= self.given, about
        # One falls with its memory, which may have been attached to be written.
        assert after.merges.items() <= self.merges.items(), about


async def foreign_of(gateway: Gateway, credential: Credential) -> Foreign:
    """What is not this one's, read from what the server stores."""
    state = gateway.engine.parts.state
    rows = {memory.item.id: memory.item for memory in await gateway.memories()}
    blocks, attachments = {}, []
    entities, merges = [], {}
    graph = gateway.engine.graph
    assert graph is not None
    for tenant in sorted({person.tenant for person in gateway.people.scopes}):
        blocks |= {each.id: each for each in await state.blocks.of_owner(tenant)}
        attachments += await state.attachments.of_owner(tenant)
        known = await graph.store.entities(tenant, limit=MANY)
        entities += [one.entity for one in known if not credential.may_see(one.entity.owner)]
        ledger = await graph.store.merges(tenant, limit=MANY)
        merges |= {e.id: e.undone_at for e in ledger if not credential.may_see(e.owner)}
    of_others = [each for each in attachments if not credential.may_see(each.owner)]
    to_it = [each for each in of_others if reaches(credential, each.to)]
    read = {each.item_id for each in to_it}
    written = {each.item_id for each in to_it if each.rights is ShareRights.WRITE}
    texts = [rows[i].text for i in read & rows.keys()]
    texts += [blocks[i].value for i in read & blocks.keys()]
    said = [
        await state.conversations.turns(conversation_of(index), 0, MANY)
        for index, person in enumerate(gateway.people.scopes)
        if not credential.may_see(person)
    ]
    return Foreign(
        memories={
            i: item
            for i, item in rows.items()
            if not credential.may_see(item.scope) and i not in written
        },
        blocks={
            i: block
            for i, block in blocks.items()
            if not credential.may_see(block.scope) and i not in written
        },
        others=(
            [[(turn.id, turn.user_text, turn.assistant_text) for turn in turns] for turns in said],
            {(e.kind, e.item_id, e.to, e.rights) for e in of_others if e not in to_it},
        ),
        entities=tuple(one.id for one in entities),
        merges=merges,
        given=frozenset((e.kind, e.item_id, e.to, e.rights) for e in to_it),
        seals={match[0] for text in texts for match in SEAL.finditer(text)},
    )


def reaches(credential: Credential, to: Scope) -> bool:
    """Whether a request with this credential can be one that sees what is attached to `to`.

    An agent is one of all users: who may name a user may name that user's agents.
    """
    owner = Scope(tenant=to.tenant, user_id=to.user_id or "anybody")
    if to.user_id is None:
        return any(credential.may_see(Scope(tenant=to.tenant, user_id=u)) for u in ("alice", "bob"))
    return credential.may_see(owner)
