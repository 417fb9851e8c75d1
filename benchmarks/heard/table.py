"""The figures that are printed, each beside what it must not be bought with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..relevance.table import Figure

CLASSES = (
    "lists", "forms", "values", "material", "envelopes", "long", "numbered", "yesno", "inside",
    "fragments", "third", "voice",
)  # fmt: skip
"""Of rows that must be shown, by what is written in a row."""
KINDS = ("order", "heartbeat", "diff", "json", "talk", "question")
"""Of noise."""

FIGURES: Mapping[str, Sequence[Figure]] = {
    "kept": [
        Figure("kept shown", "told and asked, all classes: shown", ">= 95 %"),
        Figure("kept there", "the same: kept, shown or not"),
        *(
            Figure(f"kept {name} {seen}", f"{name}: {title}", goal)
            for seen, title, goal in (("shown", "shown", ">= 90 %"), ("there", "kept", ""))
            for name in CLASSES
        ),
        Figure("kept foreign", "somebody else's word, shown as the user's", "0"),
        Figure("kept foreign there", "somebody else's word, kept"),
        Figure("pasted shown", "question about what was pasted: shown"),
        Figure("pasted as own", "question about what was pasted: shown as the user's word", "0"),
        Figure("kept stranger", "question of a neighbour: given a line"),
        Figure("kept lines", "lines of a question"),
        Figure("kept characters", "characters of a question's lines"),
        Figure("size passages", "passages of a message"),
        Figure("size kept", "characters kept of one that was said"),
    ],
    "noise": [
        Figure("noise shown", "noise, for a question that it does not answer: shown", "<= 2 %"),
        Figure("noise again", "noise, for the same again: shown", "0"),
        *(Figure(f"noise {kind} shown", f"{kind}, for a question: shown") for kind in KINDS),
        *(Figure(f"noise {kind} again", f"{kind}, for the same again: shown") for kind in KINDS),
    ],
    "glued": [
        Figure("glued", "unrelated message in one line with the one before", "0"),
        Figure("glued first", "the one before is shown, in whatever line"),
        Figure("glued shown", "what was asked for is shown"),
    ],
    "private": [
        Figure("private unrelated", "private matter, for an unrelated request: shown", "<= 1 %"),
        Figure("private lure", "the same, requests that have a word of it"),
        Figure("private plain", "the same, requests that have none"),
        Figure("private shown", "private matter, for a question about it: shown"),
    ],
}  # fmt: skip
"""By part. A figure and its counter-figures stand together."""
