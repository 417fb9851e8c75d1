"""One language: its header and its sections."""

from __future__ import annotations

from dataclasses import dataclass, field

from .sections import Calendar, Changes, People, Planting, Requests, Secrets, Words

SCRIPTS = frozenset(
    ["latin", "cyrillic", "arabic", "devanagari", "han", "kana", "hangul", "greek", "any"]
)
"""Scripts that a pack can name; "any" is for terms that are written the same everywhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguagePack:
    """One file of `packs/`. A language without a section reads nothing by it."""

    code: str
    """ISO 639-1."""
    name: str
    """In English."""
    script: str
    """One of `SCRIPTS`: what most of its words are written in."""
    words: Words = field(default_factory=Words)
    calendar: Calendar = field(default_factory=Calendar)
    people: People = field(default_factory=People)
    requests: Requests = field(default_factory=Requests)
    changes: Changes = field(default_factory=Changes)
    planting: Planting = field(default_factory=Planting)
    secrets: Secrets = field(default_factory=Secrets)
