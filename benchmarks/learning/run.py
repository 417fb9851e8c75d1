"""What learning decides, keeps out and costs.

    python benchmarks/learning/run.py [--data FOLDER] [--quick] [--only PART ...]

- conflict: what the reconciler decides without a model, and with an oracle for the rest;
- poison: what the quarantine keeps out, and what it keeps out by mistake;
- secrets: what is redacted, and what by mistake;
- load: turns per second that are kept, and the p99 of requests while the learner never rests.

Prints a table for each with what issue 5 asks for, writes benchmarks/results/learning.json
(a part that was not run keeps what it had). The data is for evaluation only and is looked for in
../shared/data. Exits with 2 without it.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# Instead of this folder, whose secrets.py would be found in the place of Python's.
sys.path[:1] = [str(ROOT), str(ROOT / "benchmarks")]

import argparse  # noqa: E402
import asyncio  # noqa: E402
import json  # noqa: E402
import time  # noqa: E402
from typing import Any  # noqa: E402

from load import RESULTS, stop_on_signals, write_json  # noqa: E402

FILES = {
    "conflict": "conflict.dev.jsonl",
    "poison": "poison.dev.jsonl",
    "secrets": "secrets.dev.jsonl",
}
PARTS = (*FILES, "load")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--quick", action="store_true", help="a short run, to see that it works")
    parser.add_argument("--only", choices=PARTS, action="append", help="may be given repeatedly")
    return parser.parse_args()


def main() -> int:
    stop_on_signals()
    wanted = arguments()
    parts = wanted.only or PARTS
    absent = [FILES[p] for p in parts if p in FILES and not (wanted.data / FILES[p]).is_file()]
    if absent:
        print(
            f"the evaluation data is not in {wanted.data} ({', '.join(absent)}): name its folder "
            "with --data, or leave the parts that need it out with --only load",
            file=sys.stderr,
        )
        return 2
    asyncio.run(run(parts, wanted.data, quick=wanted.quick))
    return 0


async def run(parts: list[str] | tuple[str, ...], data: Path, *, quick: bool) -> None:
    """The parts one after the other; then all tables together."""
    from learning.goals import goals_of, show

    name = "learning-quick" if quick else "learning"
    result, tables = _earlier(name), {}
    for part in parts:
        started = time.monotonic()
        found = await _measured(part, data, quick=quick)
        tables[part] = goals_of(part, found)
        result[part] = {
            "goals": [goal.kept() for goal in tables[part]],
            **found,
            "seconds": round(time.monotonic() - started, 1),
        }
        path = write_json(name, result)
    for part, goals in tables.items():
        show(part, goals)
    print(f"\nwritten to {path}")


def _earlier(name: str) -> dict[str, Any]:
    path = RESULTS / f"{name}.json"
    return json.loads(path.read_text()) if path.exists() else {}


async def _measured(part: str, data: Path, *, quick: bool) -> dict[str, Any]:
    if part == "load":
        from learning import load

        return await load.measure(quick=quick)
    if part == "conflict":
        return await _conflict(data / FILES[part])
    from learning import poison, secrets

    module = {"poison": poison, "secrets": secrets}[part]
    found = module.measure(data / FILES[part])
    module.show(found)
    return found


async def _conflict(path: Path) -> dict[str, Any]:
    from learning import conflict

    from recollect.memory.embedders import LocalEmbedderOptions, open_embedder

    models = Path("~/.recollect/models").expanduser()
    embedder = await open_embedder(LocalEmbedderOptions(model_dir=models))
    try:
        found = await conflict.measure(path, embedder)
    finally:
        await embedder.close()
    conflict.show(found)
    return found


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("stopped")
