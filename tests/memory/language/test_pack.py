"""One language."""

from dataclasses import fields

from recollect.memory.language import packs
from recollect.memory.language.pack import SCRIPTS, LanguagePack


def test_a_language_needs_nothing_but_its_header():
    """Every section may be left out."""
    empty = LanguagePack(code="xx", name="Example", script="latin")
    assert empty.calendar.months == ()
    assert empty.people.kin == {}


def test_every_shipped_language_has_a_known_script():
    """The file's name, the header and the sections agree."""
    assert {pack.script for pack in packs().values()} <= SCRIPTS
    assert all(code == pack.code for code, pack in packs().items())
    assert all(len(fields(pack)) == len(fields(LanguagePack)) for pack in packs().values())
