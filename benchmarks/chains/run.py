"""Questions that need two facts: what is injected with expansion and without it.

    python benchmarks/chains/run.py [--data FOLDER] [--rows FILE] [--quick] [--only PART ...]

- chains: `chains.dev.jsonl`, or the rows of FILE: all needed facts are in what is injected, by
  language and by their number; told as messages, stored as memories, and with the facts of all rows
  in one store. Questions that are asked in a stranger's store, and what they cost;
- others: LoCoMo by kind of question, REALTALK, RealMem, the own stores and the personas: evidence
  in five and as configured, tokens, and what is asked in vain;
- speed: recall with and without expansion, one after the other in one process.

Every figure is measured with no hops and with `auto` in the same run. Prints
tables, writes benchmarks/results/chains.json. Exits with 2 without the data.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
# Not this folder: its names would hide others.
sys.path[:1] = [str(ROOT), str(ROOT / "benchmarks"), str(ROOT / "benchmarks" / "recall")]

from chains import others, speeds, stores  # noqa: E402 - the script runs without an installation
from chains.stores import Got  # noqa: E402 - the same
from load import RESULTS, write_json  # noqa: E402 - the same
from product import Engine, disk_embedder  # noqa: E402 - the same

from recollect.memory.recall import RecallOptions  # noqa: E402 - the same

PARTS = ("chains", "others", "speed")
FILE = "chains.dev.jsonl"
HOPS = {"without": 0, "with": "auto"}


def options(hops: Any) -> RecallOptions:
    """The product's own, with these steps."""
    return RecallOptions().model_copy(update={"expand_hops": hops})


async def chains(wanted: argparse.Namespace) -> dict[str, Any]:
    """All needed facts, and what strangers' questions cost."""
    rows = stores.read(wanted.rows or wanted.data / FILE)
    embedder = await disk_embedder(RESULTS)
    engine = await Engine.open(embedder)
    filed = {row["id"]: await engine.file(stores.conversation(row)) for row in rows}
    all_of = await engine.file(stores.crowd(rows))
    found: dict[str, dict[str, list[Got]]] = defaultdict(dict)
    for name, hops in HOPS.items():
        with_ = options(hops)
        found["told as messages"][name] = await stores.told(rows, with_)
        found["stored"][name] = await stores.stored(engine, filed, rows, with_)
        found["all rows in one store"][name] = await stores.crowded(engine, all_of, rows, with_)
        found["a stranger's store"][name] = await stores.foreign(engine, filed, rows, with_)
    await engine.close()
    await embedder.close()
    return {name: _shown(name, both) for name, both in found.items()}


def _shown(name: str, both: dict[str, list[Got]]) -> dict[str, Any]:
    print(f"\n{name}: all that is needed, tokens, injected")
    result: dict[str, Any] = {}
    for which, got in both.items():
        row = {
            "all": _whole(got),
            "by language": _by(got, lambda one: one.language),
            "by needed facts": _by(got, lambda one: str(one.needs)),
            "tokens": fmean(one.tokens for one in got),
            "injected": fmean(one.injected for one in got),
            "missing": {one.id: one.missing for one in got if one.missing},
        }
        result[which] = row
        tokens, injected = row["tokens"], row["injected"]
        print(f"  {which:8} {row['all']:>7} {tokens:7.1f} {injected:6.2f}  {row['by language']}")
        print(f"           {row['by needed facts']}  missing: {' '.join(row['missing'])}")
    return result


def _whole(got: Iterable[Got]) -> str:
    some = list(got)
    return f"{sum(not one.missing for one in some)}/{len(some)}"


def _by(got: Sequence[Got], key: Callable[[Got], str]) -> dict[str, str]:
    groups = defaultdict(list)
    for one in got:
        groups[key(one)].append(one)
    return {name: _whole(some) for name, some in sorted(groups.items())}


async def _others(wanted: argparse.Namespace) -> dict[str, Any]:
    return await others.measure(wanted.data, {n: options(h) for n, h in HOPS.items()})


async def _speed(wanted: argparse.Namespace) -> dict[str, Any]:
    return await speeds.measure({n: options(h) for n, h in HOPS.items()}, quick=wanted.quick)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--rows", type=Path, help="other chains than those of the data")
    parser.add_argument("--quick", action="store_true", help="a short run, to see that it works")
    parser.add_argument("--only", choices=PARTS, action="append", help="may be given repeatedly")
    wanted = parser.parse_args()
    if not (wanted.rows or wanted.data / FILE).is_file():
        print(f"evaluation data is missing: {FILE} (use --data)", file=sys.stderr)
        return 2
    print(f"\nwritten to {write_json('chains', asyncio.run(measure(wanted)))}")
    return 0


async def measure(wanted: argparse.Namespace) -> dict[str, Any]:
    """The parts that are wanted, all if none is named."""
    parts: dict[str, Callable[[argparse.Namespace], Awaitable[dict[str, Any]]]] = {
        "chains": chains,
        "others": _others,
        "speed": _speed,
    }
    return {name: await parts[name](wanted) for name in wanted.only or PARTS}


if __name__ == "__main__":
    sys.exit(main())
