"""Third parties in the user's own words that are withheld, and learned wishes that are known.

    python benchmarks/faithful/origin.py [--parties FILE] [--wishes FILE] [--show]

Each sentence about a customer, a patient or a tenant is judged as given, as learned from the
message that says it, and as learned from a message that is nothing else; with and without a full
stop, in capitals, and with other blanks. Learned wishes are judged as the profile does, once with
the type `semantic` and once with `procedural`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:1] = [str(ROOT)]

from recollect.memory.calibration import calibration_for  # noqa: E402 - no installation
from recollect.memory.embedders import LocalEmbedderOptions, open_embedder  # noqa: E402 - the same
from recollect.memory.model.types import (  # noqa: E402 - the same
    MemoryItem,
    MemoryType,
    Message,
    Provenance,
    Scope,
    Source,
    StoredMemory,
    utc_now,
)
from recollect.memory.recall.index.user_index import UserIndex  # noqa: E402 - the same
from recollect.memory.recall.profile import profile_of, wishes  # noqa: E402 - the same
from recollect.memory.recall.prototypes import Prototypes  # noqa: E402 - the same
from recollect.memory.trust.quarantine import judge, judge_text  # noqa: E402 - the same

ROWS = ROOT / "benchmarks" / "unseen" / "rows"
MODELS = Path("~/.recollect/models").expanduser()
SCOPE = Scope(tenant="bench", user_id="u")
Row = dict[str, Any]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--parties", type=Path, default=ROWS / "parties.jsonl")
    parser.add_argument("--wishes", type=Path, default=ROWS / "learned-wishes.jsonl")
    parser.add_argument("--show", action="store_true", help="show the rows")
    wanted = parser.parse_args()
    rows = _read(wanted.parties)
    _tell("third parties withheld in some form", rows, withheld(rows), show=wanted.show)
    _tell("with a verdict that depends on the form", rows, unequal(rows), show=wanted.show)
    rows = _read(wanted.wishes)
    for kind in (MemoryType.SEMANTIC, MemoryType.PROCEDURAL):
        known = asyncio.run(as_wishes(rows, kind))
        for wish, name in ((True, "wishes missed"), (False, "others taken for wishes")):
            of = [row for row in rows if row["wish"] is wish]
            wrong = [row for row in of if (row["id"] in known) is not wish]
            _tell(f"{name}, {kind.value}", of, wrong, show=wanted.show)
    return 0


def withheld(rows: Sequence[Row]) -> list[Row]:
    """The rows of which some form is withheld."""
    return [row for row in rows if any(any(each) for each in _verdicts(row))]


def unequal(rows: Sequence[Row]) -> list[Row]:
    """The rows whose verdict punctuation, case or blanks change."""
    return [row for row in rows if any(len(set(each)) > 1 for each in _verdicts(row))]


def _verdicts(row: Row) -> Iterator[list[bool]]:
    """Whether it is withheld in each way of writing: given, learned, learned from itself."""
    written = list(_written(row["fact"]))
    yield [judge_text(text) is not None for text in written]
    for said in (row["turn"], row["fact"]):
        messages = [Message(role="user", content=said)]
        yield [judge(text, messages) is not None for text in written]


def _written(text: str) -> Iterator[str]:
    bare = text.rstrip(".。।!")
    yield from (bare, f"{bare}.", f"{bare}!", bare.upper(), bare.lower())
    yield "  ".join(bare.split(" ")) + " ."


async def as_wishes(rows: Sequence[Row], kind: MemoryType) -> set[str]:
    """The ids of the rows that the profile brings up as wishes."""
    embedder = await open_embedder(LocalEmbedderOptions(model_dir=MODELS))
    try:
        calibration = calibration_for(embedder.id, dim=embedder.dim)
        prototypes = await Prototypes.of(embedder, calibration)
        vectors = await embedder.embed([row["text"] for row in rows])
    finally:
        await embedder.close()
    found = set()
    for row, vector in zip(rows, vectors, strict=True):
        item = MemoryItem(
            id=row["id"], text=row["text"], type=kind, scope=SCOPE, created_at=utc_now(),
            updated_at=utc_now(), embedder_id=embedder.id,
            provenance=Provenance(source=Source.EXTRACTION),
        )  # fmt: skip
        index = UserIndex.of(embedder.dim, [StoredMemory(item, vector)])
        found |= {line.item.id for line in wishes(profile_of(index, SCOPE, prototypes))}
    return found


def _read(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def _tell(name: str, rows: Sequence[Row], found: Sequence[Row], *, show: bool) -> None:
    by = dict(Counter(row.get("lang") or row["language"] for row in found))
    print(f"{name}: {len(found)} of {len(rows)} {by}")
    if show:
        _show(found)


def _show(rows: Sequence[Row]) -> None:
    for row in rows:
        print(f"  {row['id']} {row.get('fact') or row['text']}")


if __name__ == "__main__":
    raise SystemExit(main())
