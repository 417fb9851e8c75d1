"""A store's writes reach the indexes, with what is derived of each memory."""

import asyncio
import hashlib
import json
import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.memory.calibration import SAFE
from recollect.memory.embedders.fake import FakeEmbedder
from recollect.memory.language.registry import use_folder
from recollect.memory.model.errors import StoreError
from recollect.memory.model.row_kinds import is_passage
from recollect.memory.model.types import (
    MemoryStatus,
    MemoryType,
    Provenance,
    Scope,
    Source,
    StoredMemory,
)
from recollect.memory.recall.index import HotIndexes
from recollect.memory.recall.index.entry import (
    ASKED,
    NO_STATEMENTS,
    Entry,
    RecentStatements,
    SaidPassage,
)
from recollect.memory.recall.index.facts import (
    LONGEST,
    VERSION,
    Judge,
    derived,
    entry_of,
    mark_of,
    traits_told,
)
from recollect.memory.recall.index.key import IndexKey
from recollect.memory.recall.prototypes import Prototypes
from recollect.memory.recall.trait_flags import judged
from recollect.memory.recall.traits import Traits
from recollect.memory.statements.passages import Noted, passage
from tests.memory.learn.doubles import ALICE, Breaks
from tests.memory.recall.index.doubles import Process
from tests.memory.recall.memories import item, stored
from tests.memory.recall.test_profile import index_of as profile_index
from tests.memory.statements.test_passages import turn
from tests.support.budget import examples
from tests.support.folding import rows
from tests.support.following import indexed
from tests.support.memories import InMemoryMemories
from tests.support.sharing import log_over

OTHER = Scope(tenant="other", user_id="alice")


def texts(index):
    return sorted(entry.item.text for entry in index.entries if entry is not None)


SCOPES = [
    ALICE,
    OTHER,
    Scope(tenant="local", user_id="alice", agent_id="x"),
    Scope(tenant="local", user_id="bob", agent_id="x", run_id="r"),
    Scope(tenant="local", agent_id="x"),
    Scope(tenant="local", run_id="r"),
]


STATUSES = st.sampled_from([MemoryStatus.ACTIVE, MemoryStatus.ACTIVE, *MemoryStatus])
PUTS = st.builds(
    lambda number, scope, status, words: ("put", number, scope, status, words),
    st.integers(0, 5),
    st.sampled_from(SCOPES),
    STATUSES,
    st.sampled_from(["tea", "Ann: coffee", ""]),
)
OTHERS = st.one_of(
    st.tuples(st.just("ask"), st.sampled_from(SCOPES)),
    st.tuples(st.just("delete"), st.sampled_from(["local", "other"]), st.integers(0, 5)),
    st.tuples(st.just("reset"), st.sampled_from(["local", "other"])),
    st.tuples(st.just("fail"), st.sampled_from(["put", "delete", "reset"]), st.booleans()),
    st.tuples(st.just("pass"), st.floats(0, 10)),
)


@given(
    st.lists(st.tuples(st.integers(0, 1), st.one_of(PUTS, OTHERS)), max_size=25),
    st.booleans(),
    st.sampled_from([2, 1000]),
)
@settings(max_examples=examples(150))
def test_the_indexes_hold_what_the_store_holds(steps, two, max_memories):
    """After any writes, failures and questions of one or two processes, for every scope."""

    async def run():
        store = InMemoryMemories(dim=2)
        processes = []
        for _ in range(1 + two):
            log = log_over(store.database) if two else None
            mine = InMemoryMemories(dim=2, scripts=store.database, writer=log.name if log else "")
            failing = Breaks(mine, "", StoreError("gone"), times=0, after=True)
            processes.append((Process(failing, log=log, max_memories=max_memories), failing))
        for number, step in steps:
            await carry_out(*processes[number % len(processes)], step)
        for process, _ in processes:
            process.clock.now += 100  # those with too many are looked at again
            for scope in SCOPES:
                expected = sorted(item.text for item in await store.list(scope, limit=None))
                found = await process.texts(scope)
                may_be_large = await store.count(IndexKey.of(scope).scope) > max_memories
                assert found == expected or (found is None and may_be_large)

    async def carry_out(process, failing, step):
        match step:
            case "put", number, scope, status, words:
                # Ids are of a tenant: no two share one.
                memory_id = f"{scope.tenant} {number}"
                await told(process.put(words, id=memory_id, scope=scope, status=status))
            case "delete", tenant, number:
                await told(process.indexed.delete(tenant, [f"{tenant} {number}"]))
            case "reset", tenant:
                await told(process.indexed.reset(tenant))
            case "ask", scope:
                await process.texts(scope)
            case "fail", method, after:
                failing._method, failing.left, failing._after = method, 1, after
            case "pass", seconds:
                process.clock.now += seconds

    async def told(write):
        try:
            await write
        except StoreError:
            return

    asyncio.run(run())


TOLD = Traits(frozenset({"diet"}), frozenset({"food", "travel"}), private=True)
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
    inner = InMemoryMemories(dim=2)
    indexes = HotIndexes(inner, dim=2)
    indexes.judge = JUDGE
    await indexed(inner, indexes).put([stored("tea")])
    await indexed(inner, indexes).put([stored(f"cup {n}", id=str(n)) for n in range(50)])
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
            traits.unsafe, traits.reach.written(),
        ))  # fmt: skip
    digest = hashlib.blake2b(repr(facts).encode(), digest_size=8).hexdigest()
    assert (VERSION, digest) == (3, "cafef4d3c953f958")


def said(text, number=0):
    return passage(turn(text), number, Noted(text), embedder_id="e", learned=False)


def test_an_index_hosts_statements():
    """Passages come and go with it; memories stay."""
    index = profile_index("User lives in Oslo")
    one, other = said("I like tea"), said("I like rye", 1)
    index.add_extras(RecentStatements((one, other)))
    assert len(index) == 3
    assert [is_passage(entry.item.id) for entry in index.entries] == [False, True, True]
    index.add_extras(RecentStatements((other,)))
    assert [entry.item.text for entry in index.entries if entry] == [
        "User lives in Oslo",
        "I like rye",
    ]
    index.add_extras(NO_STATEMENTS)
    assert len(index) == 1


def test_a_vector_that_comes_later_is_taken_over():
    """Until then words find the passage."""
    index = profile_index("User lives in Oslo")
    one = said("I like tea")
    index.add_extras(RecentStatements((one,)))
    index.add_extras(RecentStatements((replace(one, vector=np.array([0.0, 1.0], np.float32)),)))
    at = len(index.entries) - 1
    assert index.vectors.row(at).tolist() == [0.0, 1.0]


def test_few_questions_are_ranked():
    """The newest ones that are embedded; what was told is ranked however old it is."""

    def asked(number, *, embedded=True):
        noted = Noted(f"Where is {number}?", flags=frozenset({ASKED}))
        made = passage(turn("x"), number, noted, embedder_id="e", learned=False)
        return replace(made, vector=np.ones(2, np.float16) if embedded else None)

    every = [asked(0, embedded=False), asked(1), asked(2), asked(3), said("I like tea", 4)]
    ranked = RecentStatements(every, most_asked=2).ranked.values()
    assert [one.item.text for one in ranked] == ["Where is 1?", "Where is 2?", "I like tea"]
    assert len(RecentStatements(every).ranked) == 4


@pytest.mark.parametrize("seed", range(40))
def test_what_follows_is_ranked_as_if_all_were_read_again(seed):
    """Turns are said, embedded, changed and pushed out: nothing is derived that is not so."""
    chooser = random.Random(seed)
    turns: list[list[SaidPassage]] = []  # newest first
    statements = RecentStatements((), most_asked=3)

    def made(number):
        asks, flags = chooser.random() < 0.5, frozenset({ASKED})
        noted = Noted(chooser.choice("abcdef"), flags=flags if asks else frozenset())
        one = passage(turn("x"), number, noted, embedder_id="e", learned=False)
        over = frozenset({"m"} if chooser.random() < 0.2 else ())
        return replace(one, vector=chooser.choice([None, np.ones(2, np.float16)]), over=over)

    for number in range(0, 120, 3):
        at = chooser.randrange(len(turns) + 2)
        replaced = turns.pop(at) if at < len(turns) else []
        oldest = turns.pop() if turns and chooser.random() < 0.3 else []
        new = [made(number + each) for each in range(chooser.randrange(3))]
        turns = [new, *turns] if new else turns
        every = [one for each in turns for one in each]
        statements = statements.followed(every, new, replaced=replaced, oldest=oldest)
        fresh = RecentStatements(every, most_asked=3)
        assert list(statements.ranked.values()) == list(fresh.ranked.values())
        assert statements.contradicted(ALICE) == fresh.contradicted(ALICE)


def test_contradictions_are_of_the_scope():
    """What another agent's turn speaks against is not hidden here."""
    statements = RecentStatements((replace(said("I like tea"), over=frozenset({"m"})),))
    assert statements.contradicted(ALICE) == {"m"}
    assert (
        statements.contradicted(Scope(tenant="local", user_id="alice", agent_id="x")) == frozenset()
    )
    assert is_passage(statements.passages[0].item.id)
