"""How costs grow with memories, users, streams and workers: docs/scaling.md and its charts.

    python benchmarks/scaling.py [--quick] [--stores [--million]]

Measures as far as this machine goes within some minutes, computes the rest from what it measured,
and says which is which. Writes benchmarks/results/scaling.json, docs/scaling.md, docs/scaling.svg.
`--quick` shows that it works, and leaves the page alone. `--stores` measures the real stores alone,
with up to 100,000 memories of one user, for half an hour or so, and writes their part of the page;
with `--million` there are a million in the store at the end, which takes hours.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
sys.path += [str(FOLDER / "recall"), str(FOLDER.parent)]

from cost import machine  # noqa: E402
from load import stop_on_signals, write_json  # noqa: E402
from scaled import memories, stores, streams, users, workers  # noqa: E402
from scaled.page import write_page, write_stores  # noqa: E402


async def run(*, quick: bool) -> dict[str, Any]:
    """Each part after the other; each prints what it finds."""
    result: dict[str, Any] = {"machine": machine(), "quick": quick}
    for name, part in (
        ("memories", memories.measure),
        ("users", users.measure),
        ("streams", streams.measure),
        ("workers", workers.measure),
    ):
        began = time.monotonic()
        result[name] = await part(quick=quick)
        print(f"{name}: {time.monotonic() - began:.0f} s", flush=True)
    return result


async def run_stores(*, quick: bool, million: bool) -> dict[str, Any]:
    """The stores alone."""
    began = time.monotonic()
    found = await stores.measure(quick=quick, million=million)
    print(f"stores: {time.monotonic() - began:.0f} s", flush=True)
    return {"machine": machine(), "quick": quick, "stores": found}


def main() -> None:
    stop_on_signals()
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--quick", action="store_true", help="small sizes, no page")
    parser.add_argument("--stores", action="store_true", help="the real stores alone")
    parser.add_argument("--million", action="store_true", help="with a million memories of others")
    chosen = parser.parse_args()
    if chosen.stores:
        result = asyncio.run(run_stores(quick=chosen.quick, million=chosen.million))
        print(f"written to {write_json('stores', result)}")
        if not chosen.quick:
            print(f"written to {write_stores(result)}")
        return
    result = asyncio.run(run(quick=chosen.quick))
    print(f"written to {write_json('scaling', result)}")
    if not chosen.quick:
        print(f"written to {write_page(result)}")


if __name__ == "__main__":
    main()
