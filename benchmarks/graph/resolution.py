"""Which mention is whom: how many merges are right and how many are found, by language.

Each row has two short memories with a marked mention each, and says whether both are the same one.
`rows/pairs.dev.jsonl` was tuned on; `rows/pairs.jsonl` was written after that and not looked back
at. Also names, kinds and relations in single sentences, and what reading costs. Writes
benchmarks/results/graph-resolution.json.

    python benchmarks/graph/resolution.py [--show]
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import defaultdict
from dataclasses import asdict, dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path[:1] = [str(FOLDER.parents[1]), str(FOLDER)]

from folding import Folded, Graph  # noqa: E402 - no installation
from sentences import figures as shares_of  # noqa: E402 - the same

from recollect.memory.graph.reading import read  # noqa: E402 - the same
from recollect.memory.graph.resolving import resolve  # noqa: E402 - the same
from recollect.memory.language.scanner import forget_texts  # noqa: E402 - the same

RESULT = FOLDER.parent / "results" / "graph-resolution.json"
PARTICLE = 2
"""Characters of a particle behind a name."""
ROWS = FOLDER / "rows"
SETS = {"tuned on": "pairs.dev.jsonl", "first contact": "pairs.jsonl"}
_MARK = re.compile(r"\[\[(.+?)\]\]")


@dataclass
class Figures:
    """Of some rows."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    apart: int = 0

    @property
    def precision(self) -> float:
        """The share of merges that are right."""
        merged = self.right + self.wrong
        return self.right / merged if merged else 1.0

    @property
    def recall(self) -> float:
        """The share of the same that were merged."""
        same = self.right + self.missed
        return self.right / same if same else 1.0

    def count(self, *, same: bool, merged: bool) -> None:
        """Count one row."""
        self.right += same and merged
        self.wrong += merged and not same
        self.missed += same and not merged
        self.apart += not same and not merged


def rows_of(name: str) -> list[dict]:
    """The rows of a file; none if it is not there."""
    path = ROWS / name
    return (
        [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []
    )


def marked(folded: Folded, mark: str) -> str | None:
    """The entity of the marked mention; None if it was not read."""
    exact, part = None, None
    for mention, entity in zip(folded.reading.mentions, folded.entities, strict=True):
        for surface in mention.surfaces:
            if entity is not None and surface.text == mark:
                exact = exact or entity
            elif entity is not None and mention.named and _is_most(surface.text, mark):
                part = part or entity
    return exact or part


def _is_most(surface: str, mark: str) -> bool:
    """Whether a name is the mark without a title, or without a particle behind it."""
    rest = len(mark) - len(surface)
    return mark.endswith(surface) or (mark.startswith(surface) and rest <= PARTICLE)


def is_merged(row: dict) -> tuple[bool, bool]:
    """Whether both mentions of a row are one entity, and whether both were read."""
    graph = Graph()
    for text in row.get("before", ()):
        graph.add(text)
    ends = [
        marked(graph.add(_MARK.sub(r"\1", row[side])), _MARK.search(row[side])[1])
        for side in ("one", "other")
    ]
    if None in ends:
        return False, False
    return graph.root(ends[0]) == graph.root(ends[1]), True


def measure(rows: list[dict], *, show: bool) -> dict[str, Figures]:
    """The figures by language, and of all."""
    found: dict[str, Figures] = defaultdict(Figures)
    for row in rows:
        merged, read = is_merged(row)
        for name in (row["lang"], "all"):
            found[name].count(same=row["same"], merged=merged)
        if show and merged is not row["same"]:
            note = "merged" if merged else "apart" if read else "not read"
            print(f"  {row['id']} {note}: {row['one']} | {row['other']} {row.get('before', '')}")
    return found


def table(title: str, figures: dict[str, Figures]) -> list[str]:
    """Of one set of pairs."""
    lines = [title, "  language  same  other  precision  recall"]
    for language, one in figures.items():
        same, other = one.right + one.missed, one.wrong + one.apart
        shares = f"{one.precision:>10.3f} {one.recall:>7.3f}"
        lines.append(f"  {language:<8} {same:>5} {other:>6} {shares}")
    return lines


def cost(texts: list[str]) -> dict[str, float]:
    """Microseconds of CPU to read a text anew, and to resolve it among all that are known."""
    graph = Graph()
    readings = [graph.add(text).reading for text in texts]
    asked = [(reading, graph.known(reading)) for reading in readings]
    forget_texts()
    began = time.process_time()
    for text in texts:
        read(text)
    between = time.process_time()
    for reading, known in asked:
        resolve(reading, known)
    ended = time.process_time()
    return {
        "read": (between - began) / len(texts) * 1e6,
        "resolve": (ended - between) / len(texts) * 1e6,
    }


def main() -> None:
    """Print the tables and write the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", action="store_true", help="the rows tuned on that are wrong")
    show = parser.parse_args().show
    written: dict[str, object] = {}
    for title, name in SETS.items():
        rows = rows_of(name)
        figures = measure(rows, show=show and title == "tuned on")
        print("\n".join(table(f"{title}: {len(rows)} pairs", figures)))
        written[title] = {language: asdict(one) for language, one in figures.items()}
    sentences = rows_of("sentences.jsonl")
    print(f"sentences: {len(sentences)}")
    written["sentences"] = shares = shares_of(sentences, show=show)
    for name, share in shares.items():
        print(f"  {name}: {share}")
    written["microseconds"] = spent = cost([row["text"] for row in sentences])
    print(f"reading a sentence: {spent['read']:.0f} us, resolving it: {spent['resolve']:.0f} us")
    RESULT.parent.mkdir(parents=True, exist_ok=True)
    RESULT.write_text(json.dumps(written, indent=2, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
