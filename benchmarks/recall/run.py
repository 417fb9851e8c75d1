"""How well and how fast recall finds things.

    python benchmarks/recall/run.py [--data FOLDER_OR_FILE] [--quick] [--only PART ...]

- quality: LoCoMo turns stored as memories by direct mode, questions as queries: share of the
  evidence found, tokens it took, beside the methods of FACTS.md on the same vectors; the same with
  facts of the sessions in place of turns; what questions about somebody else bring in; ablation;
- gate: the gate and the rewrite on gate.dev.jsonl and rewrite.dev.jsonl, if they are there;
- speed: one recall without its embedding, for users with 100 to 20,000 memories, and of a user
  nobody asked about yet, from Milvus Lite;
- scale: many users in one collection of a real Milvus;
- throughput: requests per second with recall through the whole proxy, against a bare relay.

Prints tables, writes benchmarks/results/recall.json (a part that was not run keeps what it had).
The data is for evaluation only and is looked for in ../shared/data. Exits with 2 without it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parent.parent))
sys.path.append(str(Path(__file__).resolve().parent.parent / "overhead"))
sys.path.append(str(Path(__file__).resolve().parent.parent.parent))

from load import RESULTS, ROOT, stop_on_signals, write_json
from locomo import MissingDataError

PARTS = ("quality", "gate", "speed", "scale", "throughput")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--data", type=Path, default=ROOT.parent / "shared" / "data", help="folder or file"
    )
    parser.add_argument("--quick", action="store_true", help="a short run, to see that it works")
    parser.add_argument("--only", choices=PARTS, action="append", help="may be given repeatedly")
    parser.add_argument(
        "--captions", action="store_true", help="add the captions of pictures to what was said"
    )
    parser.add_argument("--no-ablation", action="store_true", help="quality without the ablation")
    parser.add_argument("--memories", type=int, help="of the scale part, all users together")
    return parser.parse_args()


def main() -> int:
    stop_on_signals()
    wanted = arguments()
    try:
        asyncio.run(run(wanted))
    except MissingDataError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


async def run(wanted: argparse.Namespace) -> None:
    """The parts that are wanted, one after the other."""
    parts: dict[str, Callable[[argparse.Namespace], Awaitable[dict[str, Any]]]] = {
        "quality": _quality,
        "gate": _gate,
        "speed": _speed,
        "scale": _scale,
        "throughput": _throughput,
    }
    name = "recall-quick" if wanted.quick else "recall"
    result = _earlier(name)
    for part in wanted.only or PARTS:
        started = time.monotonic()
        result[part] = await parts[part](wanted)
        result[part]["seconds"] = round(time.monotonic() - started, 1)
        path = write_json(name, result)
    print(f"\nwritten to {path}")


def _earlier(name: str) -> dict[str, Any]:
    path = RESULTS / f"{name}.json"
    return json.loads(path.read_text()) if path.exists() else {}


async def _quality(wanted: argparse.Namespace) -> dict[str, Any]:
    from corpora import measure

    return await measure(
        wanted.data,
        quick=wanted.quick,
        captions=wanted.captions,
        with_ablation=not wanted.no_ablation,
    )


async def _gate(wanted: argparse.Namespace) -> dict[str, Any]:
    from decisions import measure

    return await measure(wanted.data)


async def _speed(wanted: argparse.Namespace) -> dict[str, Any]:
    from speed import measure

    return await measure(quick=wanted.quick)


async def _scale(wanted: argparse.Namespace) -> dict[str, Any]:
    from scale import measure

    return await measure(memories=wanted.memories, quick=wanted.quick)


async def _throughput(wanted: argparse.Namespace) -> dict[str, Any]:
    from throughput import measure

    return await measure(quick=wanted.quick)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("stopped")
