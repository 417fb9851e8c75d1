"""Labelled pairs."""

import json

import pytest

from recollect.memory.calibration import Label, Pair, check_counts, parse_pairs
from recollect.memory.model.errors import InvalidInputError
from tests.support.folding import rows

RECALL = {"query": "where?", "memory": "in Oslo", "relevant": True}
CHANGE = {"old": "in Oslo", "new": "in Bergen", "same": "update"}


def parse(*rows):
    return parse_pairs([row if isinstance(row, str) else json.dumps(row) for row in rows])


def test_both_kinds_of_rows():
    """Each label has its spelling; blank lines and other fields are passed over."""
    pairs = parse(
        RECALL,
        RECALL | {"relevant": False, "note": 1},
        "",
        "  \r",
        CHANGE,
        CHANGE | {"same": True},
        CHANGE | {"same": False},
    )
    assert [pair.label for pair in pairs] == [
        Label.RELEVANT,
        Label.UNRELATED,
        Label.UPDATE,
        Label.SAME,
        Label.DIFFERENT,
    ]
    assert pairs[0] == Pair("where?", "in Oslo", Label.RELEVANT)
    assert pairs[2] == Pair("in Oslo", "in Bergen", Label.UPDATE)


@rows(
    "row, field",
    [
        ("{", "line 3"),
        ("[]", "line 3"),
        ("1", "line 3"),
        ("[" * 100_000, "line 3"),
        ({}, "line 3"),
        (RECALL | CHANGE, "line 3"),
        (RECALL | {"query": " "}, "line 3: query"),
        (RECALL | {"query": 7}, "line 3: query"),
        ({"query": "q", "relevant": True}, "line 3: memory"),
        ({"query": "q", "memory": "m"}, "line 3: relevant"),
        (RECALL | {"relevant": 1}, "line 3: relevant"),
        (RECALL | {"relevant": "yes"}, "line 3: relevant"),
        (RECALL | {"relevant": [True]}, "line 3: relevant"),
        (CHANGE | {"old": None}, "line 3: old"),
        (CHANGE | {"new": ""}, "line 3: new"),
        (CHANGE | {"same": "no"}, "line 3: same"),
        (CHANGE | {"same": 0}, "line 3: same"),
    ],
)
def test_bad_rows(row, field):
    """A row that cannot be used is refused by its line and field."""
    with pytest.raises(InvalidInputError) as caught:
        parse(RECALL, "", row)
    assert caught.value.field == field


def pairs_of(**counts):
    return [Pair("a", "b", Label(label)) for label, n in counts.items() for _ in range(n)]


@rows(
    "counts, field",
    [
        ({}, "rows"),
        ({"relevant": 20, "unrelated": 19}, '"relevant": false'),
        ({"relevant": 20}, '"relevant": false'),
        ({"unrelated": 20}, '"relevant": true'),
        ({"relevant": 20, "unrelated": 20, "same": 1}, '"same": true'),
        ({"same": 20, "different": 20}, '"same": "update"'),
        ({"same": 20, "update": 20, "different": 3}, '"same": false'),
    ],
)
def test_too_few_rows(counts, field):
    """The label that is short of rows is named as it is written in the file."""
    with pytest.raises(InvalidInputError) as caught:
        check_counts(pairs_of(**counts))
    assert caught.value.field == field
