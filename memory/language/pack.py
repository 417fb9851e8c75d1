"""One language: its header and its sections."""

from __future__ import annotations

from dataclasses import Field, dataclass, field, fields, replace
from typing import Any, TypeVar

from .scripts import BLOCKS
from .sections import (
    Calendar,
    ChangeCues,
    ForgetCues,
    FrequentWords,
    People,
    Person,
    Planting,
    Requests,
    Secrets,
    TurnCues,
)
from .syntax import Kind

_T = TypeVar("_T")

SCRIPTS = frozenset({*BLOCKS, "any"})
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
    turns: TurnCues = field(default_factory=TurnCues)
    person: Person = field(default_factory=Person)
    forget: ForgetCues = field(default_factory=ForgetCues)


def extended(base: LanguagePack, more: LanguagePack) -> LanguagePack:
    """`base` with the terms of `more`; of lists that are ordered (months), those of `more`."""
    return replace(
        base,
        name=more.name,
        **{
            section.name: _together(getattr(base, section.name), getattr(more, section.name))
            for section in fields(base)
            if section.type not in {"str", str}
        },
    )


def _together(base: Any, more: Any) -> Any:
    return replace(
        base,
        **{f.name: _joined(getattr(base, f.name), getattr(more, f.name), f) for f in fields(base)},
    )


def _joined(base: Any, more: Any, spec: Field[Any]) -> Any:
    if not more:
        return base
    match spec.metadata["kind"]:
        case Kind.TERMS:
            return _union(base, more)
        case Kind.NAMED:
            return {n: _union(base.get(n, ()), more.get(n, ())) for n in {**base, **more}}
        case Kind.ROWS if not spec.metadata["ordered"]:
            return _union(base, more)
    return more


def _union(base: tuple[_T, ...], more: tuple[_T, ...]) -> tuple[_T, ...]:
    return tuple(dict.fromkeys((*base, *more)))
