"""What a model may do with a fact, and read of it. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..language import stored_terms
from ..language.scanner import without
from ..model.types import EventKind, Source
from ..recall.trait_flags import FIRM
from ..recall.traits import TRAIT, traits_of
from ..trust.quarantine import judge_text

QUARANTINED = "quarantined"


def is_users(shown: Mapping[str, Any]) -> bool:
    """Whether a fact is the user's own word."""
    return not Source(shown["provenance"]["source"]).is_hearsay


_KINDS = ("people.user", f"{TRAIT}allergy")
"""Words that facts of different matters share: most begin with the user."""


def of_one_matter(old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Whether two facts were linked when they were written, or have words in common.

    An allergy, a diet or an illness is ended only by what tells of one too, and of the same:
    "allergic to cats" has no more than the kind in common with "allergic to peanuts".
    """
    first, second = old["provenance"], new["provenance"]
    linked = {*first.get("pending", ()), *second.get("pending", ())}
    if not linked.isdisjoint({old["id"], new["id"]}):
        return True
    if first.get("matter", old["id"]) == second.get("matter", new["id"]):
        return True
    if not traits_of(old["memory"]) & FIRM <= traits_of(new["memory"]):
        return False
    told, meant = (set(stored_terms(without(each["memory"], *_KINDS))) for each in (old, new))
    return not told.isdisjoint(meant)


def without_withheld(rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Rows of a history, oldest first, without the texts that wait for a person. Pure.

    What is quarantined is shown to no model: who planted it would be heard by asking for it. It is
    so as it was added, or by a change of its text.
    """
    believed = {row["new_value"] for row in rows if row["event"] == EventKind.VALIDATE}
    waits = len(rows)
    for at, row in enumerate(rows):
        if row["event"] == EventKind.QUARANTINE:
            waits = min(waits, at)
        elif row["event"] == EventKind.VALIDATE:
            waits = len(rows)

    def is_kept_back(at: int, row: Mapping[str, Any]) -> bool:
        texts = {row["old_value"], row["new_value"]} - believed - {None}
        return at >= waits or any(map(judge_text, texts))

    hidden = {"old_value": None, "new_value": None, "reason": QUARANTINED}
    return [{**row, **hidden} if is_kept_back(at, row) else row for at, row in enumerate(rows)]
