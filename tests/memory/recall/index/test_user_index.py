"""One user's memories, ready to be ranked: vectors, terms, names, times, neighbours."""

import gc
import math
import tracemalloc
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.memory.embedders.local.pair import ModelPair
from recollect.memory.language import index_terms
from recollect.memory.model.types import Provenance, Scope
from recollect.memory.model.usage import Usage
from recollect.memory.recall.index import user_index
from recollect.memory.recall.index.entry import ASKED, SharedMemories
from recollect.memory.recall.index.postings import NEIGHBOURS, NONE, SAME_SESSION_SECONDS
from recollect.memory.recall.index.spellings import Spellings
from recollect.memory.recall.index.user_index import UserIndex, as_written
from recollect.memory.recall.traits import Traits
from tests.memory.learn.doubles import ALICE, NOON
from tests.memory.recall.memories import angle, index_of, stored
from tests.support.budget import examples


def test_terms_are_found_by_another_spelling():
    """Also those that came after somebody asked; unknown ones are not."""
    terms = {"catherin": 1, "garden": 2}
    names = Spellings(terms.keys())
    assert names.like("Katherine") == "catherin"
    assert names.like("Юлия") is None
    terms["julia"] = 3
    assert names.like("Юлия") == "julia"
    assert names.like("") is None


IDS = st.sampled_from("abcdefgh")
SCOPES = [
    Scope(tenant="t", user_id="u"),
    Scope(tenant="t", user_id="u", agent_id="x"),
    Scope(tenant="t", user_id="u", agent_id="x", run_id="r"),
    Scope(tenant="t", user_id="v", agent_id="x"),
    Scope(tenant="t", agent_id="x"),
    Scope(tenant="t", run_id="r"),
    Scope(tenant="s", user_id="u"),
    Scope(tenant="s", user_id="u", agent_id="x", run_id="r"),
]
DATED = "we met on 3 May 2023"
TEXTS = [
    "Ann: tea",
    "Bob Miller: I saw Ann drink tea",
    "tea tea coffee",
    "\u00c1nn likes Bob",
    "",
    DATED,
    "Der Hund von Anna bellt laut im Garten und die Katze ist nicht da",
]
WORDS = ["tea", "coffe", "ann", "bob", "hund", "drink", "nothing"]
MEMORIES = st.builds(
    lambda memory_id, text, scope, minutes, conversation, sequence, degrees: stored(
        text,
        scope,
        id=memory_id,
        minutes=minutes,
        conversation=conversation,
        sequence=sequence,
        degrees=degrees,
        importance=degrees / 90,
    ),
    IDS,
    st.sampled_from(TEXTS),
    st.sampled_from(SCOPES),
    st.sampled_from([0, 1, 30, 31, 62, 5000]),
    st.sampled_from([None, None, "c", "d"]),
    st.integers(0, 2),
    st.integers(0, 90),
)
STEPS = st.lists(st.one_of(MEMORIES, IDS), max_size=30)


def by_id(index, values):
    """What is kept by position, by id of the living."""
    return {
        entry.item.id: values[at] for at, entry in enumerate(index.entries) if entry is not None
    }


def brute_chains(model):
    """The sessions as lists of ids in order; of one moment and sequence the older write first."""
    groups = {}
    for place, memory in enumerate(model.values()):
        of, conversation = memory.item.provenance, memory.item.provenance.conversation_id
        row = (memory.item.created_at.timestamp(), of.sequence, place, memory.item.id)
        groups.setdefault((memory.item.scope, conversation), []).append(row)
    chains = []
    for (_, conversation), rows in groups.items():
        before = None
        for row in sorted(rows):
            silent = before is not None and row[0] - before > SAME_SESSION_SECONDS
            if before is None or (conversation is None and silent):
                chains.append([])
            chains[-1].append(row[3])
            before = row[0]
    return chains


def check(index, model):
    """Everything the index says is what a look at each memory says."""
    ids = by_id(index, range(len(index.entries)))
    assert len(index) == len(ids) == len(model)
    assert ids.keys() == model.keys()
    assert all((memory_id in index) == (memory_id in model) for memory_id in "abcdefgh")
    assert index.holds({"z", *"abcd"}) == (not model.keys().isdisjoint("abcd"))
    assert by_id(index, index.entries).keys() == model.keys()
    assert np.flatnonzero(index.alive).tolist() == sorted(ids.values())
    for memory_id, memory in model.items():
        at = ids[memory_id]
        terms = index_terms(memory.item.text).terms
        assert index.entries[at].item == memory.item
        assert (index.vectors.row(at) == memory.vector).all()
        assert index.moments[at] == memory.item.created_at.timestamp()
        assert index.importance[at] == memory.item.importance
        assert index.lengths[at] == len(terms)
        assert index.log_lengths[at] == pytest.approx(math.log(len(terms) + 1))
        assert index.dated[at] == (memory.item.text == DATED)
    check_words(index, model, ids)
    check_scopes(index, model, ids)
    check_links(index, model, ids)


def check_words(index, model, ids):
    found = index.matches(WORDS)
    counts = np.zeros((len(WORDS), len(index.entries)))
    np.add.at(counts, (found.term, found.position), found.count)
    for row, word in enumerate(WORDS):
        for memory_id, memory in model.items():
            assert counts[row, ids[memory_id]] == Counter(index_terms(memory.item.text).terms)[word]
    assert counts[:, ~index.alive].sum() == 0
    for name, use_language_packs, beginning in (
        ("ann", {TEXTS[0]}, {TEXTS[3]}),
        ("bob", {TEXTS[1]}, set()),
        ("miller", {TEXTS[1]}, set()),
        ("nobody", set(), set()),
    ):
        for found, texts in (
            (index.said_by(name), use_language_packs),
            (index.about(name), beginning),
        ):
            expected = [ids[i] for i, memory in model.items() if memory.item.text in texts]
            assert sorted(found) == sorted(expected)
    languages = {index_terms(memory.item.text).language for memory in model.values()}
    assert index.languages == languages


def check_scopes(index, model, ids):
    for scope in SCOPES:
        admitted = {ids[i] for i, memory in model.items() if scope.admits(memory.item.scope)}
        assert set(np.flatnonzero(index.admitted(scope)).tolist()) == admitted


def check_links(index, model, ids):
    chains = brute_chains(model)
    for chain in chains:
        assert len({int(index.links.session[ids[i]]) for i in chain}) == 1
        session = index.links.session[ids[chain[0]]]
        lengths = [index.lengths[ids[i]] for i in chain]
        assert index.session_lengths[session] == sum(lengths)
        for place, memory_id in enumerate(chain):
            heard = 0.0
            for distance in (1, -1, 2, -2):
                there = 0 <= place + distance < len(chain)
                other = ids[chain[place + distance]] if there else NONE
                assert index.links.at(distance)[ids[memory_id]] == other
            for distance, weight in NEIGHBOURS:
                if 0 <= place - distance < len(chain):
                    heard += weight * lengths[place - distance]
            assert index.context_lengths[ids[memory_id]] == pytest.approx(heard)
    assert len({int(index.links.session[ids[chain[0]]]) for chain in chains}) == len(chains)


def carry_out(step, index, model):
    """A memory is added in place of the one with its id, an id is removed."""
    if isinstance(step, str):
        index.remove(step)
        model.pop(step, None)
    else:
        index.add(step)
        model.pop(step.item.id, None)
        model[step.item.id] = step


@given(STEPS, st.sampled_from([64, 4, 0]))
@settings(max_examples=examples(150))
def test_it_says_what_a_list_says(steps, few):
    """After any additions, replacements and removals, whether or not it was built anew between or at the end."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(user_index, "_FEW", few)
        index, model = UserIndex(2), {}
        for step in steps:
            carry_out(step, index, model)
            if len(steps) < 8:
                check(index, model)
        check(index, model)
        check(UserIndex.of(2, model.values()), model)


def test_a_memory_stands_where_it_became_true():
    """Neighbours are those of the same time, not those that were stored together."""
    then = NOON - timedelta(days=9)
    index = index_of(stored("a"), stored("b", valid_from=then), stored("c", minutes=1))
    assert index.links.at(1).tolist() == [2, NONE, NONE]


def test_removed_memories_are_given_up():
    """The index is built anew when a quarter is gone, so that it shrinks with what it holds."""
    many = [stored(f"memory number {n}", id=str(n), degrees=n) for n in range(400)]
    index = index_of(*many)
    sizes = [index.nbytes]
    for n in range(0, 400, 2):
        index.remove(str(n))
        assert len(index.entries) <= len(index) / 0.75 + 1
        sizes.append(index.nbytes)
    assert sizes == sorted(sizes, reverse=True)
    assert index.nbytes < 0.8 * sizes[0]
    left = index_of(*many[1::2])
    for n in range(1, 400, 2):
        at = by_id(index, range(len(index.entries)))[str(n)]
        assert (index.vectors.row(at) == angle(n)).all()
    assert left.nbytes <= index.nbytes < 1.35 * left.nbytes
    for n in range(400):
        index.remove(str(n))
    assert len(index) == 0
    assert index.nbytes < sizes[0] / 4


def test_it_tells_what_it_takes():
    """With vectors of the default model; `MAX_BYTES` says 3 to 4 KB a memory."""
    words = [f"{start}{end}" for start in ("ka", "lo", "mi", "ne") for end in range(100)]

    def made():
        for n in range(1000):
            some = " ".join(words[(n * k) % len(words)] for k in range(1, 21))
            one = stored(some, id=f"{n:08}-0000-0000-0000-000000000000", minutes=n)
            yield replace(one, vector=np.full(ModelPair.dim, 1 / 30, np.float32))

    def measured():
        gc.collect()
        tracemalloc.start()
        try:
            index = UserIndex.of(ModelPair.dim, made())
            gc.collect()
            return tracemalloc.get_traced_memory()[0], index
        finally:
            tracemalloc.stop()

    UserIndex.of(ModelPair.dim, made())  # what it keeps of words in caches is not its own
    # The least: threads that others left in the process only add to it.
    taken, index = min((measured() for _ in range(3)), key=lambda each: each[0])
    assert 0.85 < index.nbytes / taken < 1.25
    assert 2500 < taken / 1000 < 4096


def marked(memory, provenance):
    """The memory with this evidence."""
    return replace(memory, item=replace(memory.item, provenance=provenance))


class TestUsage:
    USED = Usage(negative=2)

    def noted(self, index):
        return {
            entry.item.id: rating
            for entry, rating in zip(index.entries, index.rating, strict=True)
            if entry is not None
        }

    def test_it_is_noted_by_id(self):
        """Unknown ids are passed over, and being recalled says nothing."""
        index = UserIndex.of(2, [stored("tea", id="a"), stored("coffee", id="b")])
        shown = Usage(recalled=9, last_recalled=NOON)
        index.note_usage({"a": self.USED, "b": shown, "gone": self.USED})
        assert self.noted(index) == {"a": -0.5, "b": 0}
        assert sorted(index.ids) == ["a", "b"]

    def test_it_stays_with_a_changed_memory(self):
        """A new text does not begin anew; a memory that was removed does."""
        index = UserIndex.of(2, [stored("tea", id="a"), stored("coffee", id="b")])
        index.note_usage({"a": self.USED, "b": self.USED})
        index.add(stored("green tea", id="a"))
        index.remove("b")
        index.add(stored("coffee", id="b"))
        assert self.noted(index) == {"a": -0.5, "b": 0}

    def test_what_is_lent_is_not_judged_here(self):
        """What its owner said of it stays in the owner's scope."""
        index = UserIndex.of(2, [stored("tea", id="a")])
        index.add_shared(SharedMemories([stored("coffee", id="b")], ALICE, frozenset({"b"})))
        index.note_usage({"a": self.USED, "b": self.USED})
        assert self.noted(index) == {"a": -0.5, "b": 0}

    def test_what_is_put_off_follows_the_memories(self):
        """It goes with them, comes back by compaction, and is nobody's of what is lent."""
        count = 4 * user_index._FEW
        off = Provenance(put_off=("f 0 AAAA e",))
        index = UserIndex.of(2, [marked(stored("tea", id=f"m{n}"), off) for n in range(count)])
        index.add_shared(
            SharedMemories([marked(stored("coffee", id="b"), off)], ALICE, frozenset({"b"}))
        )
        assert len(index.put_off) == count
        for n in range(count // 2):
            index.remove(f"m{n}")
        assert len(index.entries) < count
        assert index.put_off.keys() == {f"m{n}" for n in range(count // 2, count)}
        index.add(stored("tea", id="m200"))
        assert "m200" not in index.put_off

    def test_it_survives_a_compaction(self):
        """Positions change, and the notes move with the memories."""
        count = 4 * user_index._FEW
        index = UserIndex.of(2, [stored("tea", id=f"m{n}") for n in range(count)])
        names = [f"m{n}" for n in range(count)]
        used = {name: Usage(negative=n + 1) for n, name in enumerate(names)}
        index.note_usage(used)
        for name in names[: count // 2]:
            index.remove(name)
        assert len(index.entries) < count
        index.add(stored("more tea", id="m200"))
        assert self.noted(index) == {name: used[name].rating for name in names[count // 2 :]}


def test_of_two_usual_languages_none_depends_on_the_order():
    """A store loads by id: the language of short texts may not depend on which id comes first."""
    told = [stored("El cliente vive en Madrid con su familia."), stored("Der Kunde wohnt in Wien.")]
    usual = {UserIndex.of(2, order).usual_language for order in (told, told[::-1])}
    assert usual == {"de"}


def test_equal_stores_are_ranked_in_equal_order():
    """Ids are chance: whatever order a store loads them in, memories stand as they were written."""
    told = [stored(f"User likes tea with {what}.") for what in ("milk", "salt", "rice")]
    orders = {tuple(each.item.text for each in as_written(order)) for order in permutations(told)}
    assert len(orders) == 1


def test_what_is_told_outlives_a_question():
    """What does not depend on mere questions is found again once something else comes or goes."""
    index, asked = index_of(stored("tea")), iter(range(9))

    def found(text):
        made = stored(text)
        index.add(replace(made, item=replace(made.item, provenance=Provenance(flags=(ASKED,)))))
        return index.once("all", lambda: next(asked), of_told=True)

    # An order may end a wish.
    assert [found(text) for text in ("Tea?", "Which tea?", "Tea, please")] == [0, 0, 1]
    index.remove("tea")
    assert found("Why?") == 2


def test_another_judge_reads_anew():
    """What the one told of the memories is not taken for what the other tells."""
    index = index_of(stored("tea"))
    judge = object()
    index.judge_by(judge)
    index.traits["tea"], index.read[0] = Traits(frozenset({"diet"})), 2
    index.judge_by(judge)
    assert (set(index.traits), index.read.tolist()) == ({"tea"}, [2])
    index.judge_by(object())
    assert (set(index.traits), index.read.tolist()) == (set(), [0])
