"""Which mention is which known entity."""

import random
import sys
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.graph.reading import read
from recollect.memory.graph.resolving import resolve
from recollect.memory.model.graph import Entity, KnownEntity
from recollect.memory.model.types import Scope
from tests.support.folding import rows

OWNER = Scope(tenant="t", user_id="u")
FIRST = datetime(2026, 1, 1, tzinfo=UTC)


class Graph:
    """Entities in memory, linked as the linker does."""

    def __init__(self):
        self.kinds, self.keys, self.roots, self.names = {}, {}, {}, {}

    def add(self, text):
        """Link a text; the entity of each name and description in it."""
        reading = read(text)
        found = resolve(reading, self.known())
        said = {}
        for mention, one in zip(reading.mentions, found, strict=True):
            if one.dropped:
                continue
            at = one.entity_id or f"e{len(self.keys):03}"
            self.kinds.setdefault(at, mention.kind)
            self.names.setdefault(at, mention.name)
            self.keys.setdefault(at, set()).update(mention.keys)
            for merge in one.merges:
                self.roots[merge.entity_id] = self.root(at)
            said |= {surface.text: at for surface in mention.surfaces}
        return said

    def root(self, at):
        return self.roots.get(at, at)

    def known(self):
        return [
            KnownEntity(
                entity=Entity(
                    id=at,
                    owner=OWNER,
                    kind=self.kinds[at],
                    name=self.names[at],
                    key=min(keys),
                    created_at=FIRST + timedelta(seconds=int(at[1:])),
                    merged_into=self.roots.get(at),
                ),
                aliases=(),
                memories=1,
                keys=frozenset(keys),
            )
            for at, keys in self.keys.items()
        ]


def same(*texts, one, other=None):
    """Whether what the first text calls so is what the last one calls so."""
    graph = Graph()
    said = [graph.add(text) for text in texts]
    ends = said[0][one], said[-1][other or one]
    return graph.root(ends[0]) == graph.root(ends[1])


@rows(
    "first, second, one, other",
    [
        ("I met Anna", "We saw Anna", "Anna", "Anna"),
        ("My sister Anna is a vet", "Anna got a van", "Anna", "Anna"),
        ("I lost to Ottoline Marsh", "Ottoline goes for it", "Ottoline Marsh", "Ottoline"),
        ("I rent from Mr Szabo", "Szabo wants the rent", "Mr Szabo", "Szabo"),
        ("Katherine teaches us", "I owe Catherine money", "Katherine", "Catherine"),
        ("My sister is ill", "My sister Anna is a vet", "My sister", "Anna"),
        ("My sister Anna is a vet", "I saw my sister", "Anna", "my sister"),
        ("Мария поёт", "I met Maria", "Мария", "Maria"),
        ("我姐姐李娜住在柏林", "李娜喜欢喝红茶", "李娜", "李娜"),
        ("Mi jefe es Rodrigo Peña", "Mi jefe viaja", "Rodrigo Peña", "Mi jefe"),
    ],
)
def test_the_same_one_is_found(first, second, one, other):
    """By its name, a part of it, another spelling, or what it is to the user."""
    assert same(first, second, one=one, other=other)


@rows(
    "first, second, one, other",
    [
        ("My sister Anna sings", "My colleague Anna sings", "Anna", "Anna"),
        ("Tom Hale called", "Tom Reyes called", "Tom Hale", "Tom Reyes"),
        ("My sister sings", "My sister's husband sings", "My sister", "My sister's husband"),
        (
            "My older sister is ill",
            "My younger sister is ill",
            "My older sister",
            "My younger sister",
        ),
        ("Mr Plumb is kind", "Mrs Plumb is kind", "Mr Plumb", "Mrs Plumb"),
        ("Herr Weber singt", "Frau Weber singt", "Herr Weber", "Frau Weber"),
        ("M. Gaudin chante", "Mme Gaudin chante", "M. Gaudin", "Mme Gaudin"),
        ("I live in Jordan", "My friend Jordan sings", "Jordan", "Jordan"),
        ("We flew to Austin", "My nephew Austin sings", "Austin", "Austin"),
        ("We ran the Berlin Marathon", "I live in Berlin", "Berlin Marathon", "Berlin"),
        ("Maria sings", "Mario sings", "Maria", "Mario"),
    ],
)
def test_what_a_text_tells_apart_stays_apart(first, second, one, other):
    """By what they are to the user, full names, titles, kinds, and vowels."""
    assert not same(first, second, one=one, other=other)


def test_two_of_one_name_are_not_guessed():
    """A third "Sam" is a new one each time, and nothing is merged."""
    graph = Graph()
    known = [graph.add("Sam Carter fixes teeth"), graph.add("Sam Okoro lives upstairs")]
    sams = {each[name] for each in known for name in each}
    third, fourth = graph.add("Sam is late")["Sam"], graph.add("Sam hates fish")["Sam"]
    assert len({*sams, third, fourth}) == 4
    assert graph.roots == {}
    reading = read("Sam is late")
    assert [one.reason for one in resolve(reading, graph.known())] == ["ambiguous"]


def test_a_description_becomes_another_name_of_whom_it_names():
    """Two that were known are one by the words "my sister Anna", and the merge tells why."""
    graph = Graph()
    sister, anna = graph.add("My sister is ill")["My sister"], graph.add("I met Anna")["Anna"]
    assert sister != anna
    one = resolve(read("My sister Anna is a vet"), graph.known())[0]
    assert one.entity_id == anna
    assert [(each.entity_id, each.by) for each in one.merges] == [(sister, "alias")]
    assert 0 < one.merges[0].score <= 1
    graph.add("My sister Anna is a vet")
    # A mention is linked to the member that is called so, so that the merge can be undone.
    assert graph.add("I saw my sister")["my sister"] in {sister, anna}
    assert graph.add("I saw Anna")["Anna"] == anna


NAMES = ("Anna", "Anna Schmidt", "Anna Kunz", "my sister", "my sister Anna", "Mr Kunz", "Berlin")
TEXTS = st.lists(st.sampled_from(NAMES), min_size=1, max_size=6).map(
    lambda names: [f"We saw {name} in Rome" for name in names]
)


@given(TEXTS, st.randoms(use_true_random=False))
def test_the_order_of_what_is_known_does_not_matter(texts, chance: random.Random):
    """Nor does it matter how often it is asked."""
    graph = Graph()
    for text in texts:
        graph.add(text)
    known = graph.known()
    shuffled = chance.sample(known, len(known))
    for name in NAMES:
        reading = read(f"I saw {name}")
        assert resolve(reading, known) == resolve(reading, shuffled) == resolve(reading, known)


@given(st.lists(st.text(max_size=40), max_size=5), st.text(max_size=40))
def test_any_text_is_resolved(texts, last):
    """No known entity is taken twice, and none that is unknown."""
    graph = Graph()
    for text in texts:
        graph.add(text)
    found = resolve(read(last), graph.known())
    ids = [one.entity_id for one in found if one.entity_id is not None]
    assert len(ids) == len(set(ids))
    assert set(ids) <= set(graph.keys)
    assert all(one.merges == () for one in found if one.entity_id is None)


def test_an_entity_with_thousands_of_names_is_compared_in_their_number():
    """Ten times the names take ten times the calls, and not a hundred."""

    def calls(number):
        graph = Graph()
        graph.add("I met Anna")
        (at,) = graph.keys
        graph.keys[at].update(f"anna number{one}" for one in range(number))
        known, reading, seen = graph.known(), read("I met Anna"), []
        resolve(reading, known)
        sys.setprofile(lambda *_: seen.append(1))
        try:
            resolve(reading, known)
        finally:
            sys.setprofile(None)
        return len(seen)

    assert calls(10_000) < 15 * calls(1_000)
