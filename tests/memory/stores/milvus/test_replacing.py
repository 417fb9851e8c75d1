"""What is there tells how a replacement goes on."""

from __future__ import annotations

import itertools

import pytest

from recollect.memory.model.errors import StoreError
from recollect.memory.stores.milvus.replacing import (
    DropCollection,
    RenameCollection,
    begin,
    unfinished,
)
from tests.support.folding import rows

OLD, NEW = "what was there", "what takes its place"


def done(step, collections):
    """The collections, by name, after a step."""
    after = dict(collections)
    match step:
        case RenameCollection(old, new):
            assert new not in after
            after[new] = after.pop(old)
        case DropCollection(name):
            del after[name]
    return after


def test_replacement_ends_with_the_new_one_alone():
    """Step by step the new takes the old one's name, and the old is removed last."""
    collections = {"m": OLD, "m__reindex": NEW, "other": "x"}
    step = begin("m")
    while step:
        collections = done(step, collections)
        assert NEW in collections.values()
        step = unfinished("m", collections)
    assert collections == {"m": NEW, "other": "x"}


@rows("existing", [set(), {"m"}, {"m", "m__reindex"}, {"m__reindex"}])
def test_what_was_not_begun_is_not_finished(existing):
    """A place that is still being filled is left alone, and takes nobody's place by itself."""
    assert unfinished("m", existing) is None


def test_replacement_by_nothing_is_undone():
    """If the new one is not there the old one gets its name back."""
    assert unfinished("m", {"m__replaced"}) == RenameCollection("m__replaced", "m")


def test_what_cannot_be_told_apart_is_an_error():
    """A third collection in the middle of it is for a person to look at; the error names all."""
    with pytest.raises(StoreError, match=r"m__reindex.*m__replaced"):
        unfinished("m", {"m", "m__reindex", "m__replaced"})


def test_no_step_touches_another_name():
    """Whatever exists, only the three names of this collection are renamed or dropped."""
    names = ["m", "m__reindex", "m__replaced", "mm", "m__"]
    for size in range(len(names) + 1):
        for existing in itertools.combinations(names, size):
            if {"m", "m__reindex", "m__replaced"} <= set(existing):
                continue
            step = unfinished("m", existing)
            touched = {step.old, step.new} if isinstance(step, RenameCollection) else set()
            touched |= {step.name} if isinstance(step, DropCollection) else set()
            assert touched <= {"m", "m__reindex", "m__replaced"}
