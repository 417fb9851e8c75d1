"""What holds for every section."""

from dataclasses import fields

from recollect.memory.language.fields import Kind
from recollect.memory.language.pack import LanguagePack

SECTIONS = [each for each in fields(LanguagePack) if each.name not in {"code", "name", "script"}]


def test_every_field_has_a_kind():
    """A plain default could not be read from a file."""
    for section in SECTIONS:
        for field in fields(section.default_factory()):
            assert isinstance(field.metadata["kind"], Kind), f"{section.name}.{field.name}"
