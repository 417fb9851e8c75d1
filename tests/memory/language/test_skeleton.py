"""The file of a new language."""

from dataclasses import fields

from recollect.memory.language import packs
from recollect.memory.language.pack import LanguagePack
from recollect.memory.language.read import SECTIONS, read_pack
from recollect.memory.language.skeleton import skeleton

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
