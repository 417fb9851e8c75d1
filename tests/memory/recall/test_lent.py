"""What is attached to a scope, in this process and among several."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from recollect.memory.model.shares import Attachment, ShareKind, ShareRights
from recollect.memory.model.types import Scope, Source, StoredMemory
from recollect.memory.recall.index import HotIndexes, IndexedStore
from recollect.memory.recall.index.entry import NOTHING_LENT
from recollect.memory.recall.lent import SHARE, Lending, item_seen_from
from recollect.memory.recall.options import IndexOptions
from recollect.memory.state.sqlite import in_memory_state
from recollect.memory.stores.inmemory import InMemoryStore
from tests.memory.recall.memories import stored
from tests.memory.state.samples import ALICE, ALICE_WORK, BOB, NOON
from tests.support.versions import LocalVersions


class Counting:
    """Any object; counts the calls of its methods."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self.calls: Counter[str] = Counter()

    def __getattr__(self, name: str) -> Any:
        self.calls[name] += 1
        return getattr(self._inner, name)


class Lender:
    """One of several that share a store, attachments and counters."""

    def __init__(
        self, store: InMemoryStore, attachments: Any, counters: LocalVersions | None
    ) -> None:
        self.indexes = HotIndexes(store, IndexOptions(), dim=2, versions=counters)
        self.store = IndexedStore(store, self.indexes)
        self.attachments = Counting(attachments)
        self.lending = Lending(self.attachments, store, self.indexes)

    async def texts(self, scope: Scope) -> list[str]:
        return [each.item.text for each in (await self.lending.get(scope)).memories]


def memory(text: str, scope: Scope = ALICE) -> StoredMemory:
    """A memory with the id `m`."""
    one = stored(text, scope)
    return replace(one, item=replace(one.item, id="m"))


def attached(to: Scope = BOB, **changes: Any) -> Attachment:
    """Alice's memory `m`, attached to Bob."""
    usual: dict[str, Any] = {"kind": ShareKind.MEMORY, "item_id": "m", "owner": ALICE,
                             "rights": ShareRights.READ, "created_at": NOON}  # fmt: skip
    return Attachment(to=to, **(usual | changes))


async def test_a_tenant_without_attachments_is_asked_about_once() -> None:
    """However many of its users chat."""
    one = Lender(InMemoryStore(dim=2), in_memory_state().attachments, None)
    for scope in (ALICE, BOB, ALICE_WORK, ALICE):
        assert await one.lending.get(scope) is NOTHING_LENT
    assert one.attachments.calls == {"exist": 1}


async def test_what_is_known_is_not_read_again() -> None:
    """Until it is written, attached or detached in this process."""
    one = Lender(InMemoryStore(dim=2), in_memory_state().attachments, None)
    await one.store.put([memory("old")])
    await one.attachments.attach(attached())
    assert await one.texts(BOB) == await one.texts(BOB) == ["old"]
    assert one.attachments.calls["for_scope"] == 1
    await one.store.put([memory("new")])
    assert await one.texts(BOB) == ["new"]
    await one.attachments.detach(ShareKind.MEMORY, "m", BOB)
    one.lending.forget(ALICE.tenant, SHARE + "m")
    assert await one.texts(BOB) == []


async def test_writes_of_other_processes_are_seen() -> None:
    """By the counters that they share, without an announcement."""
    store, counters, attachments = (
        InMemoryStore(dim=2),
        LocalVersions(),
        in_memory_state().attachments,
    )
    one, other = (Lender(store, attachments, counters) for _ in range(2))
    await one.store.put([memory("old")])
    await one.attachments.attach(attached())
    assert await other.texts(BOB) == ["old"]
    await one.store.put([memory("new")])
    assert await other.texts(BOB) == ["new"]


async def test_after_a_gap_everything_is_read_again() -> None:
    """Announcements of attachments may have been missed."""
    store, attachments = InMemoryStore(dim=2), in_memory_state().attachments
    one = Lender(store, attachments, None)
    await one.store.put([memory("old")])
    assert await one.texts(BOB) == []
    await attachments.attach(attached())
    one.lending.clear()
    assert await one.texts(BOB) == ["old"]


async def test_an_attachment_shows_no_memory_of_somebody_else() -> None:
    """If the id belongs to another owner than the one who gave it, nothing is shown."""
    one = Lender(InMemoryStore(dim=2), in_memory_state().attachments, None)
    await one.store.put([memory("secret", Scope(tenant="local", user_id="carol"))])
    await one.attachments.attach(attached())
    assert await one.texts(BOB) == []


def test_another_user_s_word_is_hearsay() -> None:
    """What says "User likes tea" is about another user than the one who reads it."""
    item = memory("User likes tea").item
    assert item_seen_from(BOB, item).provenance.source is Source.IMPORTED
    assert item_seen_from(ALICE_WORK, item).provenance.source is item.provenance.source
    assert item_seen_from(BOB, item).scope == BOB


def test_the_evidence_stays_with_its_owner() -> None:
    """Another user sees no turn, no conversation and no words of the owner."""
    item = memory("User likes tea").item
    told = replace(
        item.provenance, conversation_id="c", turn_ids=("t",), quote="I like tea", matter="x"
    )
    item = replace(item, provenance=told)
    seen = item_seen_from(BOB, item).provenance
    assert (seen.conversation_id, seen.turn_ids, seen.quote, seen.matter) == (None, (), None, None)
    assert item_seen_from(ALICE_WORK, item).provenance == replace(told, shared=True)
