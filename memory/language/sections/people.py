"""Who is spoken of."""

from __future__ import annotations

from dataclasses import dataclass

from ..fields import Named, Terms, named, terms


@dataclass(frozen=True, slots=True, kw_only=True)
class People:
    """Who is spoken of."""

    self_: Terms = terms("First person.")
    kin: Named = named("People and animals of somebody, by their relation.")
