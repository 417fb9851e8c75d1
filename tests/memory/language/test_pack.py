"""One language."""

from dataclasses import fields

from recollect.memory.language import packs
from recollect.memory.language.pack import SCRIPTS, LanguagePack, extended
from recollect.memory.language.read import read_pack


def test_every_shipped_language_has_a_known_script():
    """The file's name, the header and the sections agree."""
    assert {pack.script for pack in packs().values()} <= SCRIPTS
    assert all(code == pack.code for code, pack in packs().items())
    assert all(len(fields(pack)) == len(fields(LanguagePack)) for pack in packs().values())


def test_a_pack_is_extended():
    """Terms and names are joined; lists in order are replaced; what is not given stays."""
    head = 'code = "xx"\nname = "{}"\nscript = "latin"\n'
    months = "\n".join(map(str, range(12)))
    base = read_pack(
        head.format("One")
        + f"[words]\nstop = 'a, b'\n[calendar]\nmonths = '''{months}'''\nunits.day = 'm'\n",
        "xx.toml",
    )
    more = read_pack(
        head.format("Two")
        + "[words]\nstop = 'c, a'\nirregular = 'go, went'\n[calendar.units]\nday = 'n'\nweek = 's'\n",
        "xx.toml",
    )
    both = extended(base, more)
    assert (both.code, both.name) == ("xx", "Two")
    assert both.words.stop == ("a", "b", "c")
    assert both.calendar.units == {"day": ("m", "n"), "week": ("s",)}
    assert both.calendar.months == base.calendar.months
    assert both.words.irregular == (("go", "went"),)
    assert extended(both, more) == both
    assert extended(more, base).calendar.months == base.calendar.months
