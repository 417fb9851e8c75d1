"""Looking only where something can be finds what looking everywhere finds."""

import re
import sys
from pathlib import Path

import pytest
import regex

from recollect.memory.trust.redact.formats import assignments, identity, tokens
from recollect.memory.trust.redact.formats.openings import (
    Beginnings,
    around,
    branches,
    matches,
    openings,
)
from recollect.memory.trust.redact.formats.view import view
from tests.support.folding import rows

sys.path.insert(0, str(Path(__file__).parents[1]))
from examples import DECOYS, SECRETS
from more_examples import MORE_DECOYS, MORE_SECRETS

TEXTS = [text for text, _ in (*SECRETS, *MORE_SECRETS)] + DECOYS + MORE_DECOYS
WHOLE = "\n".join(TEXTS)


def spans(found):
    return [match.span() for match in found]


def test_openings_are_the_first_letters():
    """Groups, classes, missing parts and what is not known end an opening rightly."""
    assert openings("(?:wi-?fi|wlan) key", 5) == {"wi-fi", "wifi ", "wlan "}
    assert openings(r"\bpins?\w{0,3}x", 4) == {"pin", "pins"}
    assert openings("[ab]c?d", 2) == {"ac", "ad", "bc", "bd"}
    assert openings(r"\w+x", 3) == {""}
    assert branches("a(?:b|c)|d") == ["a(?:b|c)", "d"]


def test_an_open_group_is_an_error():
    """A broken pattern is told when it is read, not silently never found."""
    with pytest.raises(ValueError, match="not closed"):
        openings("a(?:b")


def test_a_gate_knows_where_words_begin():
    """Words are let in at their beginning only, parts anywhere, in order."""
    gate = Beginnings({"pin"}, {"pass"})
    assert gate.starts("pin spin mypass pass", 0, 20) == [0, 11, 16]
    pattern = regex.compile("pin|pass")
    assert spans(matches(pattern, gate, "pin spin mypass pass")) == [(0, 3), (11, 15), (16, 20)]


def test_windows_are_apart_and_within_the_text():
    """Windows that touch are one; none reaches beyond the text."""
    found = re.compile("x")
    assert list(around(found, "x" + "." * 9 + "xx" + "." * 3, 2, 3)) == [(0, 4), (8, 15)]
    assert list(around(found, "....", 2, 3)) == []


@rows("text", [*TEXTS, WHOLE])
def test_prefixes_and_names_are_all_let_in(text):
    """The cheap passes leave out no token and no assignment."""
    seen = view(text)
    gated = matches(tokens._PREFIXED, tokens._GATE, seen.text)
    assert spans(gated) == spans(tokens._PREFIXED.finditer(seen.text))
    names = [
        m
        for m in assignments._NAME.finditer(seen.text)
        if assignments.secret_word(m["name"]) and not seen.text[: m.start()].endswith("${")
    ]
    assert set(spans(names)) <= set(spans(assignments._names(seen.text, seen.low)))


@rows("text", TEXTS)
def test_windows_find_what_the_whole_text_holds(text, monkeypatch):
    """Reading the neighbourhood of digits changes no finding."""
    padded = view("word " * 60 + text + " word" * 60)
    there = list(identity.find_identity(padded))
    with monkeypatch.context() as everywhere:
        everywhere.setattr(identity, "around", lambda _, whole, *__: [(0, len(whole))])
        assert list(identity.find_identity(padded)) == there
