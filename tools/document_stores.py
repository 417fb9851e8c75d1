"""Writes the table of docs/stores.md from benchmarks/stores/proven.json.

That file is what `python -m benchmarks.stores.record` saw pass; this tool claims nothing else.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.stores.proofs import PROOFS, Proof  # noqa: E402 - the tool runs by its path

PAGE = ROOT / "docs" / "stores.md"
RECORD = ROOT / "benchmarks" / "stores" / "proven.json"
_MARK = re.compile(r"(<!-- stores: .*? -->\n).*?(<!-- end of stores -->)", re.DOTALL)
_HEAD = (
    "store",
    "contract",
    "isolation",
    "filters compared",
    "filters it answers itself",
    "keywords",
    "collections",
    "reindex",
    "processes",
    "backup",
    "proven on",
)
_PROCESSES = {
    "shared": "many",
    "workers": "one, or the workers of one parent; others are refused",
    "alone": "one; a second is refused",
}
_BACKUPS = {"snapshot": "`recollect backup`", "copied": "`recollect backup`, not in use"}


def page(text: str, record: Mapping[str, Any]) -> str:
    """The page with the table as it should be."""
    if not _MARK.search(text):
        raise ValueError("the page has no place for the table")
    return _MARK.sub(lambda match: f"{match[1]}\n{table(record)}\n{match[2]}", text)


def table(record: Mapping[str, Any]) -> str:
    """A line for each store."""
    lines = [_line(_HEAD), "|---" * len(_HEAD) + "|"]
    lines += [_line(_cells(store, proof, record)) for store, proof in PROOFS.items()]
    return "\n".join(lines) + "\n"


def _cells(store: str, proof: Proof, record: Mapping[str, Any]) -> tuple[str, ...]:
    suites = record["suites"][store]
    return (
        proof.title,
        _tests(suites, "contract"),
        "nobody crosses" if _passed(suites, "isolation") else "not run",
        _filters(record["filters"].get(store)),
        _native(record["native"].get(store), record["native"]["filters"]),
        _tests(suites, "keywords"),
        _tests(suites, "collections"),
        _tests(suites, "reindex"),
        _first(suites, _PROCESSES),
        _first(suites, _BACKUPS) or ("its own means" if _passed(suites, "shared") else ""),
        "what a user runs" if proof.real else "an imitation of its API",
    )


def _passed(suites: Mapping[str, Mapping[str, int]], column: str) -> int:
    """The tests that passed, if no other did not."""
    found = suites.get(column, {})
    return found.get("passed", 0) if set(found) == {"passed"} else 0


def _first(suites: Mapping[str, Mapping[str, int]], told: Mapping[str, str]) -> str:
    """What is told of the first of these columns whose tests passed."""
    return next((text for column, text in told.items() if _passed(suites, column)), "")


def _tests(suites: Mapping[str, Mapping[str, int]], column: str) -> str:
    passed = _passed(suites, column)
    return f"{passed} tests" if passed else "no"


def _filters(found: Mapping[str, int] | None) -> str:
    if found is None:
        return "not run"
    wrong = found["differences"] + found["of other scopes"]
    return f"{found['cases']:,}, {wrong} wrong"


def _native(found: Mapping[str, int] | None, of: int) -> str:
    if found is None:
        return "computed in this process"
    return f"{100 * found['whole'] / of:.0f} %, and {100 * found['part'] / of:.0f} % in part"


def _line(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"


def main(arguments: list[str]) -> int:
    """Write the page; with ``--check`` only say whether it is current."""
    now = PAGE.read_text("utf-8")
    wanted = page(now, json.loads(RECORD.read_text("utf-8")))
    if "--check" in arguments:
        if now != wanted:
            print("stores.md is out of date: run `make docs`", file=sys.stderr)
        return int(now != wanted)
    PAGE.write_text(wanted, "utf-8")
    print("wrote docs/stores.md")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
