"""One language: its header and its sections."""

from __future__ import annotations

from dataclasses import dataclass, field

from .sections import Calendar, ChangeCues, FrequentWords, People, Planting, Requests, Secrets

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
    words: FrequentWords = field(default_factory=FrequentWords)
    calendar: Calendar = field(default_factory=Calendar)
    people: People = field(default_factory=People)
    requests: Requests = field(default_factory=Requests)
    changes: ChangeCues = field(default_factory=ChangeCues)
    planting: Planting = field(default_factory=Planting)
    secrets: Secrets = field(default_factory=Secrets)
