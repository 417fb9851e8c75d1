"""Patterns that are compiled when they are first used."""

import pytest
import regex

from recollect.memory.engine import engine
from recollect.memory.util import lazy_regex


@pytest.fixture
def compiled(monkeypatch):
    """The patterns that are compiled from now on."""
    known, real = [], regex.compile

    def noted(pattern, flags=0):
        known.append(pattern)
        return real(pattern, flags)

    monkeypatch.setattr(regex, "compile", noted)
    return known


def test_a_pattern_is_compiled_once_and_when_it_is_used(compiled):
    """Then it is as the library's, with its flags."""
    pattern = lazy_regex.compile(r"(?<name>tea)\b", lazy_regex.IGNORECASE)
    assert compiled == []
    assert pattern.search("Some TEA")["name"] == "TEA"
    assert pattern.sub("milk", "tea") == "milk"
    assert pattern.groupindex == {"name": 1}
    assert pattern.fullmatch("teapot") is None
    assert compiled == [r"(?<name>tea)\b"]


def test_all_can_be_compiled_before_they_are_used(compiled):
    """Those of the whole engine are patterns; afterwards none is left."""
    assert engine.Engine
    lazy_regex.compile("a1")
    lazy_regex.compile_all()
    assert "a1" in compiled
    compiled.clear()
    lazy_regex.compile_all()
    assert compiled == []
