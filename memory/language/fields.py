"""The kinds of values that a pack's sections hold; `syntax` says how terms are written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import cast

Terms = tuple[str, ...]
"""Words and phrases, in the order of the file."""
Rows = tuple[Terms, ...]
"""One line each: an ordered list such as the months, or groups of words. "-" is a row of none."""
Named = Mapping[str, Terms]
"""Terms by a name."""


class Kind(StrEnum):
    """How a value is written."""

    TERMS = "terms"
    ROWS = "rows"
    NAMED = "named"
    FLAG = "flag"


def terms(doc: str) -> Terms:
    """A field of terms; `doc` says what they mean, for the reference and the skeleton."""
    return cast("Terms", field(default=(), metadata={"kind": Kind.TERMS, "doc": doc}))


def rows(doc: str, size: int | None = None, *, ordered: bool = True) -> Rows:
    """A field of rows, of which there are exactly `size` unless there are none.

    To rows without an order a pack of one's own can add some; others it replaces.
    """
    about = {"kind": Kind.ROWS, "doc": doc, "size": size, "ordered": ordered}
    return cast("Rows", field(default=(), metadata=about))


def named(doc: str, names: frozenset[str] | None = None) -> Named:
    """A field of terms by name; only `names` are known, if given."""
    about = {"kind": Kind.NAMED, "doc": doc, "names": names}
    return cast("Named", field(default_factory=dict, metadata=about))


def flag(doc: str) -> bool:
    """A field that is true or false; false by default."""
    return field(default=False, metadata={"kind": Kind.FLAG, "doc": doc})
