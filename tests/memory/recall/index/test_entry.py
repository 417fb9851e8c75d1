"""What an index ranks: a memory, analysed, and what a user said lately."""

from dataclasses import replace

import numpy as np

from recollect.memory.model.types import Scope
from recollect.memory.recall.index.entry import (
    NO_STATEMENTS,
    Entry,
    RecentStatements,
    is_passage,
)
from recollect.memory.statements.passages import passage
from tests.memory.recall.memories import item
from tests.memory.learn.doubles import ALICE
from tests.memory.recall.test_pinned import index_of
from tests.memory.statements.test_passages import turn


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
