"""The figures that are printed, each beside what it must not be bought with. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from .counting import ALL, Counts


class Figure(NamedTuple):
    """A row of the table."""

    key: str
    """In the counts."""
    what: str
    goal: str = ""
    """What is wanted; empty for a figure that is only shown."""


def _search(title: str, key: str) -> list[Figure]:
    return [
        Figure(f"{key} right", f"{title}: share of the lines that are needed"),
        Figure(f"{key} needed", f"{title}: needed lines in"),
        Figure(f"{key} lines", f"{title}: lines of a question"),
    ]


def _kind(kind: str, needed: str, right: str = "") -> list[Figure]:
    return [
        Figure(f"persons {kind} in eight", f"{kind}: needed in, of the first eight lines", needed),
        Figure(f"persons {kind} right", f"{kind}: share of the lines that are needed", right),
        Figure(f"persons {kind} lines", f"{kind}: lines of a question"),
        Figure(f"persons {kind} flooded", f"{kind}: questions with more than eight lines", "0 %"),
    ]


def _recall(name: str) -> list[Figure]:
    return [
        Figure(f"{name} R@5", f"{name} R@5, no threshold"),
        Figure(f"{name} R@10", f"{name} R@10, no threshold"),
        Figure(f"{name} R@5 shown", f"{name} R@5, lines above the threshold"),
        Figure(f"{name} R@10 shown", f"{name} R@10, lines above the threshold"),
        Figure(f"{name} configured right", f"{name} as configured: lines that are needed"),
        Figure(f"{name} configured silent", f"{name} as configured: questions with nothing"),
    ]


FIGURES: Mapping[str, Sequence[Figure]] = {
    "standing": [
        Figure("standing people", 'people with a line in "Hello!"', "0"),
        Figure("standing notes", "notes that stand in it"),
        Figure("standing fresh others", "near-wishes that stand, fresh rows", "<= 2 %"),
        Figure("standing fresh wishes", "told wishes that stand, fresh rows", ">= 85 %"),
    ],
    "plain": [
        Figure("plain needed", "plain question, 1 to 5 memories: found", ">= 95 %"),
        Figure("plain stranger", "question that none answers, same stores: given a line"),
        Figure("plain right", "share of the lines that are needed"),
        Figure("plain user needed", "found, notes in English"),
        Figure("plain own needed", "found, notes in the question's language"),
        Figure("plain search needed", "search: found"),
        Figure("plain search stranger", "search: given a line for what none answers"),
    ],
    "tells": [
        Figure("tells needed", "message that only tells: needed lines in"),
        Figure("tells right", "share of the lines that are needed"),
        Figure("tells lines", "lines of a message"),
    ],
    "impersonal": [
        Figure(
            "impersonal",
            "impersonal requests with a line, of people with 160 facts",
            "<= 2 %",
        ),
        Figure("impersonal known", "the same, known rows"),
        Figure("impersonal bearing", "the same, wishes about answers not counted"),
        Figure("impersonal known bearing", "the same, known rows, wishes not counted"),
        Figure("impersonal own silent", "own questions of such people that get nothing"),
        Figure("impersonal own needed", "needed lines in, of these"),
    ],
    "persons": [
        *_kind("direct", ">= .95", ">= .45"),
        *_kind("paraphrase", ">= .65"),
        *_kind("list", ">= .70"),
        *_kind("task", ">= .65"),
        Figure("persons none given", "what was never told: questions given a line"),
        Figure("persons impersonal given", "impersonal requests given a line"),
        Figure("persons tokens", "tokens injected a chat, mean", "a third"),
    ],
    "precision": [
        Figure("precision chat right", "chat: precision", ">= .80"),
        Figure("precision chat needed", "chat: recall", ">= .92"),
        *(
            Figure(f"precision chat {kind} {name}", f"chat, {kind}: {what}")
            for kind in ("direct", "paraphrase", "task", "long")
            for name, what in (("right", "precision"), ("needed", "recall"))
        ),
        Figure("precision chat lines", "chat: lines of a question"),
        Figure("precision answer right", "answer, what its model is shown: precision"),
        Figure("precision answer needed", "answer, what its model is shown: recall"),
        Figure("precision search right", "search as it is: precision", ">= .50"),
        Figure("precision search needed", "search as it is: recall"),
        *_search("search, at most ten", "precision search ten"),
        *_search("search, recall.threshold", "precision search likely"),
    ],
    "recall": [
        *(
            each
            for name in ("LoCoMo", "realtalk", "realmem", "recall-2", "recall-4")
            for each in _recall(name)
        )
    ],
    "constraints": [
        Figure("constraints bear", "brought up where they bear", ">= 88 %"),
        Figure("constraints in vain", "brought up in vain", "<= 8 %"),
        Figure("constraints bear others", "other lines with them, of a request"),
        Figure("constraints in vain others", "other lines in vain, of a request"),
        Figure("known constraints bear", "brought up where they bear, known rows"),
    ],
}
"""By part. A figure and its counter-figures stand together."""


def printed(
    part: str, counts: Counts, of: Mapping[str, Sequence[Figure]] = FIGURES
) -> Iterator[str]:
    """The lines of a part; figures without a case are left out."""
    yield f"\n{part}"
    for figure in of[part]:
        by = counts.found.get(figure.key, {})
        if not by.get(ALL, (0, 0))[1]:
            continue
        hits, cases = by[ALL]
        langs = [f"{lang} {shown(*by[lang])}" for lang in sorted(by) if lang != ALL and by[lang][1]]
        split = " ".join(langs) if len(langs) > 1 else ""
        value = f"{shown(hits, cases):>8}{cases:>7.0f}"
        yield f"  {figure.what:64}{value}  {figure.goal:9} {split}".rstrip()


def shown(hits: float, cases: float) -> str:
    """A share with three digits; a mean above one with one."""
    value = hits / cases
    return f"{value:.1f}" if value > 1 else f"{value:.3f}".replace("0.", ".", 1)


def figures(
    counts: Counts, of: Mapping[str, Sequence[Figure]] = FIGURES
) -> dict[str, Mapping[str, object]]:
    """For JSON: the goal of each figure that is printed, by its key."""
    return {
        figure.key: {"part": part, "what": figure.what, "goal": figure.goal}
        for part, some in of.items()
        for figure in some
        if figure.key in counts.found
    }
