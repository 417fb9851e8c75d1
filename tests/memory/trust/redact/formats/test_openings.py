"""Looking only where something can be finds what looking everywhere finds."""

import re
import sys
from pathlib import Path

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.memory.trust.redact.formats import assignments, tokens
from recollect.memory.trust.redact.formats.openings import (
    Beginnings,
    around,
    branches,
    matches,
    openings,
)
from recollect.memory.trust.redact.formats.view import view
from recollect.memory.trust.redact.told import identity, nouns, places
from tests.support.budget import examples
from tests.support.findings import find_secrets
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
def test_nouns_and_prefixes_are_all_let_in(text):
    """The cheap passes leave out no noun, no document's name, no token, no assignment."""
    low = view(text).low
    plain = view(text).text
    assert spans(nouns.find_nouns(low)) == spans(nouns.NOUNS.finditer(low))
    said = matches(identity._SAID, identity._SAID_GATE, low)
    assert spans(said) == spans(identity._SAID.finditer(low))
    gated = matches(tokens._PREFIXED, tokens._GATE, plain)
    assert spans(gated) == spans(tokens._PREFIXED.finditer(plain))
    names = [
        m
        for m in assignments._NAME.finditer(plain)
        if assignments.secret_word(m["name"]) and not plain[: m.start()].endswith("${")
    ]
    assert set(spans(names)) <= set(spans(assignments._names(plain, low)))


@settings(max_examples=examples(200), deadline=None)
@given(st.lists(st.one_of(st.sampled_from(TEXTS), st.text(max_size=6)), max_size=6).map("".join))
def test_nouns_of_any_text_are_let_in(text):
    """Also where texts run into one another."""
    low = view(text).low
    assert spans(nouns.find_nouns(low)) == spans(nouns.NOUNS.finditer(low))


@rows("text", TEXTS)
def test_windows_find_what_the_whole_text_holds(text, monkeypatch):
    """Reading the neighbourhood of digits, and passing over dull words, changes no finding."""
    padded = "word " * 60 + text + " word" * 60
    there = find_secrets(padded), list(identity.find_identity(view(padded)))
    with monkeypatch.context() as everywhere:
        everywhere.setattr(identity, "around", lambda _, whole, *__: [(0, len(whole))])
        everywhere.setattr(places, "_is_dull", lambda *_: False)
        assert (find_secrets(padded), list(identity.find_identity(view(padded)))) == there
