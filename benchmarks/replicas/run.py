"""Three real replicas, one killed every ten seconds for five minutes: what is lost and what twice.

    python -m benchmarks.replicas.run [--seconds 300] [--every 10] [--clients 6] [--out FILE]

Exits with 1 if an acknowledged turn was lost or stored twice, or if a chat failed on a replica that
nobody killed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from pathlib import Path

from .stage import run


async def main() -> int:
    """Run it, and print and write what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--every", type=float, default=10, help="Seconds between kills; 0: none.")
    parser.add_argument("--clients", type=int, default=6)
    parser.add_argument("--replicas", type=int, default=3)
    parser.add_argument("--out", type=Path, help="Write JSON here.")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        outcome = await run(
            Path(folder),
            Path.home() / ".recollect" / "models",
            seconds=chosen.seconds,
            every=chosen.every,
            clients=chosen.clients,
            replicas=chosen.replicas,
        )
    told = outcome.told()
    for name, value in told.items():
        print(f"{name:28} {value}")
    if chosen.out:
        chosen.out.write_text(json.dumps(told, indent=2) + "\n", "utf-8")
    return int(bool(outcome.lost or outcome.doubled or outcome.broken["elsewhere"]))


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
