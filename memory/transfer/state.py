"""The state of an import: what a later run needs to go on, and what people are told. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from enum import StrEnum
from typing import Any, TypedDict, cast

from .lines import Header

MOST_REFUSALS = 20
"""Refused lines that are named; all are counted."""


class EmbedWhen(StrEnum):
    """Which imported rows are embedded here."""

    MISSING = "missing"
    """Rows without a vector of this embedder."""
    NEVER = "never"
    """No row: a file that needs it is refused."""
    ALWAYS = "always"


class OnError(StrEnum):
    """What an import does at a line that it cannot read."""

    STOP = "stop"
    """It ends; the lines before were imported."""
    SKIP = "skip"
    """It leaves the line out, and names it in the result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportOptions:
    """How rows are imported."""

    keep_ids: bool = False
    """Whether rows keep their ids without a seal, unless another tenant has one. For operators."""
    embed: EmbedWhen = EmbedWhen.MISSING
    on_error: OnError = OnError.STOP


class ImportedDict(TypedDict):
    """The result of an import, in rows: memories and their earlier versions."""

    read: int
    added: int
    updated: int
    """There already, in an earlier version."""
    same: int
    """There already as they are in the file."""
    kept: int
    """There already in the same or a later version, which stays."""
    forgotten: int
    """Forgotten or deleted here, so that they do not come back."""
    quarantined: int
    """Suspicious ones among those that were read."""
    renamed: int
    """Those that were read and got a new id."""
    embedded: int
    refused: int
    """Lines that were left out."""
    refusals: list[str]
    """The first of them: the number, the field, and what was expected."""


@dataclass(slots=True, kw_only=True)
class ImportCounts:
    """See `ImportedDict`."""

    read: int = 0
    added: int = 0
    updated: int = 0
    same: int = 0
    kept: int = 0
    forgotten: int = 0
    quarantined: int = 0
    renamed: int = 0
    embedded: int = 0
    refused: int = 0
    refusals: list[str] = field(default_factory=list)

    def refuse(self, why: str) -> None:
        """Count a line that is left out."""
        self.refused += 1
        if len(self.refusals) < MOST_REFUSALS:
            self.refusals.append(why)

    def add(self, other: ImportCounts) -> None:
        """Count what another one counted too."""
        for each in fields(self):
            if each.name != "refusals":
                setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))
        self.refusals += other.refusals[: MOST_REFUSALS - len(self.refusals)]

    def as_dict(self) -> ImportedDict:
        """As JSON values."""
        return cast("ImportedDict", asdict(self))


@dataclass(slots=True, kw_only=True)
class ImportState:
    """Where an import is in its file."""

    line: int = 0
    position: int = 0
    """In bytes."""
    header: Header | None = None
    in_part: int = 0
    """Rows since the header."""
    ended: bool = False
    """Whether the last line was the end of a part."""
    counts: ImportCounts = field(default_factory=ImportCounts)

    def as_dict(self) -> dict[str, Any]:
        """As JSON values, for `from_dict`."""
        header = None if self.header is None else self.header.as_dict()
        return {**asdict(self), "header": header}

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> ImportState:
        """Of `as_dict`. Raises KeyError, TypeError."""
        header = value["header"]
        if header is not None:
            names = ("embedder", "dim", "vectors", "format")
            header = Header(**{name: header[name] for name in names})
        return cls(**{**value, "header": header, "counts": ImportCounts(**value["counts"])})
