"""Numbers that nobody publishes: what memory does wrong, by language. Needs no language model.

    python benchmarks/quality/run.py [--data FOLDER] [--no-page] [--only SET ...]

Persons tell facts in chats, which are recalled for and captured as the proxy does; then they, and
others, ask. Reads `persona`, `changes`, `gate-external` and `evidence` of the evaluation data (not
part of the product), and own rows in `rows/`, which were written after the code and are shown
apart. Writes docs/quality.md and benchmarks/results/quality.json. Exits with 2 without the data.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
# Not this folder: its names would hide others.
sys.path[:1] = [str(ROOT), str(ROOT / "benchmarks")]

from learning import evidence  # noqa: E402 - the script runs without an installation
from load import write_json  # noqa: E402 - the same
from quality import measures, page  # noqa: E402 - the same
from quality.talks import Talks  # noqa: E402 - the same

SETS = ("persona", "changes", "gate-external", "evidence")
FRESH = Path(__file__).parent / "rows"
Rows = Mapping[str, Sequence[measures.Row]]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--no-page", action="store_true", help="leave docs/quality.md alone")
    parser.add_argument("--only", nargs="+", choices=SETS, default=SETS, help="prints these alone")
    wanted = parser.parse_args()
    files = {name: wanted.data / f"{name}.dev.jsonl" for name in wanted.only}
    absent = [str(path) for path in files.values() if not path.is_file()]
    if absent:
        print(f"evaluation data is missing: {', '.join(absent)} (use --data)", file=sys.stderr)
        return 2
    result = {"known": asyncio.run(measure({name: read(path) for name, path in files.items()}))}
    own = {name: FRESH / f"{name}.jsonl" for name in wanted.only}
    fresh = {name: read(path) for name, path in own.items() if path.is_file()}
    if fresh:
        result["fresh"] = asyncio.run(measure(fresh))
    print(page.written(result))
    if wanted.only != SETS:
        return 0
    print(f"written to {write_json('quality', result)}")
    if not wanted.no_page:
        page.write(result)
    return 0


def read(path: Path) -> list[measures.Row]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


async def measure(rows: Rows) -> dict[str, Any]:
    """All figures of these sets; those of a set that is absent are left out."""
    counts = measures.Counts()
    persons = rows.get("persona", ())
    async with Talks.open() as talks:
        for person in persons:
            await measures.tell(talks, person["id"], person["facts"], {})
        await talks.settled()
        await measures.questions(talks, persons, counts)
        if persons:
            await measures.general(talks, persons, rows.get("gate-external", ()), counts)
        await measures.changes(talks, rows.get("changes", ()), counts)
        await measures.forgotten(talks, persons, counts)
        await measures.words(talks, persons, counts)
    await asyncio.to_thread(_unfounded, rows.get("evidence", ()), counts)
    return counts.found


def _unfounded(rows: Sequence[measures.Row], counts: measures.Counts) -> None:
    """Facts of an extractor that the turn does not state, and that the rules let through."""
    wrong = evidence.measure(rows)["rules"]["wrong"] if rows else {}
    for row in rows:
        name = "true_refused" if row["true"] else "unfounded_active"
        counts.add(name, row["lang"], row["id"] in wrong)


if __name__ == "__main__":
    raise SystemExit(main())
