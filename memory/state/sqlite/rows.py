"""Shared by the tables: lists of ids, and conditions on the owner of a row."""

from __future__ import annotations

import json
from collections.abc import Sequence

from ...database.rows import named
from ...model.types import OwnerRef


def text_or_none(value: object) -> str | None:
    """A nullable TEXT column."""
    return None if value is None else str(value)


def where_whose(owner_ref: OwnerRef) -> tuple[str, list[object]]:
    """The condition, with its values, for the rows of a tenant or of all that a scope admits.

    The columns are constants, the values are bound.
    """
    values = named(owner_ref)
    return " AND ".join(f"{column} = ?" for column in values), list(values.values())


def id_list(ids: Sequence[str]) -> str:
    """Any number of ids as one value, for ``IN (SELECT value FROM json_each(?))``."""
    return json.dumps(list(ids))
