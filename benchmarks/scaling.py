"""How costs grow with memories, users, streams and workers: docs/scaling.md and its charts.

    python benchmarks/scaling.py [--quick]

Measures as far as this machine goes within some minutes, computes the rest from what it measured,
and says which is which. Writes benchmarks/results/scaling.json, docs/scaling.md, docs/scaling.svg.
`--quick` shows that it works, and leaves the page alone.
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
from scaled import memories, streams, users, workers  # noqa: E402
from scaled.page import write_page  # noqa: E402


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


def main() -> None:
    stop_on_signals()
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--quick", action="store_true", help="small sizes, no page")
    chosen = parser.parse_args()
    result = asyncio.run(run(quick=chosen.quick))
    print(f"written to {write_json('scaling', result)}")
    if not chosen.quick:
        print(f"written to {write_page(result)}")


if __name__ == "__main__":
    main()
