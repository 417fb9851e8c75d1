"""docs/quality.md, from what `make bench-quality` measured. Pure but for `write`."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from quality.measures import SORTS

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "quality.md"
Figures = Mapping[str, Mapping[str, Sequence[int]]]
WHAT = {
    "Whose question": {
        "own_found": "own questions that are given a fact which they need (more is better)",
        "needless": "lines found for own questions that these do not need",
        "foreign_match": "questions about somebody else's facts for which lines are found",
        "none_match": "questions about what the user never told for which lines are found",
        "impersonal_match": "requests about nobody, among own questions, for which lines are found",
        "general_match": "general requests of other people's data for which lines are found",
    },
    "The newest over the older": {
        "new_shown": "questions about what has changed that are given the newer (more is better)",
        "old_alone": "of all of them: given the older without the newer",
        "new_holds": "given both: the newer stands after the older, as what holds (more is better)",
        "answer_new_shown": "the same through `answer`: its model reads the newer (more is better)",
        "answer_old_alone": "the same through `answer`: the older without the newer",
    },
    "What was forgotten": {
        "forgotten_shown": "questions that are given a forgotten fact",
        "forgotten_stored": "forgotten facts that are stored",
        "resent_shown": "questions that are given it, after its conversation was sent again",
        "resent_stored": "forgotten facts that are stored again after that",
    },
    "Whose words": {
        "stored_without_words": "stored lines that are not in the user's own words, although the "
        "model claimed something in each answer",
        "unfounded_active": "facts that the turn does not state, as an extractor may return them, "
        "and that the rules let through without a model that verifies",
        "true_refused": "facts that the turn states and that the rules refuse",
    },
}
KINDS = {
    "own": "own questions",
    "foreign": "somebody else's",
    "none": "never told",
    "impersonal": "about nobody",
    "general": "general requests",
}
TITLES = {
    "known": "Known sets",
    "fresh": "Rows that were written after the code",
}
ABOUT = {
    "known": "Development halves of the evaluation data: the product was improved while these were "
    "known.",
    "fresh": "Written by the author of this benchmark after the code was final, and not used to\n"
    "change it. They are few, so that a share of them says little, and each user told eight facts\n"
    "only.",
}
HEAD = """# Quality

After this page you know what recall finds. `make bench-quality` measured it and wrote the page:
{when}, commit {commit}. It needs no
language model: users tell facts in chats, which are recalled for and captured as the proxy does,
with the local embedder and the default configuration; then they and others ask. What is recalled
here is what users *said* ([statements](learning.md#what-users-said)). What a model makes of it
is in [figures](figures.md).

- *Somebody else's*: the same questions, asked by users to whom nobody told the answers. Lines
  that are of use by chance (both have a dog) count as in vain.
- *In vain*: all that is found for a question which needs nothing, and what an own question is given
  beside what it needs.
- *Needed*: one annotator says which facts. A line beside them may still help.
- *Sent again*: the client repeats the request of the forgotten turn, and goes on with it in its
  history. A user who says it once more in another conversation has said it anew: that is kept.
- Languages have a few dozen cases each: the table is no ranking of languages. A run writes those
  with fewer to `benchmarks/results/quality.json`.
"""


def written(result: Mapping[str, Figures]) -> str:
    """The tables alone."""
    parts = (_part(name, result[name]) for name in TITLES if name in result)
    return "\n".join(line for part in parts for line in part).rstrip()


def write(result: Mapping[str, Figures]) -> None:
    """Write the page."""
    commit = subprocess.run(
        ["git", "-C", str(ROOT), "rev-parse", "--short=8", "HEAD"],
        capture_output=True, text=True, check=True,
    ).stdout.strip()  # fmt: skip
    head = HEAD.format(when=datetime.now(UTC).date().isoformat(), commit=commit)
    PAGE.write_text(f"{head}\n{written(result)}\n", "utf-8")


def _part(name: str, figures: Figures) -> Iterator[str]:
    yield from (f"## {TITLES[name]}", "", ABOUT[name], "")
    for title, whats in WHAT.items():
        there = [each for each in whats if each in figures]
        if there:
            yield from (f"### {title}", "", "| figure | all |", "|---|---|")
            yield from (f"| {whats[each]} | {_share(figures[each]['all'])} |" for each in there)
            yield ""
            if title == "Whose question":
                yield from (*_by_language(there, figures), "") if name == "known" else ()
                yield from _lines(figures)


def _lines(figures: Figures) -> Iterator[str]:
    """Lines of each sort per hundred requests of each kind."""
    yield "Lines per 100 requests: *found* for the question, *beside* what was found, and those"
    yield "that *stand* for every request: what the user wishes or must avoid."
    yield from ("", "| requests | given anything | found | beside | stand |")
    yield "|---|---|---|---|---|"
    for kind, what in KINDS.items():
        if f"{kind}_any" in figures:
            sums = (figures[f"{kind}_{sort}_lines"]["all"] for sort in SORTS)
            cells = (f"{100 * hits / cases:.0f}" for hits, cases in sums)
            yield f"| {what} | {_share(figures[f'{kind}_any']['all'])} | {' | '.join(cells)} |"
    yield ""


def _by_language(names: Iterable[str], figures: Figures) -> Iterator[str]:
    listed = list(names)
    languages = sorted({lang for name in listed for lang in figures[name]} - {"all"})
    yield "By language, in the order of the rows above:"
    yield ""
    yield "| language | " + " | ".join(str(at) for at in range(1, len(listed) + 1)) + " |"
    yield "|---|" + "---|" * len(listed)
    for lang in languages:
        cells = (_bare(figures[name].get(lang)) for name in listed)
        yield f"| {lang} | " + " | ".join(cells) + " |"


def _share(of: Sequence[int]) -> str:
    hits, cases = of
    return f"{hits} of {cases} ({hits / cases:.1%})" if cases else "no case"


def _bare(of: Sequence[int] | None) -> str:
    return f"{of[0]}/{of[1]}" if of and of[1] else "-"
