"""What an index ranks: what is derived of a memory, and what a user said lately."""

import hashlib
import json
from dataclasses import replace

import numpy as np

from recollect.memory.calibration import SAFE
from recollect.memory.embedders.fake import FakeEmbedder
from recollect.memory.language.registry import use_folder
from recollect.memory.model.types import (
    MemoryStatus,
    MemoryType,
    Provenance,
    Scope,
    Source,
    StoredMemory,
)
from recollect.memory.recall.index import HotIndexes, IndexedStore
from recollect.memory.recall.index.entry import NO_STATEMENTS, Entry, RecentStatements, is_passage
from recollect.memory.recall.index.facts import (
    LONGEST,
    VERSION,
    Judge,
    derived,
    entry_of,
    mark_of,
    traits_told,
)
from recollect.memory.recall.options import IndexOptions
from recollect.memory.recall.prototypes import Prototypes
from recollect.memory.recall.telling import judged
from recollect.memory.recall.traits import Traits
from recollect.memory.statements.passages import passage
from recollect.memory.stores.inmemory import InMemoryStore
from tests.memory.learn.doubles import ALICE
from tests.memory.recall.memories import item, stored
from tests.memory.recall.test_pinned import index_of
from tests.memory.statements.test_passages import turn
from tests.support.folding import rows

TOLD = Traits(frozenset({"diet"}), frozenset({"food", "travel"}), private=True, carries=True)
JUDGE = Judge("mark", lambda _entry, _vector: TOLD)
TEXTS = (
    "Anna María: I met Bob at the café on 3 May 2023, and Bob paid",
    "User is allergic to peanuts and prefers short answers in bullet points",
    "Always answer in German",
    "Implement the export",
    "Meine Schwester heißt Юлия und wohnt in Zürich",
    "我每天早上喝绿茶",
    "우리 집 고양이는 두 살이다",
    "ﷺ ¨",
    "...",
    "",
)


def written(text, judge=JUDGE, **fields):
    """The facts of a memory as a store gives them back."""
    memory = derived(StoredMemory(item(text, id="1", **fields), np.ones(2, np.float32)), judge)
    return replace(memory, facts=json.loads(json.dumps(memory.facts)))


@rows("text", TEXTS)
def test_what_is_read_is_what_is_derived(text):
    """The same terms, names and times in every script, and the traits that the judge told."""
    memory = written(text)
    found = entry_of(memory)
    assert replace(found, told=()) == Entry.of(memory.item)
    assert traits_told(found, "mark") == TOLD


def test_the_facts_of_another_text_are_none():
    """Whoever edits a row elsewhere gets what its new text tells."""
    memory = written("User drinks tea")
    edited = replace(memory, item=item("User drinks coffee", id="1"))
    assert entry_of(edited) == Entry.of(edited.item)
    assert entry_of(replace(memory, facts=None)) == Entry.of(memory.item)


def test_the_facts_of_another_context_are_none():
    """A memory is found by what situates it too; of one without any, facts are what they were."""
    memory = written("Tea at five")
    situated = replace(memory.item, provenance=Provenance(context="visit of Ann"))
    found = entry_of(replace(memory, item=situated))
    assert found == Entry.of(situated)
    assert "ann" in found.terms
    again = derived(StoredMemory(situated, memory.vector), None)
    assert entry_of(again) == found
    assert entry_of(replace(again, item=memory.item)) == Entry.of(memory.item)


def test_the_facts_of_other_packs_are_none(tmp_path):
    """A stop word that is one no more is a term again."""
    memory = written("User drinks tea")
    more = 'code = "en"\nname = "English"\nscript = "latin"\n[words]\nstop = "tea"\n'
    (tmp_path / "en.toml").write_text(more)
    before = mark_of()
    try:
        use_folder(tmp_path)
        assert "tea" not in entry_of(memory).terms
        assert mark_of() != before
    finally:
        use_folder(None)
    assert mark_of() == before
    assert "tea" in entry_of(memory).terms


def test_the_traits_of_another_judge_are_none():
    """Nor are those of a memory that a person validated since, or that is of another type now."""
    memory = written("User drinks tea")
    assert traits_told(entry_of(memory), "other") is None
    for changed in (
        replace(memory.item, type=MemoryType.PROCEDURAL),
        replace(memory.item, provenance=Provenance(flags=("steering",))),
    ):
        assert traits_told(entry_of(replace(memory, item=changed)), "mark") is None
    assert traits_told(entry_of(written("User drinks tea", None)), "mark") is None


def test_what_is_in_no_index_has_no_facts():
    """Nor has a long text; what others told of the user has no traits."""
    memory = stored("tea")
    held = replace(memory.item, status=MemoryStatus.QUARANTINED)
    assert derived(replace(memory, item=held), JUDGE).facts is None
    assert derived(stored("tea " * LONGEST, id="1"), JUDGE).facts is None
    told = replace(memory.item, provenance=Provenance(source=Source.TOOL))
    assert "told" not in derived(replace(memory, item=told), JUDGE).facts


async def test_facts_are_written_to_the_store():
    """One by one or by the hundred, with the traits that the recall's judge tells."""
    inner = InMemoryStore(dim=2)
    indexes = HotIndexes(inner, IndexOptions(), dim=2)
    indexes.judge = JUDGE
    await IndexedStore(inner, indexes).put([stored("tea")])
    await IndexedStore(inner, indexes).put([stored(f"cup {n}", id=str(n)) for n in range(50)])
    rows = await inner.load(ALICE, limit=99)
    assert len(rows) == 51
    assert all(traits_told(entry_of(row), "mark") == TOLD for row in rows)


async def test_the_version_is_raised_with_the_code():
    """If this fails, something is derived differently: raise `VERSION`, and write the digest here.

    Otherwise what earlier versions wrote would be read as if this version had derived it.
    """
    facts, embedder = [], FakeEmbedder()
    prototypes = await Prototypes.of(embedder, SAFE)
    for text, vector in zip(TEXTS, await embedder.embed(TEXTS), strict=True):
        entry = Entry.of(item(text, id="1"))
        traits = judged(entry, vector, prototypes)
        facts.append((
            entry.terms, entry.counts, entry.language, entry.speaker, entry.subject, entry.dated,
            sorted(traits.traits), sorted(traits.bears_on), traits.private, traits.unfit,
            traits.unsafe, traits.carries, traits.reach.written(),
        ))  # fmt: skip
    digest = hashlib.blake2b(repr(facts).encode(), digest_size=8).hexdigest()
    assert (VERSION, digest) == (2, "2828377ff714f390")


def test_who_speaks_and_who_it_is_about():
    """A speaker's name by its words; what nobody says is about whom or what it begins with."""
    entry = Entry.of(item("Anna Mar\u00eda: I met Bob"))
    assert (set(entry.speaker), entry.subject) == ({"anna", "maria"}, None)
    entry = Entry.of(item("\u00abMar\u00eda lives in Berlin\u00bb"))
    assert (entry.speaker, entry.subject) == ((), "maria")


def said(text, number=0):
    return passage(turn(text), number, text, embedder_id="e", learned=False)


def test_an_index_hosts_statements():
    """Passages come and go with it; memories stay."""
    index = index_of("User lives in Oslo")
    one, other = said("I like tea"), said("I like rye", 1)
    index.host(RecentStatements((one, other)))
    assert len(index) == 3
    assert [is_passage(entry.item.id) for entry in index.entries] == [False, True, True]
    index.host(RecentStatements((other,)))
    assert [entry.item.text for entry in index.entries if entry] == [
        "User lives in Oslo",
        "I like rye",
    ]
    index.host(NO_STATEMENTS)
    assert len(index) == 1


def test_a_vector_that_comes_later_is_taken_over():
    """Until then words find the passage."""
    index = index_of("User lives in Oslo")
    one = said("I like tea")
    index.host(RecentStatements((one,)))
    index.host(RecentStatements((replace(one, vector=np.array([0.0, 1.0], np.float32)),)))
    at = len(index.entries) - 1
    assert index.vectors.row(at).tolist() == [0.0, 1.0]


def test_contradictions_are_of_the_scope():
    """What another agent's turn speaks against is not hidden here."""
    statements = RecentStatements((replace(said("I like tea"), over=frozenset({"m"})),))
    assert statements.contradicted(ALICE) == {"m"}
    assert (
        statements.contradicted(Scope(tenant="local", user_id="alice", agent_id="x")) == frozenset()
    )
    assert is_passage(statements.passages[0].item.id)
