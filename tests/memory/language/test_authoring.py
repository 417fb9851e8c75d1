"""The file of a new language, and what a file lacks."""

from __future__ import annotations

from dataclasses import fields, replace

from recollect.memory.language import packs
from recollect.memory.language.authoring import (
    MODEL,
    review,
    skeleton,
)
from recollect.memory.language.pack import LanguagePack
from recollect.memory.language.read import SECTIONS, read_pack
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)

TEXT = skeleton("xx", "Example", "greek", packs()["en"])


def test_it_is_a_pack_without_words():
    """Whoever fills in one field has a file that works."""
    empty = LanguagePack(code="xx", name="Example", script="greek")
    read = read_pack(TEXT, "xx.toml")
    for section in SECTIONS:
        for field in fields(getattr(read, section)):
            value = getattr(getattr(read, section), field.name)
            assert not any(value.values()) if isinstance(value, dict) else not value
    assert (read.code, read.name, read.script) == (empty.code, empty.name, empty.script)


def test_every_field_is_there_with_its_meaning():
    """And with what English has; no line is longer than ours."""
    for section in SECTIONS:
        assert f"\n[{section}]\n" in TEXT
        for field in fields(getattr(packs()["en"], section)):
            value = getattr(getattr(packs()["en"], section), field.name)
            assert f"\n{field.name}" in TEXT or value == {}
            assert field.metadata["doc"].split(" ")[0] in TEXT
    assert "# English: a, an, the, " in TEXT
    assert max(map(len, TEXT.splitlines())) <= 100


HEADER = 'code = "xx"\nname = "Example"\nscript = "latin"\n'


def reviewed(text):
    return review(read_pack(HEADER + text, "xx.toml"), packs())


def test_the_model_lacks_nothing():
    """What is compared with it would say nothing otherwise."""
    assert review(packs()[MODEL], packs()).missing == {}


def test_what_english_has_is_missing():
    """By section; flags are no words, and terms of every language need no field."""
    found = reviewed("[words]\nstop = 'zzq'\n")
    assert found.terms["words"] == 1
    assert "stop" not in found.missing["words"]
    assert {"common", "irregular"} <= set(found.missing["words"])
    assert "kin" in reviewed("[people]\nkin = ''\n").missing["people"]
    assert "accents_left_out" not in found.missing["words"]
    everywhere = replace(LanguagePack(code="xx", name="X", script="any"))
    assert review(everywhere, packs()).missing == {}


@rows("text, said", ROWS["collisions"])
def test_collisions(text, said):
    """Each is one line; a word with and without accents is none among stop words."""
    found = reviewed(text).collisions
    assert len(found) == len(said)
    assert all(line.startswith(start) for line, start in zip(found, said, strict=True))
