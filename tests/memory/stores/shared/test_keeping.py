"""What collections are for, what is asked of a store to look after them, and how filters are narrowed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.memory.model.errors import InvalidInputError
from recollect.memory.model.filters import EVERYTHING, AllOf, AnyOf, Not
from recollect.memory.model.kept import CollectionPart, KeptCollection
from recollect.memory.query import parse
from recollect.memory.query.narrowing import Narrowed, narrowed
from recollect.memory.stores import ChromaStoreOptions, InMemoryStoreOptions, open_collections
from recollect.memory.stores.shared.keeping import Labelled, ShelfCollections, part_of
from recollect.memory.stores.shared.noting import note, noted
from recollect.memory.stores.shared.points import rank_of
from tests.support.budget import examples
from tests.support.folding import rows


class Shelf:
    """A shelf of names that notes what is removed."""

    def __init__(self, *names):
        self.names = {name: Labelled("fake", 8, CollectionPart.OTHER) for name in names}
        self.counted = []

    async def labels(self):
        return self.names

    async def count(self, name):
        self.counted.append(name)
        return 5

    async def make(self, name, embedder_id, dim):
        self.names[name] = Labelled(embedder_id, dim, CollectionPart.OTHER)

    async def remove(self, name, part):
        del self.names[name]

    async def close(self):
        self.names = {}


def test_the_configured_one_is_in_use_whatever_its_name_ends_with():
    """Nobody is told that a store in use was left behind; the suffix alone is no reindex's name."""
    for name in ("a_next", "next"):
        assert part_of(name, name, {"_next": CollectionPart.TARGET}) is CollectionPart.USED
    assert part_of("next", "mine", {"_next": CollectionPart.TARGET}) is CollectionPart.OTHER


async def test_they_are_listed_by_name_and_only_one_is_counted_if_one_is_asked_for():
    """Counting may take long."""
    shelf = Shelf("b", "a")
    collections = ShelfCollections(shelf, ChromaStoreOptions())
    assert [one.name for one in await collections.list()] == ["a", "b"]
    shelf.counted.clear()
    assert await collections.info("b") == KeptCollection("b", "fake", 8, 5, CollectionPart.OTHER)
    assert shelf.counted == ["b"]


async def test_a_bad_name_is_told_without_the_credential():
    """The options are checked with the new name, and their secrets stay out of the error."""
    options = ChromaStoreOptions.model_validate({"uri": "http://h:1", "token": "s3cret"})
    with pytest.raises(InvalidInputError, match="collection") as told:
        await ShelfCollections(Shelf(), options).create("no spaces", "fake", 8)
    assert "s3cret" not in str(told.value)


async def test_a_store_that_keeps_nothing_has_none():
    """The error names the setting."""
    with pytest.raises(InvalidInputError, match=r"store\.backend"):
        await open_collections(InMemoryStoreOptions())


def test_a_note_beside_a_folder_is_read_as_it_was_written(tmp_path):
    """The last note counts; a folder without one, and one that is damaged, tell nothing."""
    assert noted(tmp_path) is None
    note(tmp_path, "a/model", 8)
    note(tmp_path, "other@1", 9)
    assert noted(tmp_path) == ("other@1", 9)
    (tmp_path / "recollect-embedder.json").write_text("{")
    assert noted(tmp_path) is None
    assert noted(None) is None
    note(None, "a", 1)


class FewWords:
    """A language that can only compare the type."""

    def never(self):
        return "never"

    def every(self, parts):
        return "(" + "&".join(parts) + ")"

    def some(self, parts):
        return "(" + "|".join(parts) + ")"

    def condition(self, found, *, negated):
        if found.field.name != "type":
            return Narrowed(None, exact=False)
        return Narrowed(f"{'!' if negated else ''}{found.operator}", exact=True)


A, OTHER = parse({"type": ["semantic"]}), parse({"tag": "work"})
NOT_A = parse({"type": {"nin": ["semantic"]}})


@rows(
    "found, expected",
    [
        (A, ("in", True)),
        (NOT_A, ("!in", True)),
        (Not(NOT_A), ("in", True)),
        (AllOf((A, A)), ("(in&in)", True)),
        (Not(AllOf((A, A))), ("(!in|!in)", True)),
        (Not(AnyOf((A, A))), ("(!in&!in)", True)),
        (EVERYTHING, (None, True)),
        (Not(EVERYTHING), ("never", True)),
        # What cannot be said is left out where less is asked, and gives up where more would be.
        (OTHER, (None, False)),
        (AllOf((A, OTHER)), ("(in)", False)),
        (AnyOf((A, OTHER)), (None, False)),
        (Not(AnyOf((A, OTHER))), ("(!in)", False)),
        (Not(AllOf((A, OTHER))), (None, False)),
    ],
)
def test_it_admits_at_least_what_the_filter_does(found, expected):
    """And it says whether it admits nothing else."""
    assert narrowed(found, FewWords()) == expected


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)


@settings(max_examples=examples(100))
@given(TEXTS, TEXTS)
def test_ranks_order_as_ids_do(one, other):
    """A smaller id never has a larger rank, and every rank is exact as a float."""
    assert (rank_of(one) <= rank_of(other)) or one > other
    assert int(float(rank_of(one))) == rank_of(one) < 2**48
