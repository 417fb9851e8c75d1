"""How much of what users told is kept as said, by language, without any model.

Two files of the evaluation data (`--data`): `changes`, whose rows tell something (`first`) and
change it in another conversation (`then`); and `persona`, whose facts are told one by one. A
statement of `changes` is kept if a passage holds one of the row's words for it; a fact, if a
passage holds at least half of its words.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from recollect.memory.model.types import Scope, Turn, utc_now
from recollect.memory.recall.index.entry import ASKED, PASTED
from recollect.memory.statements.passages import texts_of

_SHARE = 0.5
_WORD = re.compile(r"[\w']+")


class FlaggedText(NamedTuple):
    """A message, and what has to be in a passage of it."""

    kind: str
    language: str
    id: str
    text: str
    needles: Sequence[str]
    """One of them; none for most of the text."""


def changes(path: Path) -> Iterator[FlaggedText]:
    """What the rows of a file of changes tell."""
    for row in _rows(path):
        yield FlaggedText("first", row["lang"], row["id"], row["first"], row["old"])
        yield FlaggedText("then", row["lang"], row["id"], row["then"], row["new"])


def facts(path: Path) -> Iterator[FlaggedText]:
    """What the persons of a file tell."""
    for row in _rows(path):
        for fact in row["facts"]:
            name = f"{row['id']} {fact['id']}"
            yield FlaggedText("fact", row["lang"], name, fact["text"], ())


def is_kept(told: FlaggedText) -> bool:
    """Whether the passages of the message, alone in its conversation, hold it."""
    turn = Turn(
        id="t", conversation_id="c", scope=Scope(tenant="bench", user_id="u"), user_text=told.text,
        assistant_text="", model="none", created_at=utc_now(),
    )  # fmt: skip
    said = " ".join(one.text for one in texts_of(turn) if one.flags.isdisjoint((ASKED, PASTED)))
    if told.needles:
        return any(needle.lower() in said.lower() for needle in told.needles)
    return sum(map(len, _WORD.findall(said))) >= _SHARE * sum(map(len, _WORD.findall(told.text)))


def _rows(path: Path) -> list[dict[str, object] | dict]:  # type: ignore[type-arg]
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="The folder of the data.")
    parser.add_argument("--show", action="store_true", help="Show what is not kept.")
    wanted = parser.parse_args()
    told = [
        *changes(wanted.data / "changes.dev.jsonl"),
        *facts(wanted.data / "persona.dev.jsonl"),
    ]
    by: dict[str, dict[str, list[FlaggedText]]] = defaultdict(lambda: defaultdict(list))
    lost = {(one.kind, one.id) for one in told if not is_kept(one)}
    for one in told:
        by[one.kind][one.language].append(one)
    for kind, languages in by.items():
        every = [one for some in languages.values() for one in some]
        kept = sum((one.kind, one.id) not in lost for one in every)
        print(f"{kind}: {kept} of {len(every)} kept")
        for language, some in sorted(languages.items()):
            kept = sum((one.kind, one.id) not in lost for one in some)
            print(f"  {language}: {kept}/{len(some)}")
        if wanted.show:
            for one in every:
                if (one.kind, one.id) in lost:
                    print(f"    {one.id} {one.text!r} {list(one.needles)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
