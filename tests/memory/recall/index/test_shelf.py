"""What a user said, beside their memories in one index."""

from dataclasses import replace

import numpy as np

from recollect.memory.model.types import Scope
from recollect.memory.recall.index.shelf import EMPTY, NoShelves, Shelf, is_passage
from recollect.memory.statements.passages import passage
from tests.memory.recall.profile.test_lines import ALICE, index_of
from tests.memory.statements.test_passages import turn


def said(text, number=0):
    return passage(turn(text), number, text, embedder_id="e", learned=False)


def test_an_index_hosts_a_shelf():
    """Passages come and go with it; memories stay."""
    index = index_of("User lives in Oslo")
    one, other = said("I like tea"), said("I like rye", 1)
    index.host(Shelf((one, other)))
    assert len(index) == 3
    assert index.said.tolist() == [False, True, True]
    index.host(Shelf((other,)))
    assert [entry.item.text for entry in index.entries if entry] == [
        "User lives in Oslo",
        "I like rye",
    ]
    index.host(EMPTY)
    assert len(index) == 1


def test_a_vector_that_comes_later_is_taken_over():
    """Until then words find the passage."""
    index = index_of("User lives in Oslo")
    one = said("I like tea")
    index.host(Shelf((one,)))
    index.host(Shelf((replace(one, vector=np.array([0.0, 1.0], np.float32)),)))
    at = index.said.nonzero()[0][-1]
    assert index.vectors.row(at).tolist() == [0.0, 1.0]


async def test_contradictions_are_of_the_scope():
    """What another agent's turn speaks against is not hidden here."""
    shelf = Shelf((replace(said("I like tea"), over=frozenset({"m"})),))
    assert shelf.contradicted(ALICE) == {"m"}
    assert shelf.contradicted(Scope(tenant="local", user_id="alice", agent_id="x")) == frozenset()
    assert await NoShelves().get(ALICE) is EMPTY
    assert is_passage(shelf.passages[0].item.id)
